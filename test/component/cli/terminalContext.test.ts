import * as assert from 'node:assert/strict';
import type { Values } from '../../../src/cli/terminal/options.ts';
import { Output } from '../../../src/cli/terminal/output.ts';
import { noLog, type Terminal } from '../../../src/cli/terminal/terminal.ts';
import { inTerminalContext, TerminalContext } from '../../../src/cli/terminal/terminalContext.ts';
import type { ReceivedRequest, Script, Step } from '../../../src/mock/script.ts';
import { SecretOrigins } from '../../../src/model/agents/secretOrigins.ts';
import type { RunTiming } from '../../../src/model/run/runTiming.ts';
import { Problem } from '../../../src/protocol/problem.ts';
import type { Task } from '../../../src/protocol/message/task.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { chunk, says, statusUpdate, task } from '../../support/client/says.ts';
import { noAllowance } from '../../support/noAllowance.ts';

suite('the context of a command in a terminal', () => {
  const open = new OpenThings();
  teardown(() => open.close());

  const working = { event: { task: task('TASK_STATE_WORKING') } };
  const message = { parts: [{ text: 'x' }], target: 'new-task', streaming: true } as const;

  function terminalOf(values: Values): Terminal {
    const never = new AbortController().signal;
    return {
      host: process,
      output: new Output(process),
      values,
      http: open.http(),
      signal: never,
      giveUp: never,
      log: noLog,
      origins: new SecretOrigins(),
      allowance: noAllowance,
    };
  }

  /** What sending resolves to or rejects with. */
  async function sent(script: Script, timing: Partial<RunTiming>, values: Values = { raw: true }) {
    const { client, agent } = await open.spoken(script);
    const context = new TerminalContext(terminalOf(values), client, { timing });
    try {
      const outcome = await context.send(message).catch((error: unknown) => error);
      return { outcome, asked: agent.requests.filter(({ operation }) => operation === 'GetTask').length };
    } finally {
      context.dispose();
    }
  }

  suite('a stream that says nothing after its first event', () => {
    const silent = (GetTask: Script['GetTask']) =>
      sent(
        {
          SendStreamingMessage: [working, { stall: true }],
          GetTask,
          SubscribeToTask: [working, { event: { task: task('TASK_STATE_COMPLETED') } }],
        },
        { silence: 100, firstRetry: 10, linger: 50 },
      );

    test('its task is asked for on another connection', async () => {
      let asked = 0;
      const { outcome } = await silent(() => [{ answer: task(asked++ < 2 ? 'TASK_STATE_WORKING' : 'TASK_STATE_FAILED') }]);
      assert.equal(outcome, 1);
      assert.ok(asked >= 3);
    });

    test('it is taken up again where the agent has gone silent', async () => {
      let asked = 0;
      const { outcome } = await silent(() =>
        asked++ === 0 ? [{ close: true }] : [{ answer: task(asked < 3 ? 'TASK_STATE_WORKING' : 'TASK_STATE_COMPLETED') }],
      );
      assert.equal(outcome, 0);
    });

    test('it is listened to further where the agent refuses to be asked', async () => {
      let asked = 0;
      const { outcome } = await silent(() => [
        asked++ === 0 ? { error: { code: -32603, message: 'not now' } } : { answer: task('TASK_STATE_COMPLETED') },
      ]);
      assert.equal(outcome, 0);
      assert.ok(asked >= 2);
    });
  });

  suite('an error in a stream whose task is not over', () => {
    const quota: Step = { error: { code: -32603, message: 'quota exceeded' } };
    const afterError = async (more: Script, fault: Step = quota) =>
      (await sent({ SendStreamingMessage: [working, fault], ...more }, {})).outcome;

    test('it is the answer where the task goes on, and where the agent cannot be asked about it', async () => {
      const goesOn: Script = { GetTask: [{ answer: task('TASK_STATE_WORKING') }], SubscribeToTask: [working, { stall: true }] };
      for (const more of [goesOn, { GetTask: [quota], SubscribeToTask: [quota] }]) {
        const error = await afterError(more);
        assert.ok(error instanceof Problem, String(error));
        assert.match(error.message, /quota exceeded/);
        assert.match(String(error.nextStep?.args), /a2a task subscribe URL t-1/);
      }
    });

    test('the end of the task counts where it comes at once', async () => {
      assert.equal(await afterError({ GetTask: [{ answer: task('TASK_STATE_FAILED') }] }), 1);
    });

    test('so it is with an error of no protocol', async () => {
      const overloaded: Step = { raw: 'event: error\ndata: {"model": "overloaded"}\n\n' };
      const goesOn: Script = { GetTask: [{ answer: task('TASK_STATE_WORKING') }], SubscribeToTask: [working, { stall: true }] };
      const error = await afterError(goesOn, overloaded);
      assert.ok(error instanceof Problem && /overloaded/.test(error.message), String(error));
      assert.equal(await afterError({ GetTask: [{ answer: task('TASK_STATE_COMPLETED') }] }, overloaded), 0);
    });
  });

  suite('a stream that stays open after its end is left', () => {
    const events = [{ task: task('TASK_STATE_SUBMITTED') }, chunk('one', false, true), statusUpdate('TASK_STATE_COMPLETED')].map(event => ({
      event,
    }));
    const lasting: Readonly<Record<string, readonly [script: Script, out: string]>> = {
      'that says nothing more': [{ SendStreamingMessage: [...events, { stall: true }] }, 'one\n'],
      'that said a message': [{ SendStreamingMessage: [{ event: { message: says('hi') } }, { stall: true }] }, 'hi\n'],
      'that keeps itself alive': [
        {
          async *SendStreamingMessage() {
            yield* events;
            for (;;) {
              yield { raw: ': alive\n\n' };
              yield { delay: 10 };
            }
          },
        },
        'one\n',
      ],
      'that says no answer': [{ SendStreamingMessage: [events[0]!, events[2]!, { stall: true }], GetTask: [{ json: {} }] }, ''],
    };
    for (const [title, [script, wanted]] of Object.entries(lasting)) {
      test(title, async () => {
        let out = '';
        const { stdout, stderr } = process;
        const own = [stdout, stderr].map(stream => stream.write);
        stdout.write = text => (out += String(text)) !== undefined;
        stderr.write = () => true;
        try {
          assert.equal((await sent(script, { linger: 50, lingerMessage: 50 }, {})).outcome, 0);
        } finally {
          [stdout.write, stderr.write] = own as [typeof stdout.write, typeof stderr.write];
        }
        assert.equal(out, wanted);
      });
    }
  });

  suite('a state that says nothing', () => {
    const limited = async (script: Script, values: Values = {}, streaming = false): Promise<unknown> => {
      const agent = await open.agent(script);
      return inTerminalContext(
        terminalOf({ raw: true, ...values }),
        agent.url,
        (context, limit) => context.send({ ...message, streaming }, { limit }),
        { unknownWaits: { foreign: 50, unspecified: 50 } },
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
