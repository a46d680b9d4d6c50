import * as assert from 'node:assert/strict';
import type { Script } from '../../../src/mock/script.ts';
import type { AgentContext } from '../../../src/model/contexts/agentContext.ts';
import { RemoteListings } from '../../../src/model/contexts/remoteListings.ts';
import type { Task } from '../../../src/protocol/message/task.ts';
import { says, startWorld, taskOf, until, word, type Window, type World } from '../../support/model/world.ts';

const asks = (messageId: string, text: string) => ({ messageId, role: 'ROLE_USER' as const, parts: [{ text }] });
const at = (minute: number): string => `2026-01-05T10:0${minute}:00.000Z`;

/** A task that the agent alone has: `minute` is when it told its status. */
const kept = (id: string, minute: number | undefined, more: Partial<Task> = {}): Task => ({
  ...taskOf('COMPLETED', {
    id,
    history: [asks(`u-${id}`, `Make ${id}`), says(`w-${id}`, `Making ${id}`)],
    artifacts: [{ artifactId: `a-${id}`, parts: [{ text: `This is ${id}.` }] }],
    ...more,
  }),
  status: { state: 'TASK_STATE_COMPLETED', ...(minute !== undefined && { timestamp: at(minute) }) },
});

suite('tasks that only the agent has', () => {
  let world: World;
  let window: Window;
  let listings: RemoteListings;
  let context: AgentContext;

  async function begin(tasks: readonly Task[], script: Script = {}): Promise<void> {
    world = await startWorld({
      version: '1.0',
      script: {
        ListTasks: () => [
          {
            answer: {
              tasks: tasks.map(task => ({ ...task, artifacts: undefined })),
              nextPageToken: '',
              pageSize: 50,
              totalSize: tasks.length,
            },
          },
        ],
        GetTask: ({ params }) => [{ answer: tasks.find(({ id }) => id === params?.id) ?? assert.fail() }],
        ...script,
      },
    });
    window = world.open();
    const { contexts, agents } = window;
    listings = new RemoteListings({ contexts, agentOf: name => agents.get(name), onError: error => assert.fail(String(error)) });
    await agents.get('Ann')?.check();
    await listings.refresh('Ann');
    context = contexts.get(contexts.page({ agent: 'Ann' }).items[0]?.key ?? '')!;
  }
  teardown(async () => {
    listings.dispose();
    assert.deepEqual(window.errors, []);
    await world.close();
  });
  const transcript = (): string[] => context.entries({ limit: 200 }).items.map(word);
  const asked = (): (string | undefined)[] =>
    world.agent.requests.filter(({ operation }) => operation === 'GetTask').map(({ params }) => (params as { id: string }).id);

  test('one that comes under another id has its problem, and the finding is of the task that was asked for', async () => {
    const tasks = [kept('two', 2), kept('one', 1)];
    await begin(tasks, { GetTask: [{ answer: tasks[0]! }] });
    await context.loadTasks();
    const problem = context.entries({ limit: 200 }).items.find(({ kind }) => kind === 'problem');
    const [found, ...others] = context.deviantExchanges();
    assert.deepEqual([problem?.taskId, found?.taskId, found?.findings.map(({ rule }) => rule), others], ['one', 'one', ['CORE-19'], []]);
    assert.equal(problem?.kind === 'problem' && problem.exchangeId, found?.exchangeId, 'its next step is to open that');
  });

  test('one that was listed in another terminal state than it is given is a finding, once', async () => {
    const tasks = [kept('one', 1)];
    await begin(tasks, { GetTask: [{ answer: { ...tasks[0]!, status: { state: 'TASK_STATE_FAILED', timestamp: at(1) } } }] });
    await context.loadTasks();
    assert.deepEqual(
      context.deviantExchanges().map(({ taskId, findings }) => [taskId, ...findings.map(({ rule, message }) => `${rule} ${message}`)]),
      [['one', 'STRM-11 The agent listed the task as completed and returns it as failed.']],
    );
    assert.equal(context.tasks()[0]?.state, 'TASK_STATE_FAILED');
  });

  test('are asked for when they are opened, in the order in which they came, each with its own history', async () => {
    await begin([kept('two', 2), kept('one', 1)]);
    assert.deepEqual(
      [transcript(), context.tasks().map(({ title, state }) => `${title} ${state}`)],
      [[], ['Make two TASK_STATE_COMPLETED', 'Make one TASK_STATE_COMPLETED']],
    );
    const listedAt = context.tasks().map(({ taskId, updatedAt }) => [taskId, updatedAt]);
    const loading: boolean[] = [];
    context.onDidChangeState(() => {
      if (loading.at(-1) !== context.loading) loading.push(context.loading);
    });
    await Promise.all([context.loadTasks(), context.loadTasks()]);
    assert.deepEqual(transcript(), [
      'I: Make one',
      'agent: Making one',
      'a-one=This is one..',
      'completed',
      'I: Make two',
      'agent: Making two',
      'a-two=This is two..',
      'completed',
    ]);
    assert.deepEqual([loading[0], loading.at(-1)], [true, false]);
    assert.deepEqual(
      context.tasks().map(({ taskId, updatedAt }) => [taskId, updatedAt]),
      listedAt,
      'nothing has happened to them now',
    );
    assert.deepEqual(
      context.tasks().map(({ remoteOnly }) => remoteOnly),
      [undefined, undefined],
    );
  });

  test('say no time but that of their status, and have their exchange', async () => {
    await begin([kept('one', 1), kept('two', undefined)]);
    await context.loadTasks();
    const entries = context.entries().items;
    assert.deepEqual(
      entries.map(({ untimed, at: when }) => untimed ?? new Date(when).toISOString()),
      [true, true, true, at(1), true, true, true, true],
    );
    for (const { exchangeId } of entries) assert.equal(context.exchange(exchangeId ?? '')?.exchange.operation, 'GetTask');
    assert.equal(context.exchanges().items.filter(({ operation }) => operation === 'GetTask').length, 2);
  });

  test('are asked for once, and listed again they are not told a second time', async () => {
    await begin([kept('one', 1)]);
    await context.loadTasks();
    const before = transcript();
    await context.loadTasks();
    await listings.refresh('Ann');
    window.close();
    window = world.open();
    context = window.contexts.get(context.key)!;
    await context.loadTasks();
    assert.deepEqual([transcript(), asked()], [before, ['one']]);
  });

  test('that cannot be read say why, and are asked for again the next time', async () => {
    let fails = true;
    await begin([kept('one', 1)], {
      GetTask: () => [fails ? { error: { code: -32603, message: 'Not now' } } : { answer: kept('one', 1) }],
    });
    await context.loadTasks();
    assert.deepEqual([transcript(), context.loading, context.tasks()[0]?.remoteOnly], [['problem agent-error'], false, true]);
    await assert.rejects(context.loadTask('one'), /Not now/u);
    fails = false;
    await context.loadTask('one');
    assert.deepEqual(transcript(), ['problem agent-error', 'I: Make one', 'agent: Making one', 'a-one=This is one..', 'completed']);
  });

  test('that the agent has lost meanwhile are lost', async () => {
    await begin([{ ...kept('one', 1), status: { state: 'TASK_STATE_WORKING' } }], {
      GetTask: [{ error: { code: -32001, message: 'Which?' } }],
    });
    await context.loadTasks();
    assert.equal(context.taskState('one'), 'LOST');
  });

  test('that nothing is left of but their state are not asked for without end', async () => {
    await begin([kept('one', 1, { history: undefined, artifacts: undefined })]);
    await context.loadTasks();
    await context.loadTasks();
    assert.deepEqual([transcript(), asked()], [['completed'], ['one']]);
  });

  test('that go on are followed in the order in which they are told', async () => {
    const going = { ...kept('one', 1), status: { state: 'TASK_STATE_WORKING' as const } };
    await begin([going], {
      SubscribeToTask: [{ event: { task: going } }, { event: { task: kept('one', 2) } }],
      GetTask: [{ answer: going }],
    });
    await context.subscribeTask('one').done;
    await until(() => context.taskState('one') === 'TASK_STATE_COMPLETED');
    assert.deepEqual(
      transcript(),
      ['I: Make one', 'agent: Making one', 'working', 'a-one=This is one..', 'gap', 'completed'].filter(entry =>
        transcript().includes(entry),
      ),
    );
  });
});
