import * as assert from 'node:assert/strict';
import type { ReceivedRequest, Script, Step } from '../../../src/mock/script.ts';
import { ForgottenTasks } from '../../../src/model/contexts/forgottenTasks.ts';
import { startWorld, status, task, taskOf, until, type Window, type World } from '../../support/model/world.ts';

/** An agent that keeps its tasks until it is started again: those of `questions` wait, any other message is worked on. */
class Kept {
  readonly ids = new Set<string>();
  /** What it answers to GetTask instead. */
  getTask: readonly Step[] | undefined;

  readonly script: Script = {
    SendStreamingMessage: ({ params }) => {
      const words = params?.message.parts[0];
      const id = words !== undefined && 'text' in words ? words.text : 't';
      this.ids.add(id);
      return [
        task('WORKING', { id, contextId: id }),
        ...(id.startsWith('ask') ? [status('INPUT_REQUIRED', undefined, id)] : [{ stall: true } as const]),
      ];
    },
    SubscribeToTask: ({ params }) =>
      this.#known(params) ? [{ event: { task: this.#task(params?.id ?? '') } }, { stall: true }] : this.#unknown,
    GetTask: ({ params }) => this.getTask ?? (this.#known(params) ? [{ answer: this.#task(params?.id ?? '') }] : this.#unknown),
  };

  readonly #unknown: readonly Step[] = [{ error: { code: -32001, message: 'Task not found' } }];

  #known(params: ReceivedRequest<'GetTask'>['params']): boolean {
    return params !== undefined && this.ids.has(params.id);
  }

  #task(id: string): ReturnType<typeof taskOf> {
    return taskOf(id.startsWith('ask') ? 'INPUT_REQUIRED' : 'WORKING', { id, contextId: id });
  }
}

suite('tasks that their agent has forgotten', () => {
  let world: World;
  let window: Window;
  let forgotten: ForgottenTasks;
  let kept: Kept;
  /** More than one task makes the number of those that are asked for matter. */
  async function begin(tasks: readonly string[]): Promise<void> {
    kept = new Kept();
    world = await startWorld({ version: '1.0', script: kept.script });
    open();
    await window.agents.get('Ann')?.check();
    for (const id of tasks) await window.contexts.create('Ann').send({ parts: [{ text: id }], target: 'new-task' }).done;
  }
  function open(): void {
    window = world.open();
    forgotten = new ForgottenTasks({ agents: window.agents, contexts: window.contexts, onError: error => assert.fail(String(error)) });
  }
  teardown(async () => {
    forgotten.dispose();
    await world.close();
    assert.deepEqual(window.errors, []);
  });
  const states = (): Record<string, string> =>
    Object.fromEntries(
      window.contexts.history.tasks({ limit: 200 }).map(({ taskId, state }) => [taskId, state.replace('TASK_STATE_', '')]),
    );
  const gets = (): number => world.agent.requests.filter(({ operation }) => operation === 'GetTask').length;
  const port = (): number => Number(new URL(world.agent.url).port);
  async function restart(): Promise<void> {
    const before = port();
    await world.agent.stop();
    kept.ids.clear();
    await world.agent.start(before);
    // As a person's refresh does first, so that no connection of before is used.
    await window.agents.get('Ann')?.check();
  }

  test('are lost when somebody looks, in the badge as well', async () => {
    await begin(['ask-1', 'ask-2']);
    await forgotten.look('Ann');
    assert.deepEqual([states(), window.contexts.waiting], [{ 'ask-1': 'INPUT_REQUIRED', 'ask-2': 'INPUT_REQUIRED' }, 2]);
    const told: string[] = [];
    window.contexts.onDidChange(({ agent }) => told.push(agent ?? ''));
    await restart();
    await forgotten.look('Ann');
    assert.deepEqual([states(), window.contexts.waiting], [{ 'ask-1': 'LOST', 'ask-2': 'LOST' }, 0]);
    assert.ok(told.includes('Ann'), 'the tree hears of it');
    await forgotten.look('Ann');
    assert.equal(gets(), 4, 'what is lost is asked for no more');
  });

  test('are gone with a restart during which the agent was never seen to be away', async () => {
    await begin(['ask-1', 'ask-2']);
    kept.ids.clear();
    const agent = window.agents.get('Ann')!;
    agent.expectRestart();
    await agent.check();
    await until(() => window.contexts.waiting === 0);
    assert.deepEqual(states(), { 'ask-1': 'LOST', 'ask-2': 'LOST' });
  });

  test('are gone with the restart, which is said once, where the port refused a connection in between', async () => {
    await begin(['ask-1']);
    const restarted: string[] = [];
    window.agents.onDidRestart(({ name, standing }) => restarted.push(`${name} ${standing.restartedAt !== undefined}`));
    const lost = () =>
      window.contexts
        .forTask('Ann', 'ask-1')
        ?.entries()
        .items.filter(entry => entry.kind === 'status' && entry.withRestart);
    const before = port();
    await world.agent.stop();
    await window.agents.get('Ann')?.check();
    await window.agents.get('Ann')?.check();
    assert.deepEqual([window.agents.get('Ann')?.reachability, restarted], ['unreachable', []]);
    kept.ids.clear();
    await world.agent.start(before);
    await window.agents.get('Ann')?.check();
    await until(() => states()['ask-1'] === 'LOST');
    await window.agents.get('Ann')?.check();
    assert.deepEqual(restarted, ['Ann true']);
    assert.equal(lost()?.length, 1);
  });

  test('of an agent that was not restarted are only lost, and so are those begun after the restart', async () => {
    await begin(['ask-1']);
    kept.ids.clear();
    await forgotten.look('Ann');
    const ann = window.agents.get('Ann')!;
    ann.expectRestart();
    await ann.check();
    await window.contexts.create('Ann').send({ parts: [{ text: 'ask-2' }], target: 'new-task' }).done;
    kept.ids.clear();
    await forgotten.look('Ann');
    assert.deepEqual(states(), { 'ask-1': 'LOST', 'ask-2': 'LOST' });
    for (const id of ['ask-1', 'ask-2'])
      assert.equal(
        window.contexts
          .forTask('Ann', id)!
          .entries()
          .items.some(entry => entry.kind === 'status' && entry.withRestart),
        false,
      );
  });

  test('are lost once an agent that was away is there again, those that nobody listens to any more too', async () => {
    await begin(['ask-1']);
    const run = window.contexts.create('Ann').send({ parts: [{ text: 'work' }], target: 'new-task' });
    await until(() => run.taskId !== undefined);
    forgotten.dispose();
    window.close();
    const before = port();
    await world.agent.stop();
    open();
    await window.agents.get('Ann')?.check();
    assert.equal(window.agents.get('Ann')?.reachability, 'unreachable');
    kept.ids.clear();
    await world.agent.start(before);
    await window.agents.get('Ann')?.check();
    await until(() => window.contexts.waiting === 0);
    await until(() => states()['work'] === 'LOST');
    assert.equal(states()['ask-1'], 'LOST');
  });

  test('are asked for when an agent of that name comes to the list, and not when one is looked at for the first time', async () => {
    await begin(['ask-1']);
    await restart();
    assert.equal(gets(), 0);
    window.agents.configure({});
    window.agents.configure({ Ann: { url: world.agent.url } });
    await window.agents.get('Ann')?.check();
    await until(() => states()['ask-1'] === 'LOST');
  });

  test('are left to the window that listens to them', async () => {
    await begin([]);
    const other = world.open();
    const run = other.contexts.create('Ann').send({ parts: [{ text: 'work' }], target: 'new-task' });
    await until(() => run.taskId !== undefined && states()['work'] === 'WORKING');
    await forgotten.look('Ann');
    assert.equal(gets(), 0);
    other.close();
    kept.ids.clear();
    await forgotten.look('Ann');
    assert.deepEqual([gets(), states()], [1, { work: 'LOST' }]);
  });

  test('what the agent still knows is as the agent says now', async () => {
    await begin(['ask-1']);
    kept.getTask = [{ answer: taskOf('COMPLETED', { id: 'ask-1', contextId: 'ask-1' }) }];
    await forgotten.look('Ann');
    assert.deepEqual(states(), { 'ask-1': 'COMPLETED' });
  });

  const answers: readonly (readonly [what: string, turn: readonly Step[], asked: number])[] = [
    ['an agent without GetTask, which is asked once', [{ error: { code: -32601, message: 'Method not found' } }], 1],
    ['an agent that does not support it, which is asked once', [{ error: { code: -32004, message: 'Unsupported' } }], 1],
    ['an error inside', [{ error: { code: -32603, message: 'broken' } }], 9],
    ['an HTTP error, after which nothing more is asked', [{ status: 500 }, { html: 'oops' }], 1],
    ['credentials that are missing', [{ status: 401 }, { html: 'who?' }], 1],
    ['no answer', [{ reset: true }], 1],
  ];
  for (const [what, turn, asked] of answers) {
    test(`nothing changes after ${what}`, async () => {
      await begin(Array.from({ length: 9 }, (_, index) => `ask-${index}`));
      kept.getTask = turn;
      const before = [
        states(),
        window.contexts.waiting,
        window.contexts.history.tasks().map(one => window.contexts.get(one.context)?.entries({ limit: 200 }).items.length),
      ];
      await forgotten.look('Ann');
      assert.equal(gets(), asked);
      assert.deepEqual(
        [
          states(),
          window.contexts.waiting,
          window.contexts.history.tasks().map(one => window.contexts.get(one.context)?.entries({ limit: 200 }).items.length),
        ],
        before,
      );
      assert.equal(window.agents.get('Ann')?.reachability, 'reachable');
    });
  }

  test('an agent that is in order for the first task alone is asked for no more than what is under way', async () => {
    await begin(Array.from({ length: 30 }, (_, index) => `ask-${index}`));
    const script = kept.script as { GetTask: unknown };
    script.GetTask = () => (gets() === 1 ? [{ error: { code: -32001, message: 'Task not found' } }] : [{ status: 500 }, { html: 'oops' }]);
    await forgotten.look('Ann');
    assert.ok(gets() <= 5, `${gets()}`);
    assert.equal(window.contexts.waiting, 29);
  });

  test('an agent that came back is looked at once, not with each sign of it', async () => {
    await begin(['ask-1']);
    const before = port();
    await world.agent.stop();
    await window.agents.get('Ann')?.check();
    await world.agent.start(before);
    await window.agents.get('Ann')?.check();
    await until(() => gets() === 1);
    for (let time = 0; time < 4; time++) await window.agents.get('Ann')?.check();
    assert.equal(gets(), 1);
  });

  test('the newest fifty are asked for, four at a time', async () => {
    const tasks = Array.from({ length: 53 }, (_, index) => `ask-${index}`);
    await begin(tasks);
    let open = 0;
    let most = 0;
    const script = kept.script as { GetTask: unknown };
    script.GetTask = async function* () {
      most = Math.max(most, ++open);
      // The first is asked for alone; the next ones wait for each other, and give a fifth the time to come.
      for (let waited = 0; waited === 0 || (gets() > 1 && most < 4 && waited < 3_000); waited += 5)
        await new Promise(resolve => {
          setTimeout(resolve, 5);
        });
      open--;
      yield { error: { code: -32001, message: 'Task not found' } };
    };
    await Promise.all([forgotten.look('Ann'), forgotten.look('Ann')]);
    assert.deepEqual([gets(), most, window.contexts.waiting], [50, 4, 3]);
    assert.deepEqual(
      ['ask-0', 'ask-1', 'ask-2', 'ask-3'].map(id => states()[id]),
      ['INPUT_REQUIRED', 'INPUT_REQUIRED', 'INPUT_REQUIRED', 'LOST'],
    );
  });

  test('a silent agent is not waited for longer than the bound, and not asked behind the back of who listens', async () => {
    await begin(['ask-1']);
    const run = window.contexts.create('Ann').send({ parts: [{ text: 'work' }], target: 'new-task' });
    await until(() => run.taskId !== undefined);
    kept.getTask = [{ stall: true }];
    forgotten.dispose();
    forgotten = new ForgottenTasks({
      agents: window.agents,
      contexts: window.contexts,
      longest: 100,
      onError: error => assert.fail(String(error)),
    });
    await forgotten.look('Ann');
    assert.equal(gets(), 1);
    assert.deepEqual(states(), { 'ask-1': 'INPUT_REQUIRED', work: 'WORKING' });
  });
});
