import * as assert from 'node:assert/strict';
import { Problem, sentence } from '../../../src/protocol/problem.ts';
import type { ContextsChange } from '../../../src/model/contexts/agentContexts.ts';
import { openStore } from '../../../src/store/openStore.ts';
import { chunk, first, looked, startWorld, status, task, until, type Window, type World } from '../../support/model/world.ts';

/** Far enough apart to be written one by one. */
const chunks = Array.from({ length: 15 }, () => [chunk('y'), { delay: 6 }]).flat();
const hi = { parts: [{ text: 'hi' }], target: 'new-task' } as const;

suite('AgentContexts', () => {
  let world: World;
  let window: Window;
  setup(async () => {
    world = await startWorld({
      version: '1.0',
      script: { SendStreamingMessage: [task('WORKING'), chunk('x', first), ...chunks, status('INPUT_REQUIRED')] },
    });
    window = world.open();
  });
  teardown(() => world.close());

  test('a context is in the list from its first message on, the last used one first', async () => {
    const { contexts } = window;
    const one = contexts.create('Ann');
    const two = contexts.create('Ann');
    assert.deepEqual(contexts.page({ agent: 'Ann' }), { items: [], more: false });
    await one.send(hi).done;
    await two.send({ ...hi, parts: [{ text: 'ho' }] }).done;
    const { items } = contexts.page({ agent: 'Ann' });
    assert.deepEqual(
      items.map(({ title, tasks, waiting }) => ({ title, tasks, waiting })),
      [
        { title: 'ho', tasks: 1, waiting: 1 },
        { title: 'hi', tasks: 1, waiting: 1 },
      ],
    );
    const first = contexts.page({ agent: 'Ann', limit: 1 });
    assert.equal(first.more, true);
    assert.deepEqual(contexts.page({ agent: 'Ann', limit: 1, before: first.items[0] }), { items: [items[1]], more: false });
    assert.equal(contexts.waiting, 2);
    assert.deepEqual(contexts.page({ agent: 'Bob' }), { items: [], more: false });
  });

  test('a task that is asked for and has nothing new makes its context no younger', async () => {
    const asked = { id: 't', contextId: 'c', status: { state: 'TASK_STATE_INPUT_REQUIRED' } } as const;
    const other = await startWorld({
      version: '1.0',
      script: { SendStreamingMessage: [task('WORKING'), status('INPUT_REQUIRED')], GetTask: [{ answer: asked }] },
    });
    try {
      let later = 0;
      const { contexts } = other.open({ now: () => Date.now() + later });
      const context = contexts.create('Ann');
      await context.send(hi).done;
      const times = (): unknown =>
        contexts.page({ agent: 'Ann' }).items.map(({ updatedAt }) => [updatedAt, context.tasks().map(each => each.updatedAt)]);
      const before = times();
      later = 60_000;
      await context.checkTask('t', new AbortController().signal);
      assert.deepEqual(times(), before);
    } finally {
      await other.close();
    }
  });

  test('there is one live object for each context', () => {
    const { contexts } = window;
    const context = contexts.create('Ann');
    assert.equal(contexts.get(context.key), context);
    assert.equal(contexts.get('nobody'), undefined);
    assert.equal(world.open().contexts.get(context.key)?.key, context.key);
  });

  test("the agent's ids lead to the context", async () => {
    const { contexts } = window;
    const context = contexts.create('Ann');
    await context.send(hi).done;
    assert.equal(contexts.forContextId('Ann', 'c'), context);
    assert.equal(contexts.forTask('Ann', 't'), context);
    assert.equal(contexts.forTask('Ann', 'u'), undefined);
    const other = contexts.forContextId('Ann', 'd');
    assert.notEqual(other, context);
    assert.equal(other.contextId, 'd');
    await other.send(hi).done;
    const sent = world.agent.requests.findLast(({ operation }) => operation === 'SendStreamingMessage')?.params;
    assert.equal(sent !== undefined && 'message' in sent && sent.message.contextId, 'd');
  });

  test("an agent of a repository under the name of the person's sees none of its contexts, and is asked about none of its tasks", async () => {
    const other = await startWorld({ version: '1.0', script: {} });
    const settings = { url: world.agent.url };
    assert.equal(window.contexts.names.of({ name: 'Ann', place: 'user', label: '', settings }), 'Ann');
    const context = window.contexts.create('Ann');
    const run = context.send(hi);
    await until(() => window.contexts.get(context.key)?.tasks()[0]?.state === 'TASK_STATE_WORKING');
    window.close();
    await run.done.catch(() => undefined);
    const before = world.agent.requests.length;

    const repository = world.open({ replaces: window.owner });
    const { agents, contexts } = repository;
    const name = contexts.names.of({ name: 'Ann', place: 'file:///repo', label: 'repo', settings: { url: other.agent.url } });
    assert.equal(name, 'Ann (repo)');
    agents.configure({ [name]: { url: other.agent.url } });
    contexts.resume();
    await looked(repository, 10);
    assert.deepEqual(contexts.page({ agent: name }).items, []);
    assert.equal(contexts.get(context.key)?.agent, undefined);
    assert.deepEqual(other.agent.requests, []);
    assert.equal(world.agent.requests.length, before);

    // In a window of the person's own it goes on.
    agents.configure({ Ann: settings });
    await until(() => world.agent.requests.length > before || contexts.get(context.key)?.tasks()[0]?.state !== 'TASK_STATE_WORKING');
    repository.close();
    await other.close();
  });

  test('contexts go with an agent that is renamed', async () => {
    const { contexts, agents } = window;
    const context = contexts.create('Ann');
    await context.send(hi).done;
    agents.configure({ Anna: { url: world.agent.url } });
    assert.equal(context.agent, undefined);
    contexts.renameAgent('Ann', 'Anna');
    assert.equal(context.agentName, 'Anna');
    assert.equal(context.agent, agents.get('Anna'));
    assert.deepEqual(
      contexts.page({ agent: 'Anna' }).items.map(({ key }) => key),
      [context.key],
    );
  });

  test('says which context changed, and not for every chunk', async () => {
    const { contexts } = window;
    const changes: ContextsChange[] = [];
    contexts.onDidChange(change => changes.push(change));
    const context = contexts.create('Ann');
    const run = context.send(hi);
    await run.done;
    await until(() => run.over);
    assert.ok(changes.length > 0 && changes.length < chunks.length / 2, `${changes.length} changes`);
    for (const change of changes) assert.deepEqual(change, { agent: 'Ann', context: context.key });
    contexts.delete(context.key);
    assert.deepEqual(changes.at(-1), { agent: 'Ann' });
    assert.equal(contexts.get(context.key), undefined);
    assert.deepEqual(contexts.page({ agent: 'Ann' }).items, []);
  });

  test('what is removed comes back as it was', async () => {
    const { contexts } = window;
    const context = contexts.create('Ann');
    await context.send(hi).done;
    const entries = context.entries().items;
    contexts.pin([{ context: context.key }], true);
    contexts.rename({ context: context.key }, 'Mine');
    contexts.remove([{ context: context.key }]);
    assert.deepEqual([contexts.get(context.key), contexts.page({ agent: 'Ann' }).items], [undefined, []]);
    contexts.restore([{ context: context.key }]);
    assert.deepEqual(contexts.get(context.key)?.entries().items, entries);
    assert.deepEqual(
      contexts.page({ agent: 'Ann' }).items.map(({ title, pinned }) => [title, pinned]),
      [['Mine', true]],
    );
  });

  test('a new title is shown where the context is open, at once', async () => {
    const context = window.contexts.create('Ann');
    await context.send(hi).done;
    const titles: string[] = [];
    context.onDidChangeState(() => titles.push(context.title));
    window.contexts.rename({ context: context.key }, 'Mine');
    assert.deepEqual(titles, ['Mine']);
  });

  test('names the agents that have contexts, configured or not', async () => {
    const { contexts, agents } = window;
    agents.configure({ Zoe: { url: world.agent.url }, Bob: { url: world.agent.url }, Nobody: { url: world.agent.url } });
    contexts.create('Nobody');
    await contexts.create('Zoe').send(hi).done;
    await contexts.create('Bob').send(hi).done;
    agents.configure({});
    assert.deepEqual(contexts.agentNames(), ['Bob', 'Zoe']);
  });

  test('a context that another window deletes says so, and is quiet', async () => {
    const other = world.open();
    const context = window.contexts.create('Ann');
    window.contexts.resume();
    const deleted: boolean[] = [];
    context.onDidDelete(({ here }) => deleted.push(here));
    const run = context.send(hi);
    await until(() => context.tasks().length === 1);
    other.contexts.delete(context.key);
    await run.done;
    await until(() => deleted.length === 1);
    assert.deepEqual(deleted, [false]);
    assert.equal(window.contexts.get(context.key), undefined);
    assert.deepEqual(window.errors, []);
  });

  test('one error is told once, and does not end the watch', async () => {
    const { contexts, store } = window;
    const defect = new Error('broken');
    let asks = 0;
    const stranded = store.leases.stranded.bind(store.leases);
    store.leases.stranded = (...args) => {
      if (++asks <= 5) throw defect;
      return stranded(...args);
    };
    contexts.resume();
    await until(() => asks > 6);
    assert.deepEqual(window.errors, [defect]);
  });

  test('a history that is busy at the start is written later', async () => {
    const store = openStore(world.path);
    const entered: string[] = [];
    let busy = 3;
    const isBusy =
      <A extends unknown[], R>(work: (...args: A) => R) =>
      (...args: A): R => {
        if (busy-- > 0) throw new Problem('history-busy', sentence('Busy.'));
        return work(...args);
      };
    const enter = store.leases.enter.bind(store.leases);
    store.leases.enter = isBusy((owner, options) => {
      entered.push(owner);
      enter(owner, options);
    });
    store.sweep = isBusy(store.sweep.bind(store));
    const late = world.open({ store, owner: 'late' });
    late.contexts.resume();
    await until(() => entered.length === 1);
    assert.deepEqual(entered, ['late']);
    assert.deepEqual(late.errors, []);
    late.close();
    store.close();
  });
});
