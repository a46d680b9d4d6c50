import * as assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { minimalCard } from '../../../src/mock/minimalCard.ts';
import type { Script, Step } from '../../../src/mock/script.ts';
import type { AgentContext } from '../../../src/model/contexts/agentContext.ts';
import { chunk, first, startWorld, status, task, taskOf, until, word, type Window, type World } from '../../support/model/world.ts';

const KiB = 1024;
/** What is kept of one task here. */
const most = 256 * KiB;
const piece = 'x'.repeat(8 * KiB);

async function* endless(...begins: readonly Step[]): AsyncGenerator<Step> {
  yield* begins;
  for (let index = 0; ; index++) {
    yield chunk(`${index} ${piece}`);
    yield { delay: 1 };
  }
}

async function* repeated(step: Step, ...begins: readonly Step[]): AsyncGenerator<Step> {
  yield* begins;
  for (;;) {
    yield step;
    yield { delay: 1 };
  }
}

suite('what is kept of one task', () => {
  let world: World | undefined;
  let window: Window;
  teardown(() => world?.close());

  async function begin(script: Script, options: Partial<Parameters<typeof startWorld>[0]> = {}, limit = most): Promise<AgentContext> {
    world = await startWorld({ version: '1.0', script, ...options });
    window = world.open({ maxTaskBytes: () => limit });
    return window.contexts.create('Ann');
  }
  const go = (context: AgentContext): ReturnType<AgentContext['send']> => context.send({ parts: [{ text: 'go' }], target: 'new-task' });
  const words = (context: AgentContext): string[] =>
    context
      .entries({ limit: 200 })
      .items.map(word)
      .map(one => (one.length > 60 ? one.slice(0, 20) : one));
  const problems = (context: AgentContext): string[] => words(context).filter(one => one.startsWith('problem'));
  const asked = (): number => world!.agent.requests.filter(({ operation }) => operation !== undefined).length;
  const left = (): Promise<void> => until(() => world!.agent.requests.every(({ signal }) => signal.aborted));

  test('a stream without end is left at the bound, with what came before, and says why once', async () => {
    const context = await begin({
      SendStreamingMessage: () => endless(task('WORKING'), chunk('boat', first)),
      SubscribeToTask: () => endless(task('WORKING')),
    });
    const told = await go(context).done;
    assert.equal(told.problem?.code, 'task-too-large');
    assert.match(told.problem?.message ?? '', /0\.25 MiB/);
    await left();
    assert.deepEqual(problems(context), ['problem task-too-large']);
    const text = JSON.stringify(context.task('t')?.artifacts);
    assert.ok(text.length > most / 2 && text.length < 2 * most, `${text.length}`);
    assert.deepEqual([context.running, context.isActive, context.connectionOf('t')?.kind, asked()], [false, false, 'full', 1]);
    // Whoever opens the window again, or asks to listen, is told no second time; the chat goes on in another task.
    context.tryNow('t');
    await context.subscribeTask('t').done;
    window.close();
    window = world!.open({ maxTaskBytes: () => most });
    window.contexts.resume();
    const again = window.contexts.get(context.key)!;
    await again.subscribeTask('t').done;
    assert.deepEqual([problems(again), asked(), again.connectionOf('t')?.kind], [['problem task-too-large'], 1, 'full']);
    assert.equal(JSON.stringify(again.task('t')?.artifacts), text);
    assert.throws(() => again.send({ parts: [{ text: 'more' }], target: { taskId: 't' } }), { code: 'task-too-large' });
    assert.deepEqual(window.errors, []);
  });

  test('with a higher bound the same task is listened to again, and a message goes into it', async () => {
    const context = await begin({
      SendStreamingMessage: ({ params }) =>
        params?.message.taskId === undefined ? endless(task('WORKING'), chunk('boat', first)) : [task('COMPLETED')],
      GetTask: [{ answer: taskOf('WORKING') }],
      SubscribeToTask: [task('WORKING'), status('INPUT_REQUIRED')],
    });
    assert.equal((await go(context).done).problem?.code, 'task-too-large');
    window.close();
    window = world!.open({ maxTaskBytes: () => 2 * most });
    const again = window.contexts.get(context.key)!;
    assert.equal(again.connectionOf('t')?.kind, 'none');
    assert.equal((await again.subscribeTask('t').done).problem, undefined);
    assert.equal(
      (await again.send({ parts: [{ text: 'more' }], target: { taskId: 't' } }).done).task?.status.state,
      'TASK_STATE_COMPLETED',
    );
  });

  test('without a bound everything is kept', async () => {
    const pieces = Array.from({ length: 64 }, (_, index) => chunk(`${index} ${piece}`));
    const context = await begin(
      { SendStreamingMessage: [task('WORKING'), chunk('boat', first), ...pieces, status('COMPLETED')] },
      {},
      Infinity,
    );
    assert.equal((await go(context).done).problem, undefined);
    assert.ok(JSON.stringify(context.task('t')?.artifacts).length > 2 * most);
  });

  const rubbish: Readonly<Record<string, Step>> = {
    'events that are no A2A': { raw: `data: {"jsonrpc":"2.0","id":1,"result":{"nothing":"${piece}"}}\n\n` },
    comments: { raw: `: ${piece}\n\n` },
    'events without an end of their lines': { raw: `data: ${piece}` },
  };
  for (const [what, step] of Object.entries(rubbish)) {
    test(`${what} count, in a stream that has named its task`, async () => {
      const context = await begin({ SendStreamingMessage: () => repeated(step, task('WORKING')) });
      const told = await go(context).done;
      assert.equal(told.problem?.code, 'task-too-large');
      await left();
      assert.deepEqual(problems(context), ['problem task-too-large']);
    });

    test(`${what} count, in a stream that never names one`, async () => {
      const context = await begin({
        SendStreamingMessage: () =>
          repeated(step, { status: 200, headers: { 'content-type': 'text/event-stream' } }, { raw: ': here\n\n' }),
      });
      const told = await go(context).done;
      assert.equal(told.problem?.code, 'task-too-large');
      await left();
      assert.deepEqual([problems(context).length, asked()], [1, 1]);
    });
  }

  test('messages of a WebSocket that are no A2A count', async () => {
    const card = (url: string): object => ({
      ...minimalCard(url, 'task-rest'),
      capabilities: { streaming: false, pushNotifications: true },
      schema: { input: { type: 'object', properties: { amount: { type: 'number' } }, required: ['amount'] } },
    });
    const context = await begin(
      {
        SubscribeToTask: () => repeated({ raw: piece }),
        SendStreamingMessage: ({ params }) => [status('WORKING', undefined, params!.message.taskId), { delay: 100_000 }],
      },
      { version: 'task-rest', card },
    );
    assert.equal((await context.send({ parts: [{ text: '{"amount": 1}' }], target: 'new-task' }).done).problem?.code, 'task-too-large');
    assert.equal(problems(context).length, 1);
  });

  test('all streams of a task count together', async () => {
    let streams = 0;
    const part = (): Step[] => {
      streams++;
      return [task('WORKING'), ...Array.from({ length: 8 }, () => chunk(piece, streams === 1 ? first : {}))];
    };
    const context = await begin({ SendStreamingMessage: part, SubscribeToTask: part, GetTask: [{ answer: taskOf('WORKING') }] });
    assert.equal((await go(context).done).problem?.code, 'task-too-large');
    assert.ok(streams >= 3 && streams <= 5, `${streams}`);
    assert.equal(problems(context).length, 1);
  });

  /** What the history takes on the disk, in bytes. */
  function size(): number {
    const folder = dirname(world!.path);
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
  }

  test('a large task that is polled is kept once, and each poll can be opened', async () => {
    let polls = 0;
    const large = 'y'.repeat(1024 * KiB);
    const artifacts = [{ artifactId: 'a', parts: [{ text: large }] }];
    const context = await begin(
      {
        SendMessage: [{ answer: { task: taskOf('WORKING', { artifacts }) } }],
        GetTask: () => [{ answer: taskOf(++polls < 30 ? 'WORKING' : 'COMPLETED', { artifacts }) }],
      },
      {},
      4 * 1024 * KiB,
    );
    const before = size();
    const told = await context.send({ parts: [{ text: 'go' }], target: 'new-task', streaming: false }).done;
    assert.deepEqual([told.problem?.code, told.task?.status.state, polls], [undefined, 'TASK_STATE_COMPLETED', 30]);
    const { items } = context.exchanges({ limit: 200 });
    const asking = items.filter(({ operation }) => operation === 'GetTask');
    assert.equal(asking.length, polls);
    assert.ok(asking.every(({ id }) => (context.exchange(id)?.exchange.response?.body ?? '').includes(large)));
    assert.ok(size() - before < 12 * large.length, `${size() - before} bytes for ${polls} polls of ${large.length}`);
  });

  test('a task that is another with each poll comes to its bound', async () => {
    let polls = 0;
    const other = (): Step[] => [
      { answer: taskOf('WORKING', { artifacts: [{ artifactId: 'a', parts: [{ text: `${polls++} ${'z'.repeat(64 * KiB)}` }] }] }) },
    ];
    const context = await begin({ SendMessage: [{ answer: { task: taskOf('WORKING') } }], GetTask: other });
    const told = await context.send({ parts: [{ text: 'go' }], target: 'new-task', streaming: false }).done;
    assert.equal(told.problem?.code, 'task-too-large');
    assert.ok(polls >= 4 && polls <= 6, `${polls}`);
    assert.ok(JSON.stringify(context.task('t')?.artifacts).includes(`${polls - 1} zzz`));
  });
});
