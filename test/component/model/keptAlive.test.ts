import * as assert from 'node:assert/strict';
import type { Script, Step } from '../../../src/mock/script.ts';
import type { AgentContext } from '../../../src/model/contexts/agentContext.ts';
import { fast, says, startWorld, status, task, taskOf, until, word, type World } from '../../support/model/world.ts';

const go = { parts: [{ text: 'Go' }], target: 'new-task' } as const;
/** Longer than any test. */
const long = 600_000;
const stream: Step = { status: 200, headers: { 'content-type': 'text/event-stream' } };

suite('a stream of comments', () => {
  let world: World;
  let context: AgentContext;
  teardown(() => world.close());
  const begin = async (script: Script, timing: Partial<typeof fast>, answerTimeoutMs?: number): Promise<void> => {
    world = await startWorld({ version: '1.0', script });
    const window = world.open({ timing: { ...fast, linger: long, silence: long, keptAlive: long, ...timing } });
    if (answerTimeoutMs !== undefined) window.agents.configure({ Ann: { url: world.agent.url, answerTimeoutMs } });
    context = window.contexts.create('Ann');
  };
  const asked = (operation = 'GetTask'): number => world.agent.requests.filter(request => request.operation === operation).length;

  /** These steps, then a comment again and again until the stream is closed or something `isSo`. */
  const comments = (isSo: () => boolean, ...steps: readonly Step[]) =>
    async function* ({ signal }: { readonly signal: AbortSignal }): AsyncGenerator<Step> {
      yield* steps;
      for (; !signal.aborted && !isSo(); ) {
        yield { raw: ': ping\n\n' };
        yield { delay: 2 };
      }
    };
  const never = (): boolean => false;

  test('alone is no answer: the wait has an end, and so has the stream', async () => {
    await begin({ SendStreamingMessage: comments(never, stream) }, { keptAlive: 60 });
    const { problem, delivery } = await context.send(go).done;
    assert.deepEqual([problem?.code, delivery], ['only-kept-alive', 'sent']);
    assert.equal(problem?.message, 'The agent has sent only keep-alive comments for 0.06 seconds.');
    assert.match(problem.nextStep?.template ?? '', /"answerTimeoutMs"/);
    assert.deepEqual(context.entries().items.map(word), ['I: Go (sent)', 'problem only-kept-alive']);
    await until(() => world.agent.requests.find(({ operation }) => operation === 'SendStreamingMessage')!.signal.aborted);
  });

  test('has the time that the settings of the agent give it', async () => {
    await begin({ SendStreamingMessage: comments(never, stream) }, {}, 1_500);
    const { problem } = await context.send(go).done;
    assert.equal(problem?.message, 'The agent has sent only keep-alive comments for 1.5 seconds.');
  });

  test('is told from an agent that has not begun to send anything', async () => {
    const late = Promise.withResolvers<void>();
    await begin(
      {
        async *SendStreamingMessage() {
          yield stream;
          yield { raw: '' };
          await late.promise;
          yield task('COMPLETED');
        },
      },
      { keptAlive: 5, quiet: 100 },
    );
    const run = context.send(go);
    await until(() => context.connection?.kind === 'quiet' && run.lastReceivedAt !== undefined);
    late.resolve();
    assert.equal((await run.done).problem, undefined);
  });

  test('goes on while the agent says that the task does', async () => {
    const script = (): Script => ({
      async *SendStreamingMessage(request) {
        yield* comments(() => asked() === 4, task('WORKING'))(request);
        yield status('COMPLETED');
      },
      GetTask: [{ answer: taskOf('WORKING') }],
    });
    await begin(script(), { keptAlive: 30 });
    const { problem, task: told } = await context.send(go).done;
    assert.deepEqual([problem, told?.status.state, asked()], [undefined, 'TASK_STATE_COMPLETED', 4]);
  });

  test('of a task that the agent cannot be asked about ends, and both is said', async () => {
    await begin(
      { SendStreamingMessage: comments(never, task('WORKING')), GetTask: [{ error: { code: -32601, message: 'Method not found' } }] },
      { keptAlive: 60 },
    );
    const { problem } = await context.send(go).done;
    assert.equal(problem?.code, 'stream-ended');
    assert.match(problem.message, /only keep-alive comments for 0\.06 seconds.*Method not found/);
  });

  test('does not keep the agent from being asked: a subscription ends with the task', async () => {
    await begin(
      {
        SubscribeToTask: comments(never, stream),
        GetTask: () => [{ answer: asked() < 3 ? taskOf('WORKING') : taskOf('COMPLETED', {}, says('m', 'Done')) }],
      },
      { silence: 30, linger: 30 },
    );
    const { problem, task: told } = await context.subscribeTask('t').done;
    assert.deepEqual([problem, told?.status.state, asked('SubscribeToTask')], [undefined, 'TASK_STATE_COMPLETED', 1]);
  });

  test('in answer to a raw body is a sign of life, and has an end', async () => {
    await begin({ SendStreamingMessage: comments(never, stream) }, {}, 1_500);
    const params = { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'Go' }] } };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendStreamingMessage', params });
    let signs = 0;
    const read = async (): Promise<void> => {
      for await (const { events } of context.sendRaw(body, undefined, undefined, () => signs++)) assert.deepEqual(events, []);
    };
    await assert.rejects(read(), { code: 'only-kept-alive' });
    assert.ok(signs > 2);
  });

  test('and an answer of which only blanks come has an end, too', async () => {
    await begin(
      {
        async *SendMessage({ signal }) {
          yield { status: 200, headers: { 'content-type': 'application/json' } };
          for (; !signal.aborted; ) {
            yield { raw: ' ' };
            yield { delay: 2 };
          }
        },
      },
      { keptAlive: 60 },
    );
    assert.equal((await context.send({ ...go, streaming: false }).done).problem?.code, 'only-kept-alive');
  });
});
