import * as assert from 'node:assert/strict';
import type { ReceivedRequest, Script } from '../../../src/mock/script.ts';
import { plainCard } from '../../../src/mock/plainCard.ts';
import type { AgentContext } from '../../../src/model/agentContext.ts';
import type { SendOptions } from '../../../src/model/sendOptions.ts';
import type { Task } from '../../../src/protocol/task.ts';
import { Problem } from '../../../src/protocol/problem.ts';
import { chunk, fast, first, panelOf, says, startWorld, status, task, taskOf, until, word, type Window, type World } from '../../unit/model/support/world.ts';

const text = (words: string, target: SendOptions['target'] = 'new-task'): SendOptions => ({ parts: [{ text: words }], target });

/** A connection that breaks when what was written before has arrived. */
const cut = [{ delay: 15 }, { reset: true }] as const;

/** The artifact of a task, in chunks. */
const made = (...words: readonly string[]): Pick<Task, 'artifacts'> => ({ artifacts: [{ artifactId: 'a', parts: words.map(one => ({ text: one })) }] });

/** A promise and its key. */
function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}

suite('AgentContext', () => {
  let world: World;
  let window: Window;
  let context: AgentContext;
  /** Requests of tests before this one. */
  let earlier: number;
  /** One for each generation, as opening a history takes longer than most of these tests; each test has a context of its own. */
  const shared = new Map<string, { readonly world: World; readonly window: Window; readonly script: Record<string, unknown> }>();

  async function begin(script: Script, { generation = '1.0', alone = false, card }: {
    generation?: string; alone?: boolean; card?: (url: string) => unknown;
  } = {}): Promise<void> {
    let place = shared.get(alone || card !== undefined ? '' : generation);
    if (place === undefined) {
      const played = {};
      const started = await startWorld({ generation, script: played, card });
      place = { world: started, window: started.open(), script: played };
      if (!alone && card === undefined) shared.set(generation, place);
    }
    for (const operation of Object.keys(place.script)) delete place.script[operation];
    Object.assign(place.script, script);
    ({ world, window } = place);
    earlier = world.agent.requests.length;
    context = window.contexts.create('Ann');
  }
  teardown(async () => {
    const { errors } = window;
    if (![...shared.values()].some(place => place.world === world)) await world.close();
    assert.deepEqual(errors, []);
  });
  suiteTeardown(async () => {
    for (const place of shared.values()) await place.world.close();
  });
  const requests = (): readonly ReceivedRequest[] => world.agent.requests.slice(earlier);
  const asked = (operation: string): number => requests().filter(request => request.operation === operation).length;
  const sends = (): number => asked('SendMessage') + asked('SendStreamingMessage');
  const transcript = (): string[] => context.entries({ limit: 200 }).items.map(word);

  test('a task that is over and begins again all the same is followed, with a finding', async () => {
    await begin({ SendStreamingMessage: ({ params }) => [task('WORKING'), status(params?.message.taskId === undefined ? 'COMPLETED' : 'FAILED')] });
    await context.send(text('Go')).done;
    const { task: again, findings } = await context.send(text('Go on', { taskId: 't' })).done;
    assert.equal(again?.status.state, 'TASK_STATE_FAILED');
    assert.deepEqual(findings.map(({ rule }) => rule), ['CORE-02']);
    assert.deepEqual(context.deviantExchanges().flatMap(exchange => exchange.findings.map(({ rule }) => rule)), ['CORE-02']);
  });

  test('what deviates is told when it is written down, on its exchange, and outlives the window', async () => {
    await begin({ SendStreamingMessage: [task('COMPLETED'), chunk('late', first)] });
    const told: number[] = [];
    context.onDidFind(() => told.push(context.deviantExchanges().length));
    const run = context.send(text('hi'));
    const { exchangeIds } = await run.done;
    await until(() => told.length > 0);
    assert.equal(told.at(-1), 1);
    const [deviant] = window.contexts.get(context.key)!.deviantExchanges();
    assert.deepEqual([deviant?.exchangeId, deviant?.operation, deviant?.findings.map(({ rule }) => rule)], [exchangeIds[0], 'SendStreamingMessage', ['STRM-03']]);
    const other = window.contexts.create('Ann');
    assert.equal(context.exchange(exchangeIds[0]!)?.exchange.id, exchangeIds[0]);
    assert.deepEqual([other.exchange(exchangeIds[0]!), other.deviantExchanges()], [undefined, []]);
  });

  interface Case {
    readonly name: string;
    readonly script: Script;
    readonly options?: Partial<SendOptions>;
    readonly transcript: readonly string[];
    readonly state?: string;
    readonly problem?: string;
    readonly delivery?: string;
  }

  const cases: readonly Case[] = [
    { name: 'a message and no task', script: { SendStreamingMessage: [{ event: { message: says('m', 'Hello') } }] },
      transcript: ['I: hi (sent)', 'agent: Hello'] },
    { name: 'a message and no task, without streaming', options: { streaming: false }, script: { SendMessage: [{ answer: { message: says('m', 'Hello') } }] },
      transcript: ['I: hi (sent)', 'agent: Hello'] },
    { name: 'a message whose stream stays open', script: { SendStreamingMessage: [{ event: { message: says('m', 'Hello') } }, { stall: true }] },
      transcript: ['I: hi (sent)', 'agent: Hello'] },
    { name: 'a task that streams', script: { SendStreamingMessage: [task('SUBMITTED'), status('WORKING', says('w')), chunk('x', first), chunk('y'), chunk('z', { append: true, lastChunk: true }), status('COMPLETED')] },
      transcript: ['I: hi (sent)', 'submitted', 'working: w', 'a=xyz.', 'completed'], state: 'COMPLETED' },
    { name: 'a task at once', options: { streaming: false }, script: { SendMessage: [{ answer: { task: taskOf('COMPLETED', { artifacts: [{ artifactId: 'a', parts: [{ text: 'x' }] }] }) } }] },
      transcript: ['I: hi (sent)', 'a=x.', 'completed'], state: 'COMPLETED' },
    { name: 'a message, then a task', script: { SendStreamingMessage: [{ event: { message: says('m', 'Wait') } }, task('WORKING'), status('COMPLETED')] },
      transcript: ['I: hi (sent)', 'agent: Wait', 'working', 'completed'], state: 'COMPLETED' },
    { name: 'updates before any task', script: { SendStreamingMessage: [status('WORKING'), chunk('x', first), status('COMPLETED')] },
      transcript: ['I: hi (sent)', 'working', 'a=x.', 'completed'], state: 'COMPLETED' },
    { name: 'a task that waits, and a stream that stays open', script: { SendStreamingMessage: [task('WORKING'), status('INPUT_REQUIRED', says('q', 'Which?')), { stall: true }] },
      transcript: ['I: hi (sent)', 'working', 'input_required: Which?'], state: 'INPUT_REQUIRED' },
    { name: 'an error instead of an answer', script: { SendStreamingMessage: [{ error: { code: -32602, message: 'No.' } }] },
      transcript: ['I: hi (refused)', 'problem agent-error'], problem: 'agent-error', delivery: 'refused' },
    { name: 'HTTP 500 instead of an answer', script: { SendStreamingMessage: [{ status: 500 }, { html: '<h1>Oops</h1>' }] },
      transcript: ['I: hi (refused)', 'problem http-error'], problem: 'http-error', delivery: 'refused' },
    { name: 'a stream without any event', script: { SendStreamingMessage: [{ raw: ': nothing\n\n' }] },
      transcript: ['I: hi (sent)', 'problem empty-answer'], problem: 'empty-answer', delivery: 'sent' },
    { name: 'a connection that breaks before the answer', script: { SendStreamingMessage: [{ reset: true }] },
      transcript: ['I: hi (unknown)', 'problem connection-lost'], problem: 'connection-lost', delivery: 'unknown' },
    { name: 'a stream that is cut, and a task that is over meanwhile',
      script: { SendStreamingMessage: [task('WORKING'), chunk('x', first), ...cut], GetTask: [{ answer: taskOf('COMPLETED', { artifacts: [{ artifactId: 'a', parts: [{ text: 'x' }, { text: 'y' }] }] }) }] },
      transcript: ['I: hi (sent)', 'working', 'a=xy.', 'gap', 'completed'], state: 'COMPLETED' },
    { name: 'a stream that ends early, and a task that goes on',
      script: {
        SendStreamingMessage: [task('WORKING'), chunk('x', first)],
        GetTask: [{ answer: taskOf('WORKING', { artifacts: [{ artifactId: 'a', parts: [{ text: 'x' }] }] }) }],
        SubscribeToTask: [task('WORKING', { artifacts: [{ artifactId: 'a', parts: [{ text: 'x' }, { text: 'y' }] }] }), chunk('z'), { event: { task: taskOf('COMPLETED', { artifacts: [{ artifactId: 'a', parts: [{ text: 'x' }, { text: 'y' }, { text: 'z' }] }] }) } }],
      },
      transcript: ['I: hi (sent)', 'working', 'a=xyz.', 'gap', 'completed'], state: 'COMPLETED' },
    { name: 'a stream that ends early in a task that waits', script: { SendStreamingMessage: [task('WORKING')], GetTask: [{ answer: taskOf('INPUT_REQUIRED', {}, says('q', 'Which?')) }] },
      transcript: ['I: hi (sent)', 'working', 'input_required: Which?'], state: 'INPUT_REQUIRED' },
    { name: 'an error in the middle, and a task that failed', script: { SendStreamingMessage: [task('WORKING'), { error: { code: -32603, message: 'Oh' } }], GetTask: [{ answer: taskOf('FAILED') }] },
      transcript: ['I: hi (sent)', 'working', 'problem agent-error', 'failed'], state: 'FAILED', problem: 'agent-error' },
    { name: 'a task that is gone after a cut', script: { SendStreamingMessage: [task('WORKING'), ...cut], GetTask: [{ error: { code: -32001, message: 'Which task?' } }] },
      transcript: ['I: hi (sent)', 'working', 'gap', 'problem agent-error'], state: 'WORKING', problem: 'agent-error' },
    { name: 'an artifact after the end', script: { SendStreamingMessage: [task('COMPLETED'), chunk('x', first)], GetTask: [{ answer: taskOf('COMPLETED', { artifacts: [{ artifactId: 'a', parts: [{ text: 'x' }] }] }) }] },
      transcript: ['I: hi (sent)', 'completed', 'a=x.'], state: 'COMPLETED' },
    { name: 'a word of another task in the middle', script: { SendStreamingMessage: [task('WORKING'), { delay: 10 }, status('FAILED', undefined, 'another'), status('COMPLETED')], GetTask: [{ answer: taskOf('COMPLETED') }] },
      transcript: ['I: hi (sent)', 'working', 'completed'], state: 'COMPLETED' },
    { name: 'a subscription without a snapshot, and words before it began',
      script: {
        SendStreamingMessage: [task('WORKING'), chunk('x', first)],
        GetTask: () => [{ answer: requests().some(({ operation }) => operation === 'SubscribeToTask') ? taskOf('COMPLETED', made('x', 'y', 'z')) : taskOf('WORKING', made('x')) }],
        SubscribeToTask: [chunk('z'), status('COMPLETED')],
      },
      transcript: ['I: hi (sent)', 'working', 'a=xyz.', 'gap', 'completed'], state: 'COMPLETED' },
    { name: 'a connection that breaks after the end', script: { SendStreamingMessage: [task('WORKING'), chunk('x', first), status('COMPLETED'), ...cut] },
      transcript: ['I: hi (sent)', 'working', 'a=x.', 'completed'], state: 'COMPLETED' },
    { name: 'a connection that breaks after a question', script: { SendStreamingMessage: [task('WORKING'), status('INPUT_REQUIRED', says('q', 'Which?')), ...cut] },
      transcript: ['I: hi (sent)', 'working', 'input_required: Which?'], state: 'INPUT_REQUIRED' },
    { name: 'a connection that breaks after a message', script: { SendStreamingMessage: [{ event: { message: says('m', 'Hello') } }, ...cut] },
      transcript: ['I: hi (sent)', 'agent: Hello'] },
    { name: 'a chunk that comes twice', script: {
      SendStreamingMessage: [task('WORKING'), chunk('x', first), chunk('y'), chunk('y'), status('COMPLETED')], GetTask: [{ answer: taskOf('COMPLETED', made('x', 'y')) }],
    }, transcript: ['I: hi (sent)', 'working', 'a=xy.', 'completed'], state: 'COMPLETED' },
    { name: 'chunks in the wrong order', script: {
      SendStreamingMessage: [task('WORKING'), chunk('x', first), chunk('z', { append: true, lastChunk: true }), chunk('y'), status('COMPLETED')],
      GetTask: [{ answer: taskOf('COMPLETED', made('x', 'y', 'z')) }],
    }, transcript: ['I: hi (sent)', 'working', 'a=xyz.', 'completed'], state: 'COMPLETED' },
    { name: 'a chunk twice from an agent that cannot be asked', script: { SendStreamingMessage: [task('WORKING'), chunk('x', first), chunk('y'), chunk('y'), status('COMPLETED')] },
      transcript: ['I: hi (sent)', 'working', 'a=xyy.', 'completed'], state: 'COMPLETED' },
    { name: 'chunks without ids', script: { SendStreamingMessage: [{ event: { statusUpdate: { taskId: '', status: { state: 'TASK_STATE_COMPLETED' } } } }] },
      transcript: ['I: hi (sent)', 'completed'], state: 'COMPLETED' },
  ];
  for (const generation of ['1.0', '0.3']) {
    for (const one of cases) {
      test(`${one.name} (${generation})`, async () => {
        await begin(one.script, { generation });
        const panel = panelOf(context);
        const run = context.send({ ...text('hi'), ...one.options });
        assert.equal(context.running, true);
        const result = await run.done;
        // What stays open is read on for a while.
        await until(() => run.over);
        assert.deepEqual(transcript(), one.transcript);
        assert.deepEqual(panel.entries(), context.entries({ limit: 200 }).items);
        assert.equal(result.task?.status.state, one.state === undefined ? undefined : `TASK_STATE_${one.state}`);
        assert.equal(result.problem?.code, one.problem);
        assert.equal(result.delivery, one.delivery ?? 'sent');
        assert.equal(sends(), 1);
        assert.equal(context.running, false);
        for (const id of result.exchangeIds) assert.notEqual(window.contexts.exchange(id), undefined);
      });
    }
  }

  test('an agent that is not there', async () => {
    await begin({}, { alone: true });
    await world.agent.stop();
    const result = await context.send(text('hi')).done;
    assert.deepEqual(transcript(), ['I: hi (refused)', 'problem unreachable']);
    assert.equal(result.delivery, 'refused');
    assert.equal(window.agents.get('Ann')?.reachability, 'unreachable');
    await world.agent.start();
  });

  test('an agent that stopped after its card was read', async () => {
    await begin({ SendStreamingMessage: [task('COMPLETED')] }, { alone: true });
    await window.agents.get('Ann')?.connect();
    const port = Number(new URL(world.agent.url).port);
    await world.agent.stop();
    await context.send(text('hi')).done;
    assert.deepEqual(transcript(), ['I: hi (refused)', 'problem unreachable']);
    assert.equal(window.agents.get('Ann')?.reachability, 'unreachable');
    await world.agent.start(port);
    const [entry] = context.entries().items;
    await context.sendAgain(entry!.seq).done;
    assert.deepEqual(transcript(), ['I: hi (refused)', 'problem unreachable', 'I: hi (sent)', 'completed']);
    assert.equal(window.agents.get('Ann')?.reachability, 'reachable');
  });

  test('an answer goes into the task that waits, the next message into a new one', async () => {
    let turn = 0;
    await begin({
      SendStreamingMessage: ({ params }) => {
        turn++;
        if (turn === 1) return [task('WORKING'), status('INPUT_REQUIRED', says('q', 'Which colour?'))];
        if (turn === 2) return [task('INPUT_REQUIRED', { history: [params!.message] }, says('q', 'Which colour?')), { delay: 20 }, status('WORKING'), status('COMPLETED')];
        return [{ event: { task: { ...taskOf('COMPLETED'), id: 'u' } } }];
      },
    });
    assert.throws(() => context.send(text('?', 'waiting-task')), { code: 'no-waiting-task' });
    await context.send(text('Draw')).done;
    assert.equal(context.waitingTask?.taskId, 't');
    assert.equal(window.contexts.page({ agent: 'Ann' }).items[0]?.waiting, 1);
    await context.send(text('Red', 'waiting-task')).done;
    assert.equal(context.waitingTask, undefined);
    assert.equal(window.contexts.page({ agent: 'Ann' }).items[0]?.waiting, 0);
    await context.send({ ...text('Bigger'), referenceTaskIds: ['t'] }).done;
    assert.deepEqual(transcript(), [
      'I: Draw (sent)', 'working', 'input_required: Which colour?', 'I: Red (sent)', 'working', 'completed', 'I: Bigger (sent)', 'completed',
    ]);
    const messages = requests().flatMap(({ params }) => (params !== undefined && 'message' in params ? [params.message] : []));
    assert.deepEqual(messages.map(({ contextId, taskId, referenceTaskIds }) => ({ contextId, taskId, referenceTaskIds })), [
      { contextId: undefined, taskId: undefined, referenceTaskIds: undefined },
      { contextId: 'c', taskId: 't', referenceTaskIds: undefined },
      { contextId: 'c', taskId: undefined, referenceTaskIds: ['t'] },
    ]);
    assert.equal(new Set(messages.map(({ messageId }) => messageId)).size, 3);
    assert.deepEqual(context.tasks().map(one => [one.taskId, one.title]), [['u', 'Bigger'], ['t', 'Draw']]);
  });

  test('an answer to a task whose stream is still open is not heard twice', async () => {
    const answered = gate();
    let turn = 0;
    await begin({
      async *SendStreamingMessage () {
        const isFirst = ++turn === 1;
        if (isFirst) {
          yield task('WORKING');
          yield status('INPUT_REQUIRED', says('q', 'Which?'));
          await answered.opened;
        } else answered.open();
        // Everybody who listens to the task hears this.
        yield status('WORKING');
        yield chunk('x', first);
        yield { delay: 10 };
        yield chunk('y');
        yield { delay: 10 };
        yield status('COMPLETED');
      },
    });
    await context.send(text('Draw')).done;
    const run = context.send(text('Red', 'waiting-task'));
    await run.done;
    await until(() => run.over);
    assert.deepEqual(transcript(), ['I: Draw (sent)', 'working', 'input_required: Which?', 'I: Red (sent)', 'working', 'a=xy.', 'completed']);
    assert.equal(sends(), 2);
  });

  test('the message is on the disk before it is sent', async () => {
    let found: unknown;
    await begin({
      SendStreamingMessage: ({ params }) => {
        found = window.store.transcript.entries({ context: context.key }).map(word);
        assert.ok(params);
        return [task('COMPLETED')];
      },
    });
    await context.send(text('hi')).done;
    assert.deepEqual(found, ['I: hi (sending)']);
  });

  test('what is told is on the disk already', async () => {
    await begin({ SendStreamingMessage: [task('WORKING'), chunk('x', first), { delay: 10 }, chunk('y'), { delay: 10 }, chunk('z'), status('COMPLETED')] });
    const other = world.open();
    const late: string[] = [];
    context.onDidUpdate(updates => {
      for (const update of updates) {
        if (update.type !== 'put') continue;
        if (other.store.transcript.entry(update.entry.seq) === undefined) late.push(word(update.entry));
      }
    });
    await context.send(text('hi')).done;
    assert.deepEqual(late, []);
  });

  test('after a cut the task equals what GetTask says, however the chunks were cut', async () => {
    const chunks = Array.from({ length: 40 }, (_, index) => `${index} `);
    const artifacts = [{ artifactId: 'a', parts: chunks.map(words => ({ text: words })) }];
    for (const cutAt of [1, 7, 39]) {
      await begin({
        SendStreamingMessage: [task('WORKING'), ...chunks.slice(0, cutAt).map((words, index) => chunk(words, { append: index > 0 })), ...cut],
        GetTask: [{ answer: taskOf('COMPLETED', { artifacts }) }],
      });
      const panel = panelOf(context);
      const { task: result } = await context.send(text('hi')).done;
      assert.deepEqual(result?.artifacts, artifacts);
      assert.deepEqual(context.task('t')?.artifacts, artifacts);
      assert.equal(sends(), 1);
      assert.deepEqual(panel.entries().map(word), ['I: hi (sent)', 'working', `a=${chunks.join('')}.`, 'gap', 'completed']);
    }
  });

  test('two cuts in a row are one gap, and the stream is taken up again each time', async () => {
    let cuts = 0;
    await begin({
      SendStreamingMessage: [task('WORKING'), ...cut],
      GetTask: () => [{ answer: taskOf(cuts < 3 ? 'WORKING' : 'COMPLETED') }],
      SubscribeToTask: () => [{ event: { task: taskOf('WORKING') } }, ...(++cuts < 3 ? cut : [status('COMPLETED')])],
    });
    await context.send(text('hi')).done;
    assert.deepEqual(transcript(), ['I: hi (sent)', 'working', 'gap', 'completed']);
    assert.equal(asked('SubscribeToTask'), 3);
    assert.equal(sends(), 1);
  });

  test('a subscription that is cut while the agent speaks is a gap of its own', async () => {
    let cuts = 0;
    const now = (): Task => (cuts === 0 ? taskOf('WORKING') : taskOf('WORKING', {}, says(`w${cuts}`)));
    await begin({
      SendStreamingMessage: [task('WORKING'), ...cut],
      GetTask: () => [{ answer: cuts < 2 ? now() : taskOf('COMPLETED') }],
      SubscribeToTask: () => [{ event: { task: now() } }, status('WORKING', says(`w${++cuts}`)), ...(cuts < 2 ? cut : [status('COMPLETED')])],
    });
    await context.send(text('hi')).done;
    assert.deepEqual(transcript(), ['I: hi (sent)', 'working', 'gap', 'working: w1', 'gap', 'working: w2', 'completed']);
  });

  test('a stream that is dead while the agent works is left for another one', async () => {
    let asks = 0;
    await begin({
      SendStreamingMessage: [task('WORKING'), chunk('x', first), { stall: true }],
      GetTask: () => [{ answer: ++asks < 2 ? taskOf('WORKING', made('x')) : taskOf('WORKING', made('x', 'y')) }],
      SubscribeToTask: [{ event: { task: taskOf('WORKING', made('x', 'y')) } }, chunk('z'), status('COMPLETED')],
    }, { alone: true });
    window = world.open({ timing: { ...fast, silence: 30 } });
    context = window.contexts.create('Ann');
    const run = context.send(text('hi'));
    await until(() => asked('SubscribeToTask') === 1 && !run.running);
    assert.deepEqual(transcript(), ['I: hi (sent)', 'working', 'a=xyz.', 'gap', 'completed']);
    assert.equal(sends(), 1);
  });

  for (const generation of ['1.0', '0.3']) {
    const silent = { generation, card: (url: string) => ({ ...plainCard(url, generation), capabilities: {} }) };

    test(`an agent that does not stream is asked until the task is over (${generation})`, async () => {
      let asks = 0;
      await begin({
        SendMessage: [{ answer: { task: taskOf('WORKING') } }],
        GetTask: () => [{ answer: taskOf(++asks < 4 ? 'WORKING' : 'COMPLETED', asks < 4 ? {} : made('x')) }],
      }, silent);
      const result = await context.send(text('hi')).done;
      assert.deepEqual(transcript(), ['I: hi (sent)', 'working', 'a=x.', 'completed']);
      assert.deepEqual([result.problem, asks, sends(), asked('SubscribeToTask')], [undefined, 4, 1, 0]);
    });

    test(`an agent that does not stream is asked until the task waits, and again after the answer (${generation})`, async () => {
      let asks = 0;
      await begin({
        SendMessage: ({ params }) => [{ answer: { task: taskOf(params!.message.taskId === undefined ? 'SUBMITTED' : 'WORKING') } }],
        GetTask: () => {
          asks++;
          return [{ answer: asks < 3 ? taskOf('WORKING') : asks === 3 ? taskOf('INPUT_REQUIRED', {}, says('q', 'Which?')) : asks < 6 ? taskOf('WORKING') : taskOf('COMPLETED', made('red')) }];
        },
      }, silent);
      const first = await context.send(text('hi')).done;
      assert.deepEqual([first.problem, first.task?.status.state, asks], [undefined, 'TASK_STATE_INPUT_REQUIRED', 3]);
      // A task that waits is not asked for.
      await new Promise(resolve => setTimeout(resolve, 40));
      assert.equal(asks, 3);
      const second = await context.send(text('Red', 'waiting-task')).done;
      assert.deepEqual([second.problem, second.task?.status.state, asks, sends()], [undefined, 'TASK_STATE_COMPLETED', 6, 2]);
      assert.deepEqual(transcript(), ['I: hi (sent)', 'submitted', 'working', 'input_required: Which?', 'I: Red (sent)', 'working', 'a=red.', 'completed']);
    });

    test(`an agent that does not stream and cannot be reached for a while is asked on (${generation})`, async () => {
      let asks = 0;
      await begin({
        SendMessage: [{ answer: { task: taskOf('WORKING') } }],
        GetTask: () => (++asks < 3 ? [{ status: 503 }, { html: 'Wait' }] : asks < 5 ? [{ reset: true }] : [{ answer: taskOf('COMPLETED') }]),
      }, silent);
      const result = await context.send(text('hi')).done;
      assert.deepEqual([result.problem, asks, sends()], [undefined, 5, 1]);
      assert.deepEqual(transcript(), ['I: hi (sent)', 'working', 'completed']);
    });
  }

  test('an agent that cannot be reached any more is given up in the end', async () => {
    await begin({ SendStreamingMessage: [task('WORKING'), ...cut], GetTask: [{ reset: true }] }, { alone: true });
    window = world.open({ timing: { ...fast, giveUp: 400 } });
    context = window.contexts.create('Ann');
    const result = await context.send(text('hi')).done;
    assert.equal(result.problem?.code, 'lost-contact');
    assert.deepEqual(transcript(), ['I: hi (sent)', 'working', 'gap', 'problem lost-contact']);
    assert.ok(asked('GetTask') > 3);
    assert.equal(sends(), 1);
  });

  test('a task that is refreshed while it streams ends as the agent has it, without a word twice', async () => {
    const refreshed = gate();
    let over = false;
    await begin({
      async *SendStreamingMessage () {
        yield task('WORKING');
        yield chunk('x', first);
        await refreshed.opened;
        // On its way when the snapshot was taken.
        yield chunk('y');
        over = true;
        yield status('COMPLETED');
      },
      GetTask: () => [{ answer: taskOf(over ? 'COMPLETED' : 'WORKING', made('x', 'y')) }],
    });
    const run = context.send(text('hi'));
    await until(() => context.artifacts('t').length === 1);
    await context.refreshTask('t');
    refreshed.open();
    await run.done;
    await until(() => run.over);
    assert.deepEqual(context.task('t')?.artifacts, made('x', 'y').artifacts);
  });

  test('a stream that is dead without saying so is found out', async () => {
    await begin({
      SendStreamingMessage: [task('WORKING'), chunk('x', first), { stall: true }],
      GetTask: [{ answer: taskOf('COMPLETED', { artifacts: [{ artifactId: 'a', parts: [{ text: 'x' }, { text: 'y' }] }] }) }],
    }, { alone: true });
    window = world.open({ timing: { ...fast, silence: 30 } });
    context = window.contexts.create('Ann');
    await context.send(text('hi')).done;
    assert.deepEqual(transcript(), ['I: hi (sent)', 'working', 'a=xy.', 'gap', 'completed']);
    assert.equal(sends(), 1);
  });

  test('a stream that is silent for long is listened to while the agent answers, be it an error', async () => {
    const asked = gate();
    await begin({
      async *SendStreamingMessage () {
        yield task('WORKING');
        yield chunk('x', first);
        await asked.opened;
        yield { delay: 20 };
        yield chunk('y');
        yield status('COMPLETED');
      },
      GetTask: () => {
        asked.open();
        return [{ error: { code: -32601, message: 'Method not found' } }];
      },
    }, { alone: true });
    window = world.open({ timing: { ...fast, silence: 30 } });
    context = window.contexts.create('Ann');
    const result = await context.send(text('hi')).done;
    assert.equal(result.problem, undefined);
    assert.deepEqual(transcript(), ['I: hi (sent)', 'working', 'a=xy.', 'completed']);
  });

  for (const [generation, configuration] of [['1.0', { returnImmediately: true }], ['0.3', { blocking: false }]] as const) {
    test(`a new task shall have its name at once where nothing streams (${generation})`, async () => {
      await begin({ SendMessage: [{ answer: { task: taskOf('INPUT_REQUIRED') } }] }, { generation });
      const send = async (options: Partial<SendOptions>): Promise<unknown> => {
        await context.send({ ...text('hi'), streaming: false, ...options }).done;
        return (JSON.parse(requests().at(-1)!.body) as { params: { configuration?: unknown } }).params.configuration;
      };
      assert.deepEqual(await send({}), configuration);
      assert.deepEqual(await send({ configuration: { historyLength: 1 } }), { historyLength: 1, ...configuration });
      assert.notDeepEqual(await send({ configuration: { returnImmediately: false } }), configuration);
      assert.equal(await send({ target: 'waiting-task' }), undefined);
    });
  }

  test('an agent that only ever says messages is spoken to in the context it named', async () => {
    let turn = 0;
    await begin({ SendStreamingMessage: () => [{ event: { message: { ...says(`m${++turn}`), contextId: `talk ${turn}` } } }] });
    await context.send(text('My name is Ann')).done;
    assert.equal(context.contextId, 'talk 1');
    await context.send(text('Who am I?')).done;
    const sent = requests().flatMap(({ params }) => (params !== undefined && 'message' in params ? [params.message.contextId] : []));
    assert.deepEqual(sent, [undefined, 'talk 1']);
    // The first name stays: the conversation began under it.
    assert.equal(context.contextId, 'talk 1');
  });

  test('a task that waits for authorisation goes on without another message', async () => {
    const authorised = gate();
    await begin({
      async *SendStreamingMessage () {
        yield task('AUTH_REQUIRED', {}, says('q', 'Sign in'));
        await authorised.opened;
        yield status('WORKING');
        yield status('COMPLETED');
      },
    });
    const run = context.send(text('hi'));
    assert.equal((await run.done).task?.status.state, 'TASK_STATE_AUTH_REQUIRED');
    assert.equal(context.running, false);
    authorised.open();
    await until(() => transcript().includes('completed'));
    assert.deepEqual(transcript(), ['I: hi (sent)', 'auth_required: Sign in', 'working', 'completed']);
  });

  suite('stop', () => {
    const working = [task('WORKING'), chunk('x', first), { stall: true }] as const;

    test('cancels the task at the agent and closes the stream', async () => {
      await begin({ SendStreamingMessage: working, CancelTask: [{ answer: taskOf('CANCELED') }] });
      const run = context.send(text('hi'));
      await until(() => context.tasks().length === 1);
      const outcome = run.stop();
      assert.equal(context.stopping, true);
      assert.equal(await outcome, 'canceled');
      assert.equal(context.stopping, false);
      assert.equal((await run.done).task?.status.state, 'TASK_STATE_CANCELED');
      assert.deepEqual(transcript(), ['I: hi (sent)', 'working', 'a=x.', 'canceled']);
      await until(() => requests().find(({ operation }) => operation === 'SendStreamingMessage')!.signal.aborted);
    });

    test('an agent that answers first and cancels then', async () => {
      const cancelled = gate();
      await begin({
        async *SendStreamingMessage () {
          yield task('WORKING');
          await cancelled.opened;
          yield status('CANCELED');
        },
        CancelTask: () => {
          cancelled.open();
          return [{ answer: taskOf('WORKING') }];
        },
      });
      context.send(text('hi'));
      await until(() => context.tasks().length === 1);
      assert.equal(await context.stop(), 'canceled');
      assert.deepEqual(transcript(), ['I: hi (sent)', 'working', 'canceled']);
    });

    test('an agent that refuses is quoted', async () => {
      await begin({ SendStreamingMessage: working, CancelTask: [{ error: { code: -32002, message: 'Never.' } }], GetTask: [{ answer: taskOf('WORKING') }] });
      context.send(text('hi'));
      await until(() => context.tasks().length === 1);
      assert.equal(await context.stop(), 'not-cancelable');
      assert.equal(context.running, false);
      const problem = context.entries().items.at(-1);
      assert.ok(problem?.kind === 'problem' && problem.sentence.args.includes('Never.'), JSON.stringify(problem));
    });

    test('an agent that refuses because the task has just ended', async () => {
      await begin({ SendStreamingMessage: working, CancelTask: [{ error: { code: -32002, message: 'Over.' } }], GetTask: [{ answer: taskOf('COMPLETED') }] });
      context.send(text('hi'));
      await until(() => context.tasks().length === 1);
      assert.equal(await context.stop(), 'over');
      assert.deepEqual(transcript(), ['I: hi (sent)', 'working', 'a=x.', 'completed']);
    });

    test('an agent that does not answer', async () => {
      await begin({ SendStreamingMessage: working, CancelTask: [{ reset: true }] });
      context.send(text('hi'));
      await until(() => context.tasks().length === 1);
      assert.equal(await context.stop(), 'unknown');
      assert.deepEqual(transcript(), ['I: hi (sent)', 'working', 'a=x', 'problem stop-unknown']);
      const problem = context.entries().items.at(-1);
      assert.ok(problem?.kind === 'problem' && typeof problem.sentence.args[0] === 'object', JSON.stringify(problem));
    });

    test('an agent that agrees and goes on', async () => {
      await begin({ SendStreamingMessage: working, CancelTask: [{ answer: taskOf('WORKING', made('x')) }] });
      context.send(text('hi'));
      await until(() => context.tasks().length === 1);
      assert.equal(await context.stop(), 'unknown');
      assert.deepEqual(transcript(), ['I: hi (sent)', 'working', 'a=x', 'problem stop-unknown']);
    });

    for (const streaming of [true, false]) {
      test(`waits longer for the name of the task than for anything else (${streaming ? 'a slow stream' : 'an agent that blocks'})`, async () => {
        await begin({
          SendStreamingMessage: [{ delay: fast.stop + 60 }, ...working],
          SendMessage: [{ delay: fast.stop + 60 }, { answer: { task: taskOf('WORKING') } }],
          GetTask: [{ answer: taskOf('WORKING') }],
          CancelTask: [{ answer: taskOf('CANCELED') }],
        });
        const run = context.send({ ...text('hi'), streaming });
        await until(() => sends() === 1);
        assert.equal(await run.stop(), 'canceled');
        assert.equal(context.task('t')?.status.state, 'TASK_STATE_CANCELED');
        assert.equal(asked('CancelTask'), 1);
      });
    }

    test('a task that is known is cancelled although the answer to the message does not come', async () => {
      let turn = 0;
      await begin({
        SendMessage: () => (++turn === 1 ? [{ answer: { task: taskOf('INPUT_REQUIRED') } }] : [{ stall: true }]),
        CancelTask: [{ answer: taskOf('CANCELED') }],
      });
      await context.send({ ...text('hi'), streaming: false }).done;
      const run = context.send({ ...text('Red', 'waiting-task'), streaming: false });
      await until(() => sends() === 2);
      assert.equal(await run.stop(), 'canceled');
    });

    test('nothing was sent: it is over at once', async () => {
      await begin({});
      const run = context.send(text('hi'));
      assert.equal(await run.stop(), 'over');
      assert.equal(sends(), 0);
    });

    for (const what of ['context that is deleted', 'window that is closed'] as const) {
      test(`of a ${what} meanwhile: nothing is written`, async () => {
        const cancelled = gate();
        let asking = false;
        await begin({
          SendStreamingMessage: working,
          async *CancelTask () {
            asking = true;
            await cancelled.opened;
            yield { answer: taskOf('CANCELED') };
          },
        }, { alone: true });
        const run = context.send(text('hi'));
        await until(() => context.tasks().length === 1);
        const stopped = run.stop();
        await until(() => asking);
        let deleted = 0;
        context.onDidDelete(() => deleted++);
        if (what === 'window that is closed') window.close();
        else window.contexts.delete(context.key);
        cancelled.open();
        await stopped;
        assert.equal(deleted, what === 'window that is closed' ? 0 : 1);
      });
    }

    test('of a task that no run follows', async () => {
      let asks = 0;
      await begin({ GetTask: () => [{ answer: taskOf(++asks < 3 ? 'WORKING' : 'CANCELED') }], CancelTask: [{ answer: taskOf('WORKING') }] });
      await context.refreshTask('t');
      assert.equal(await context.cancelTask('t'), 'canceled');
      assert.deepEqual(transcript(), ['working', 'canceled']);
    });

    test('waits for the first event where no task is known yet', async () => {
      await begin({ SendStreamingMessage: [{ delay: 60 }, ...working], CancelTask: [{ answer: taskOf('CANCELED') }] });
      const run = context.send(text('hi'));
      await until(() => sends() === 1);
      assert.equal(await run.stop(), 'canceled');
    });

    test('closes the connection where no task comes, and does not know what became of the message', async () => {
      await begin({ SendMessage: [{ stall: true }] });
      const run = context.send({ ...text('hi'), streaming: false });
      await until(() => sends() === 1);
      assert.equal(await run.stop(), 'unknown');
      const result = await run.done;
      assert.deepEqual([result.delivery, result.problem?.code], ['unknown', 'stop-unknown']);
      assert.deepEqual(transcript(), ['I: hi (unknown)', 'problem stop-unknown']);
      await until(() => requests().at(-1)!.signal.aborted);
    });

    test('nothing is left of what is over', async () => {
      await begin({ SendStreamingMessage: [task('COMPLETED')] });
      const run = context.send(text('hi'));
      await run.done;
      assert.equal(await run.stop(), 'over');
      assert.equal(asked('CancelTask'), 0);
    });
  });

  test('a call folds what it brings into the history', async () => {
    await begin({ GetTask: [{ answer: taskOf('COMPLETED', { history: [says('m')] }) }] });
    const { result, exchangeId } = await context.call('GetTask', { id: 't' });
    assert.equal(result.id, 't');
    assert.deepEqual(transcript(), ['agent: m', 'completed']);
    assert.equal(context.contextId, 'c');
    assert.equal(window.contexts.exchange(exchangeId)?.exchange.response?.status, 200);
    await context.refreshTask('t');
    assert.deepEqual(transcript(), ['agent: m', 'completed']);
  });

  test('a listing tells nothing of other contexts', async () => {
    const listed = (word: 'WORKING' | 'COMPLETED'): Task => ({ ...taskOf(word), id: 'listed' });
    await begin({ GetTask: [{ answer: listed('WORKING') }], ListTasks: [{ answer: {
      tasks: [listed('COMPLETED'), { ...taskOf('COMPLETED'), id: 'foreign', contextId: 'd' }], nextPageToken: '', pageSize: 50, totalSize: 2,
    } }] });
    await context.refreshTask('listed');
    const other = window.contexts.create('Ann');
    await other.call('ListTasks', {});
    assert.deepEqual(context.tasks().map(one => [one.taskId, one.state]), [['listed', 'TASK_STATE_COMPLETED']]);
    assert.equal(window.contexts.forTask('Ann', 'foreign'), undefined);
    assert.deepEqual([other.contextId, other.tasks()], [undefined, []]);
    assert.equal(window.contexts.discard(other.key), true);
    assert.equal(window.contexts.discard(context.key), false);
  });

  test('a raw body is sent as written and its answer taken in', async () => {
    await begin({ SendStreamingMessage: [task('WORKING'), chunk('x', first), status('COMPLETED')] });
    const body = '{ "jsonrpc": "2.0", "id": 7, "method": "SendStreamingMessage", "params": { "message": { "messageId": "u", "role": "ROLE_USER", "parts": [ { "text": "hi" } ] } } }';
    let events = 0;
    for await (const batch of context.sendRaw(body)) events += batch.events.length;
    assert.equal(events, 3);
    assert.equal(requests().at(-1)?.body, body);
    assert.deepEqual(transcript(), ['working', 'a=x.', 'completed']);
  });

  test('deleting a context stops listening to it', async () => {
    await begin({ SendStreamingMessage: [task('WORKING'), { stall: true }] });
    const run = context.send(text('hi'));
    await until(() => context.tasks().length === 1);
    window.contexts.delete(context.key);
    await run.done;
    assert.equal(window.contexts.get(context.key), undefined);
    assert.equal(asked('CancelTask'), 0);
    await until(() => requests().at(-1)!.signal.aborted);
  });

  test('nothing to send and nobody to send it to are said at once', async () => {
    await begin({}, { alone: true });
    assert.throws(() => context.send({ parts: [], target: 'new-task' }), { code: 'empty-message' });
    window.agents.configure({});
    assert.throws(() => context.send(text('hi')), (error: unknown) => error instanceof Problem && error.code === 'unknown-agent');
    assert.deepEqual(transcript(), []);
  });
});
