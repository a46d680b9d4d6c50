import * as assert from 'node:assert/strict';
import { ConnectionProblem } from '../../../src/client/http/connectionProblem.ts';
import { cancelTask, outcomeOf, type StopOutcome } from '../../../src/model/run/cancellation.ts';
import { A2AError } from '../../../src/protocol/errors.ts';
import { Problem, sentence } from '../../../src/protocol/problem.ts';
import type { ShownState } from '../../../src/protocol/message/taskState.ts';

type Word = 'WORKING' | 'COMPLETED' | 'FAILED' | 'CANCELED' | 'INPUT_REQUIRED';
const refusal = new A2AError(-32002, 'Never.');
const away = new ConnectionProblem('timeout', sentence('Nobody answers.'), 'unknown');
const refused = new ConnectionProblem('unreachable', sentence('Connection refused.'), 'no');

interface Row {
  /** What the agent answers to CancelTask; what it says afterwards by itself; what it says when it is asked. */
  readonly cancel: Word | Problem;
  readonly then?: Word;
  readonly ask?: Word | Problem;
  readonly outcome: StopOutcome;
  readonly tells?: string;
}

suite('cancelling a task', () => {
  const rows: Readonly<Record<string, Row>> = {
    'the agent says that it is canceled': { cancel: 'CANCELED', outcome: 'canceled' },
    'it says so a moment later': { cancel: 'WORKING', then: 'CANCELED', outcome: 'canceled' },
    'it says so when it is asked': { cancel: 'WORKING', ask: 'CANCELED', outcome: 'canceled' },
    'it says that the task is completed, which is not canceled': { cancel: 'COMPLETED', outcome: 'over' },
    'it comes to another end a moment later': { cancel: 'WORKING', then: 'FAILED', outcome: 'over' },
    'it agrees and goes on': { cancel: 'WORKING', ask: 'WORKING', outcome: 'unknown', tells: 'stop-unknown' },
    'it agrees and cannot be asked': { cancel: 'WORKING', ask: away, outcome: 'unknown', tells: 'stop-unknown' },
    'it agrees and waits for an answer': { cancel: 'INPUT_REQUIRED', ask: 'INPUT_REQUIRED', outcome: 'unknown', tells: 'stop-unknown' },
    'it refuses': { cancel: refusal, ask: 'WORKING', outcome: 'not-cancelable', tells: 'agent-error' },
    'it refuses and cannot be asked': { cancel: refusal, ask: away, outcome: 'not-cancelable', tells: 'agent-error' },
    'it refuses because the task is over': { cancel: refusal, ask: 'COMPLETED', outcome: 'over' },
    'it cannot be reached': { cancel: refused, outcome: 'not-sent', tells: 'stop-unsent' },
    'it does not answer': { cancel: away, outcome: 'unknown', tells: 'stop-unknown' },
  };
  for (const [what, { cancel, then, ask = 'WORKING', outcome, tells }] of Object.entries(rows)) {
    test(`${what}: ${outcome}`, async () => {
      let state: ShownState = 'TASK_STATE_WORKING';
      const told: string[] = [];
      const answer = async (said: Word | Problem): Promise<void> => {
        if (said instanceof Problem) throw said;
        state = `TASK_STATE_${said}`;
      };
      assert.equal(
        await cancelTask({
          state: () => state,
          cancel: () => answer(cancel),
          ask: () => answer(ask),
          report: problem => told.push(problem.code),
          until: async () => {
            if (then !== undefined) await answer(then);
          },
        }),
        outcome,
      );
      assert.deepEqual(told, tells === undefined ? [] : [tells]);
    });
  }

  test('a defect of ours is no word of the agent', async () => {
    const defect = new Error('defect');
    const throws = async (): Promise<void> => {
      throw defect;
    };
    const state = (): ShownState => 'TASK_STATE_WORKING';
    await assert.rejects(cancelTask({ state, cancel: throws, ask: throws, report: () => assert.fail(), until: throws }), defect);
    await assert.rejects(
      cancelTask({
        state,
        cancel: async () => {
          throw refusal;
        },
        ask: throws,
        report: () => assert.fail(),
        until: throws,
      }),
      defect,
    );
  });

  test('of several the worst counts', async () => {
    const of = (...outcomes: StopOutcome[]): Promise<StopOutcome> => outcomeOf(outcomes.map(async each => each));
    assert.deepEqual([await of(), await of('canceled', 'over'), await of('over', 'canceled')], ['over', 'canceled', 'over']);
    assert.deepEqual([await of('canceled', 'unknown'), await of('canceled', 'over', 'not-cancelable')], ['unknown', 'not-cancelable']);
  });
});
