import * as assert from 'node:assert/strict';
import type { A2ATaskChange } from '../../../api/a2a-workbench.d.ts';
import { extensionApi } from '../../../src/assistant/extensionApi.ts';
import { ToolDesk } from '../../support/assistant/toolDesk.ts';
import type { ContextsChange } from '../../../src/model/contexts/agentContexts.ts';
import { is } from '../store/support/history.ts';
import { says, startWorld, status, task, until, type Window, type World } from '../../support/model/world.ts';

const secret = 'swordfish-4711-token';

suite('API for other extensions', () => {
  let world: World;
  let window: Window;
  let desk: ToolDesk;
  let opened: string[];
  let mayStillRead: boolean;
  const api = () =>
    extensionApi({
      id: 'some.extension',
      world: desk.world,
      onDidChange: window.contexts.onDidChange,
      mayStillRead: () => mayStillRead,
      open: async ({ context }) => void opened.push(context!),
    });

  setup(async () => {
    world = await startWorld({
      version: '1.0',
      script: { SendStreamingMessage: [task('WORKING'), status('COMPLETED', says('m', `The token is ${secret}`))] },
    });
    window = world.open();
    window.agents.configure({ Ann: { url: world.agent.url }, Gone: { url: `http://127.0.0.1:9/?key=${secret}` } });
    desk = new ToolDesk(window);
    desk.secrets.add(secret);
    [opened, mayStillRead] = [[], true];
  });
  teardown(() => world.close());

  test('without consent it gives, sends and opens nothing', async () => {
    desk.refuses = true;
    await assert.rejects(api().agents(), { message: 'The person said no.' });
    await assert.rejects(api().send({ agent: 'Ann', text: 'Hi' }), { message: 'The person said no.' });
    await assert.rejects(
      api().observeTasks(() => assert.fail('not allowed')),
      { message: 'The person said no.' },
    );
    assert.equal(world.agent.requests.length, 0);
    await assert.rejects(api().openContext('x'), /have no context "x"/);
    assert.deepEqual(opened, []);
  });

  test('lists the agents, sends, observes and opens, with credentials masked and its name at the message', async () => {
    assert.deepEqual(await api().agents(), [
      { name: 'Ann', address: world.agent.url, reachability: 'unknown' },
      { name: 'Gone', address: 'http://127.0.0.1:9/?key=••••••', reachability: 'unknown' },
    ]);
    const changes: A2ATaskChange[] = [];
    const observing = await api().observeTasks(change => changes.push(change));
    const { context: key, answer } = await api().send({ agent: 'Ann', text: 'Draw a sailboat' });
    const { task: done } = await answer;
    assert.equal(done?.status.state, 'TASK_STATE_COMPLETED');
    assert.match(JSON.stringify(done), /The token is ••••••/);
    assert.ok(desk.asked.includes('send Ann: Draw a sailboat') && desk.asked.includes('words of Ann'), desk.asked.join('\n'));
    const [message] = window.contexts.get(key)!.entries({}).items;
    assert.deepEqual(message?.kind === 'message' && message.assistant, { client: 'some.extension' });
    assert.match(window.contexts.history.entriesMarkdown([message!])[0]!, /Sent by the extension ` some\.extension `/);

    await until(() => changes.some(({ state }) => state === 'TASK_STATE_COMPLETED'));
    assert.deepEqual(changes.at(-1), { agent: 'Ann', context: key, task: done!.id, state: 'TASK_STATE_COMPLETED' });
    assert.equal(new Set(changes.map(({ state }) => state)).size, changes.length, 'each state once');
    mayStillRead = false;
    changes.length = 0;
    await (await api().send({ agent: 'Ann', text: 'Another' })).answer;
    observing.dispose();
    assert.deepEqual(changes, []);

    await api().openContext(key);
    assert.deepEqual(opened, [key]);
  });

  test('an observer is told what is new of the agents here alone, masked, and has read their words then', async () => {
    let fire: (change: ContextsChange) => void = () => {};
    const onDidChange = (listener: typeof fire) => {
      fire = listener;
      return { dispose() {} };
    };
    const own = extensionApi({ id: 'some.extension', world: desk.world, onDidChange, mayStillRead: () => true, open: async () => {} });
    const changes: A2ATaskChange[] = [];
    await own.observeTasks(change => changes.push(change));
    const now = Date.now() + 1000;
    for (const [key, agent, taskId, at] of [
      ['old', 'Ann', 't-old', 1],
      ['other', 'Other', 't-other', now],
      ['new', 'Ann', `t-${secret}`, now],
    ] as const) {
      window.store.putContext({ key, agent, at });
      window.store.record(key, [is(taskId, 'WORKING')], { at, owner: 'me' });
      fire({ agent, context: key });
    }
    assert.deepEqual(changes, [{ agent: 'Ann', context: 'new', task: 't-••••••', state: 'TASK_STATE_WORKING' }]);
    assert.deepEqual(desk.asked, ['read', 'words of Ann']);
  });

  test('a wrong message, another agent and an agent that is gone are errors', async () => {
    await assert.rejects(api().send({ agent: 'Ann' }), /either "text" or "parts"/);
    await assert.rejects(api().send({ agent: 'Ann', text: 5 } as never), /input of send is not right/);
    await assert.rejects(api().send({ agent: 'Bob', text: 'x' }), /no agent "Bob"/);
    await assert.rejects(api().send({ agent: secret, text: 'x' }), /no agent "••••••"/);
    const { answer } = await api().send({ agent: 'Gone', text: 'x' });
    await assert.rejects(answer, (error: Error) => error.message.length > 20 && !error.message.includes(secret));
  });
});
