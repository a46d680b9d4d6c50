import * as assert from 'node:assert/strict';
import type { Disposable } from '../../../src/model/emitter.ts';
import { followRun } from '../../../src/model/requests/requestFollowing.ts';
import { RequestLimit } from '../../../src/model/requests/requestLimit.ts';
import type { FollowedRun, RequestContext } from '../../../src/model/requests/requestPorts.ts';
import type { RequestOutcome } from '../../../src/model/requests/requestOutcome.ts';
import { onlyKeptAlive } from '../../../src/model/run/gap.ts';
import type { RunResult } from '../../../src/model/run/sendOptions.ts';
import type { Task } from '../../../src/protocol/message/task.ts';
import { task } from '../../support/client/says.ts';

const unheard = (): Disposable => ({ dispose: () => {} });

suite('a request that is followed', () => {
  test('bytes that are no answer, such as comments in a stream, are signs of life; the run says when there were too many', async () => {
    const never = new Promise<never>(() => {});
    const done = Promise.withResolvers<RunResult>();
    const result: RunResult = { delivery: 'sending', states: [], findings: [], startedAt: 0, endedAt: 0, exchangeIds: [] };
    let looks = 0;
    const run: FollowedRun = {
      taskId: undefined,
      state: undefined,
      result,
      done: done.promise,
      ended: never,
      refusal: undefined,
      provisional: undefined,
      connection: { kind: 'none' },
      ask: async () => {},
      stop: async () => 'over',
      get lastReceivedAt() {
        if (++looks === 5) done.resolve({ ...result, problem: onlyKeptAlive(600_000) });
        return performance.now();
      },
    };
    const context = { onDidUpdate: unheard, onDidChangeState: unheard } as unknown as RequestContext;
    const { problem } = await followRun(run, {
      context,
      limit: new RequestLimit(undefined, undefined, { first: 5, later: 5 }),
      onDidChange: () => {},
    });
    assert.equal(problem?.message, 'The agent has sent only keep-alive comments for 10 min.');
  });

  /** A run whose agent gives signs of life without end and tells this task each time. */
  const follow = async (told: () => Task, limit: RequestLimit): Promise<RequestOutcome> => {
    const run: FollowedRun = {
      taskId: 't-1',
      state: 'TASK_STATE_UNSPECIFIED',
      done: new Promise<never>(() => {}),
      ended: new Promise<never>(() => {}),
      refusal: undefined,
      provisional: undefined,
      connection: { kind: 'none' },
      ask: async () => {},
      stop: async () => 'over',
      get result(): RunResult {
        return { delivery: 'sent', states: [], findings: [], startedAt: 0, endedAt: 0, exchangeIds: [], task: told() };
      },
      get lastReceivedAt() {
        return performance.now();
      },
    };
    const context = { onDidUpdate: unheard, onDidChangeState: unheard } as unknown as RequestContext;
    return followRun(run, { context, limit, onDidChange: () => {}, unknownWaits: { foreign: 5, unspecified: 20 } });
  };

  test('a task of which nothing is told but that its state is unknown is not waited for without end', async () => {
    let reads = 0;
    const { problem } = await follow(
      () => task('TASK_STATE_UNSPECIFIED', { status: { state: 'TASK_STATE_UNSPECIFIED', timestamp: new Date(reads++).toISOString() } }),
      new RequestLimit(undefined),
    );
    assert.equal(problem?.code, 'unknown-state');
    assert.equal(
      problem.message,
      'For 0.02 seconds the agent has reported only that the state of the task is unknown, so it is unknown whether the task has ended.',
    );
  });

  test('a task in an unknown state of which more is told is waited for', async () => {
    let pieces = 0;
    const { task: last } = await follow(() => {
      pieces = Math.min(pieces + 1, 6);
      return task('TASK_STATE_UNSPECIFIED', { artifacts: [{ artifactId: 'x', parts: [{ text: 'x'.repeat(pieces) }] }] });
    }, new RequestLimit(undefined));
    assert.deepEqual(last?.artifacts?.[0]?.parts, [{ text: 'xxxxxx' }]);
  });

  test('who has set a limit decides how long an unknown state is waited out', async () => {
    const { problem } = await follow(() => task('TASK_STATE_UNSPECIFIED'), new RequestLimit(200));
    assert.match(problem?.message ?? '', /not finish within 200 ms/);
  });
});
