import * as assert from 'node:assert/strict';
import { followWithin } from '../../../src/cli/terminal/commandLimit.ts';
import { TaskFollower } from '../../../src/cli/terminal/follow.ts';
import type { Values } from '../../../src/cli/terminal/options.ts';
import { noLog } from '../../../src/cli/terminal/terminal.ts';
import { runTiming } from '../../../src/model/run/runTiming.ts';
import type { ReceivedRequest, Script, Step } from '../../../src/mock/script.ts';
import { Problem } from '../../../src/protocol/problem.ts';
import type { Task } from '../../../src/protocol/message/task.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { statusUpdate, task } from '../../support/client/says.ts';
import { noAllowance } from '../../support/noAllowance.ts';

suite('following what an agent does, in a terminal', () => {
  const open = new OpenThings();
  teardown(() => open.close());

  const working = { event: { task: task('TASK_STATE_WORKING') } };

  /** Exit status of following a stream that says nothing after its first event. */
  async function afterSilence(GetTask: Script['GetTask']): Promise<{ readonly status: number; readonly asked: number }> {
    const { client, http, agent } = await open.spoken({
      SendStreamingMessage: [working, { stall: true }],
      GetTask,
      SubscribeToTask: [working, { event: { task: task('TASK_STATE_COMPLETED') } }],
    });
    const never = new AbortController().signal;
    // Raw, so that nothing is printed here.
    const follow = new TaskFollower(
      { values: { raw: true }, http, signal: never, giveUp: never, log: noLog, allowance: noAllowance },
      client,
      {
        ...runTiming,
        silence: 100,
        firstRetry: 10,
        afterError: 10,
      },
    );
    const status = await follow.stream('SendStreamingMessage', { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'x' }] } });
    return { status, asked: agent.requests.filter(({ operation }) => operation === 'GetTask').length };
  }

  test('the task of a silent stream is asked for on another connection', async () => {
    let asked = 0;
    const { status } = await afterSilence(() => [{ answer: task(asked++ < 2 ? 'TASK_STATE_WORKING' : 'TASK_STATE_FAILED') }]);
    assert.deepEqual([status, asked], [1, 3]);
  });

  test('an agent that has gone silent is taken up again', async () => {
    let asked = 0;
    const { status } = await afterSilence(() => (asked++ === 0 ? [{ close: true }] : [{ answer: task('TASK_STATE_WORKING') }]));
    assert.equal(status, 0);
  });

  test('an agent that refuses to be asked is there: its stream is listened to further', async () => {
    let asked = 0;
    const { status } = await afterSilence(() => [
      asked++ === 0 ? { error: { code: -32603, message: 'not now' } } : { answer: task('TASK_STATE_COMPLETED') },
    ]);
    assert.deepEqual([status, asked], [0, 2]);
  });

  suite('an error in a stream whose task is not over', () => {
    const quota: Step = { error: { code: -32603, message: 'quota exceeded' } };

    async function afterError(more: Script): Promise<unknown> {
      const { client, http } = await open.spoken({ SendStreamingMessage: [working, quota], ...more });
      const never = new AbortController().signal;
      const follow = new TaskFollower(
        { values: { raw: true }, http, signal: never, giveUp: never, log: noLog, allowance: noAllowance },
        client,
        {
          ...runTiming,
          afterError: 500,
        },
      );
      return follow
        .stream('SendStreamingMessage', { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'x' }] } })
        .catch((error: unknown) => error);
    }

    test('it is the answer where the task goes on, and where the agent cannot be asked about it', async () => {
      const goesOn: Script = { GetTask: [{ answer: task('TASK_STATE_WORKING') }], SubscribeToTask: [working, { stall: true }] };
      for (const more of [goesOn, { GetTask: [quota] }]) {
        const error = await afterError(more);
        assert.ok(error instanceof Problem, String(error));
        assert.match(error.message, /quota exceeded/);
        assert.match(error.nextStep?.template ?? '', /a2a task subscribe/);
      }
    });

    test('the end of the task counts where it comes at once', async () => {
      assert.equal(await afterError({ GetTask: [{ answer: task('TASK_STATE_FAILED') }] }), 1);
    });
  });

  suite('a state that says nothing', () => {
    const limited = async (script: Script, values: Values = {}, streams = false): Promise<unknown> => {
      const agent = await open.agent(script);
      const never = new AbortController().signal;
      const terminal = {
        values: { raw: true, ...values },
        http: open.http(),
        signal: never,
        giveUp: never,
        log: noLog,
        allowance: noAllowance,
      };
      const message = { messageId: 'm', role: 'ROLE_USER' as const, parts: [{ text: 'x' }] };
      return followWithin(
        terminal,
        agent.url,
        follow => (streams ? follow.stream('SendStreamingMessage', { message }) : follow.send({ message })),
        { foreign: 50, unspecified: 50 },
      ).catch((error: unknown) => error);
    };
    const unspecified = task('TASK_STATE_UNSPECIFIED');
    const at = (): Task => ({ ...unspecified, status: { ...unspecified.status, timestamp: new Date().toISOString() } });
    const isStranded = (error: unknown, words: RegExp): void => {
      assert.ok(error instanceof Problem, String(error));
      assert.equal(error.code, 'unknown-state');
      assert.match(error.message, words);
      assert.notEqual(error.nextStep, undefined);
    };

    test('a task that stays unknown is not asked for without end, whatever time it tells', async () => {
      isStranded(
        await limited({ SendMessage: [{ answer: { task: unspecified } }], GetTask: () => [{ answer: at() }] }),
        /reported only that the state of the task is unknown/,
      );
    });

    test('a stream of which an unknown state is the last word', async () => {
      isStranded(
        await limited(
          { SendStreamingMessage: [{ event: { task: unspecified } }, { stall: true }], GetTask: () => [{ answer: at() }] },
          {},
          true,
        ),
        /the state of the task is unknown/,
      );
    });

    test('a stream that tells the same unknown state again and again', async () => {
      const again = (): Step[] =>
        Array.from({ length: 100_000 }, () => [{ event: statusUpdate('TASK_STATE_UNSPECIFIED') }, { delay: 5 }]).flat();
      isStranded(
        await limited({ SendStreamingMessage: [{ event: { task: unspecified } }, ...again()] }, {}, true),
        /the state of the task is unknown/,
      );
    });

    test('a state that A2A does not have, also where somebody has set a limit', async () => {
      const odd = { ...unspecified, status: { state: 'TASK_STATE_PONDERING' } };
      const answers =
        (result: object) =>
        ({ body }: ReceivedRequest): Step[] => [{ json: { jsonrpc: '2.0', id: (JSON.parse(body) as { id: unknown }).id, result } }];
      isStranded(
        await limited({ SendMessage: answers({ task: odd }), GetTask: answers(odd) }, { timeout: '1h' }),
        /in the state "TASK_STATE_PONDERING", which A2A does not define/,
      );
    });

    test('an unknown state on the way to another one', async () => {
      let asked = 0;
      const status = await limited(
        {
          SendMessage: [{ answer: { task: unspecified } }],
          GetTask: () => [{ answer: asked++ < 2 ? unspecified : task('TASK_STATE_COMPLETED') }],
        },
        { timeout: '1h' },
      );
      assert.equal(status, 0);
    });
  });
});
