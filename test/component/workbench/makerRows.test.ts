import * as assert from 'node:assert/strict';
import type { ContextMaker } from '../../../src/protocol/message/transcript.ts';
import { startWorld, type Window, type World } from '../../support/model/world.ts';
import { ShownTree } from '../../support/shownTree.ts';
import { day, is } from '../store/support/history.ts';

const { tooltip } = await import('../../../src/workbench/agentsView/agentTooltips.ts');

suite('the groups of the tree', () => {
  let world: World;
  let window: Window;
  let tree: ShownTree;
  setup(async () => {
    world = await startWorld({ version: '1.0', script: {} });
    window = world.open();
    tree = new ShownTree(window);
  });
  teardown(async () => {
    tree.dispose();
    await world.close();
  });

  const now = Date.now();
  let written = 0;
  /** A context with one task. Those written first changed last. */
  function write(text: string, madeBy: ContextMaker, word = 'COMPLETED', when = now - ++written): void {
    const message = { messageId: `m-${text}`, role: 'ROLE_USER' as const, parts: [{ text }] };
    window.store.putContext({ key: text, agent: 'Ann', at: when, madeBy });
    window.store.record(text, [{ kind: 'message', taskId: text, message }, is(text, word)], { at: when, owner: 'me' });
  }
  const labels = async (opens = /^Ann$/): Promise<readonly string[]> => (await tree.texts(opens)).map(text => text.replace(/ · now$/, ''));
  const mixed = (): void => {
    write('mine', 'person');
    write('of a file', 'file', 'FAILED');
    write('of a file, asks', 'file', 'INPUT_REQUIRED');
    write('listed', 'agent');
    write('listed, asks', 'agent', 'INPUT_REQUIRED');
    write('tested, asks', 'test', 'INPUT_REQUIRED');
    write('mine, asks', 'person', 'INPUT_REQUIRED');
    write('mine, pinned', 'person');
    window.contexts.pin([{ context: 'mine, pinned' }], true);
  };

  test('what waits is first, then own chats, pinned ones before others, then what others made, with counts', async () => {
    mixed();
    assert.deepEqual(await labels(), [
      'Ann | 3 waiting',
      'of a file, asks | waiting',
      'mine, asks | waiting',
      'mine, pinned | now',
      'mine | now',
      'From Request Files | 1',
      'At the Agent | 2 · 1 waiting',
      'Test Runs | 1',
    ]);
    assert.deepEqual((await labels(/^(Ann|From|At|Test)/)).slice(5), [
      'From Request Files | 1',
      'of a file | failed',
      'At the Agent | 2 · 1 waiting',
      'listed, asks | waiting',
      'listed | now',
      'Test Runs | 1',
      'tested, asks | input required',
    ]);
    assert.equal(window.contexts.waiting, 3);
  });

  test('what waits is counted in conversations, as the group is, and the tooltip names both', async () => {
    const ask = (taskId: string): unknown => window.store.record('listed, asks', [is(taskId, 'INPUT_REQUIRED')], { at: now, owner: 'me' });
    mixed();
    ask('second');
    ask('third');
    const group = await tree.find(/^At/, await tree.find(/^Ann/));
    assert.deepEqual(tree.rows.getTreeItem(group).description, '2 · 1 waiting');
    const { value } = tooltip(group) as unknown as { readonly value: string };
    assert.match(value.replaceAll('&nbsp;', ' '), /Conversations:\W* 2\s+\**Conversations that wait for input:\W* 1/);
    tree.filter.set({ states: ['TASK_STATE_COMPLETED'] });
    assert.deepEqual(tree.rows.getTreeItem(await tree.find(/^At/, await tree.find(/^Ann/))).description, '1');
  });

  test('a filter is for all of them, and unfolds the groups', async () => {
    mixed();
    tree.filter.set({ text: 'asks' });
    const opened = await labels(/^(Ann|From|At|Test)/);
    assert.deepEqual(opened.slice(1), [
      'of a file, asks | waiting',
      'mine, asks | waiting',
      'At the Agent | 1 · 1 waiting',
      'listed, asks | waiting',
      'Test Runs | 1',
      'tested, asks | input required',
    ]);
    assert.equal(tree.rows.getTreeItem(await tree.find(/^At/, await tree.find(/^Ann/))).collapsibleState, 2);
    tree.filter.set({ states: ['TASK_STATE_FAILED', 'TASK_STATE_INPUT_REQUIRED'] });
    assert.deepEqual((await labels(/^(Ann|From|At|Test)/)).slice(1), [
      'of a file, asks | waiting',
      'mine, asks | waiting',
      'From Request Files | 1',
      'of a file | failed',
      'At the Agent | 1 · 1 waiting',
      'listed, asks | waiting',
      'Test Runs | 1',
      'tested, asks | input required',
    ]);
    tree.filter.set({});
    assert.equal(tree.rows.getTreeItem(await tree.find(/^At/, await tree.find(/^Ann/))).collapsibleState, 1);
  });

  test('grouped by time each has its periods, and what waits is first all the same', async () => {
    mixed();
    write('old', 'file', 'COMPLETED', now - 60 * day);
    await tree.grouping.set(true);
    assert.deepEqual(await labels(/^(Ann|From|At|Test|Today|Older)/), [
      'Ann | 3 waiting',
      'of a file, as… | input required',
      'mine, asks | input required',
      'Today',
      'mine | completed',
      'mine, pinned | completed',
      'From Request Files | 2',
      'Today',
      'of a file | failed',
      'Older',
      `old | completed · ${new Date(now - 60 * day).toLocaleDateString('en')}`,
      'At the Agent | 2 · 1 waiting',
      'listed, asks | input required',
      'Today',
      'listed | completed',
      'Test Runs | 1',
      'Today',
      'tested, asks | input required',
    ]);
  });

  test('of 300 contexts and 150 tasks at the agent some ten rows are seen', async () => {
    window.store.together(() => {
      for (let number = 0; number < 150; number++) {
        write(`at the agent ${number}`, 'agent');
        write(`file ${number}`, 'file');
        if (number < 145) write(`test ${number}`, 'test');
        else write(`mine ${number}`, 'person');
      }
    });
    assert.deepEqual(await labels(), [
      'Ann',
      ...[145, 146, 147, 148, 149].map(number => `mine ${number} | now`),
      'From Request Files | 150',
      'At the Agent | 150',
      'Test Runs | 145',
    ]);
    const group = await tree.find(/^At/, await tree.find(/^Ann/));
    const rows = await tree.rows.getChildren(group);
    assert.deepEqual([rows.length, rows.at(-1)?.kind], [51, 'more']);
    await tree.rows.loadMore(rows.at(-1) as never);
    assert.equal((await tree.rows.getChildren(group)).length, 101);
  });

  test('what the agent lists becomes an own chat with the first message from here, and that of a file with its first request', async () => {
    const makerOf = (contextId: string): string | undefined => window.store.contextById('Ann', contextId)?.madeBy;
    for (const contextId of ['answered', 'requested', 'read']) {
      window.contexts.mergeRemote('Ann', [{ id: contextId, contextId, status: { state: 'TASK_STATE_COMPLETED' } }], {
        askedAt: Date.now(),
        artifacts: false,
      });
    }
    window.contexts.forContextId('Ann', 'read').catchUp();
    window.contexts.forContextId('Ann', 'answered').send({ parts: [{ text: 'Hello' }], target: 'new-task' });
    window.contexts.forContextId('Ann', 'requested', 'file');
    assert.deepEqual(['answered', 'requested', 'read'].map(makerOf), ['person', 'file', 'agent']);
  });
});
