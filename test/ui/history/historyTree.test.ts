import * as assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../../../src/store/openStore.ts';
import type { TaskChange } from '../../../src/protocol/message/taskChange.ts';
import type { TaskState } from '../../../src/protocol/message/taskState.ts';
import { sendText } from '../../support/askAgent.ts';
import { eventually } from '../../support/eventually.ts';
import { Stage } from '../../support/vscode/stage.ts';
import type { TreeView } from '../../support/vscode/treeView.ts';

const agent = 'Archive';
const day = 24 * 60 * 60_000;
/** When the newer contexts were changed last. */
const recent = Date.now() - 2000;
/** The period of those in the tree; midnight may pass while the tests run. */
const recentPeriod = (): string => (new Date(recent).toDateString() === new Date().toDateString() ? 'Today' : 'Yesterday');

/** Three contexts with a task each, of different states and days; the last with many messages, and one of them to be found. */
async function writeHistory(userDataDir: string): Promise<void> {
  const folder = join(userDataDir, 'User', 'globalStorage', 'a2a-workbench.a2a-workbench');
  await mkdir(folder, { recursive: true });
  const store = openStore(join(folder, 'history.db'));
  const tell = (title: string, state: TaskState, at: number, answers: readonly string[]): void => {
    const key = randomUUID();
    const taskId = `task-${title}`;
    store.putContext({ key, agent, contextId: randomUUID(), at });
    store.record(
      key,
      [
        { kind: 'task', taskId },
        { kind: 'message', taskId, message: { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text: title }] } },
        ...answers.map(
          (text): TaskChange => ({ kind: 'message', taskId, message: { messageId: randomUUID(), role: 'ROLE_AGENT', parts: [{ text }] } }),
        ),
        { kind: 'status', taskId, status: { state } },
      ],
      { at, owner: 'before' },
    );
  };
  tell('Old failure', 'TASK_STATE_FAILED', Date.now() - 50 * day, ['It did not work.']);
  tell('Fresh success', 'TASK_STATE_COMPLETED', recent + 1000, ['All is well.']);
  tell(
    'Long talk',
    'TASK_STATE_COMPLETED',
    recent,
    Array.from({ length: 600 }, (_, index) => (index === 40 ? '这里藏着一只蓝色的鲸鱼 in the deep' : `Line ${index}\n\nof a long talk`)),
  );
  store.close();
}

suite('history in the tree', () => {
  let stage: Stage;
  let tree: TreeView;
  let userDataDir: string;
  suiteSetup(async () => {
    userDataDir = await mkdtemp(join(tmpdir(), 'a2a-user-data-'));
    await writeHistory(userDataDir);
    stage = await Stage.open({ userDataDir });
    tree = await stage.tree();
    await tree.expand(agent);
  });
  suiteTeardown(async () => {
    await stage?.close();
    await rm(userDataDir, { recursive: true, force: true, maxRetries: 3 });
  });
  const gone = (text: string | RegExp): Promise<void> => tree.item(text).waitFor({ state: 'detached' });
  const isAbove = async (one: string | (() => string), other: string): Promise<void> =>
    eventually(async () => {
      const texts = await tree.texts();
      const [first, second] = [typeof one === 'string' ? one : one(), other].map(title => texts.findIndex(text => text.includes(title)));
      assert.ok(first !== undefined && second !== undefined && first >= 0 && first < second, texts.join(' | '));
    });

  test('a search in any script opens the chat at what was found', async () => {
    const { workbench } = stage;
    await workbench.command('A2A: Search History…');
    await workbench.write('鲸鱼 deep');
    const found = workbench.page.locator('.quick-input-list .monaco-list-row', { hasText: '蓝色的鲸鱼' }).first();
    await found.waitFor();
    await workbench.screenshot('history-search');
    await found.click();
    const row = (await stage.chat(agent).frame()).locator('.row', { hasText: '蓝色的鲸鱼' });
    await row.waitFor();
    await eventually(async () => {
      const [box, panel] = [await row.boundingBox(), await workbench.page.locator('.part.editor').boundingBox()];
      assert.ok(
        box !== null && panel !== null && box.y > panel.y && box.y + box.height < panel.y + panel.height,
        JSON.stringify([box, panel]),
      );
    });
    await eventually(async () => assert.equal(await row.evaluate(element => element === element.ownerDocument.activeElement), true));
    await workbench.screenshot('history-revealed');
    // A chat that is opened takes the focus from the tree, in its own time.
    await workbench.command('View: Close All Editors');
    await workbench.tab(/Long talk/).waitFor({ state: 'detached' });
  });

  test('a renamed and pinned context is first, with its own title', async () => {
    await tree.contextMenu('Old failure', 'Rename…');
    await stage.workbench.answer('My own title');
    await tree.item('My own title').waitFor();
    await isAbove('Fresh success', 'My own title');
    await tree.contextMenu('My own title', 'Pin');
    await isAbove('My own title', 'Fresh success');
    await tree.item('My own title').locator('.codicon-pinned').first().waitFor();
    await tree.contextMenu('My own title', 'Unpin');
    await isAbove('Fresh success', 'My own title');
  });

  test('what was deleted, several rows at once, comes back by Undo', async () => {
    const { workbench } = stage;
    for (const title of ['My own title', 'Fresh success']) {
      await tree.item(title).click({ modifiers: ['Control'] });
      await eventually(async () => assert.equal(await tree.item(title).getAttribute('aria-selected'), 'true'));
    }
    await workbench.page.keyboard.press('Delete');
    await gone('Fresh success');
    await gone('My own title');
    await tree.item('Long talk').waitFor();
    await (await workbench.notified('Deleted 2 items')).getByRole('button', { name: 'Undo' }).click();
    await tree.item('Fresh success').waitFor();
    await tree.item('My own title').waitFor();
  });

  test('grouped by time, also after a reload', async () => {
    const { workbench } = stage;
    await workbench.command('A2A: Group by Time');
    await isAbove(recentPeriod, 'Older');
    await tree.item(/Old failure.*failed/).waitFor();
    await workbench.reload();
    tree = await stage.tree();
    await tree.expand(agent);
    await isAbove(recentPeriod, 'Older');
    await workbench.screenshot('history-by-time');
    await workbench.command('A2A: Group by Context');
    await gone(recentPeriod());
  });

  test('exported, deleted and imported again; a bad line is told with its number', async () => {
    const { workbench } = stage;
    const path = join(stage.folder, 'out.jsonl');
    await tree.contextMenu('Fresh success', 'Export…');
    await workbench.pick('Tasks');
    await eventually(async () => assert.match(await workbench.quickInput().inputValue(), /Fresh success\.jsonl$/));
    await workbench.answerPath(path);
    await workbench.notified('Exported to');
    const text = await readFile(path, 'utf8');
    assert.match(text, /All is well/);
    assert.equal(text.trimEnd().split('\n').length, 1);
    await writeFile(path, `${text}{"no": "task"}\n`);
    await workbench.command('Notifications: Clear All Notifications');
    await tree.contextMenu('Fresh success', 'Delete from History');
    await gone('Fresh success');
    await workbench.command('A2A: Import Tasks…');
    await eventually(async () => assert.match(await workbench.quickInput().inputValue(), /^\/.*\/$/));
    await workbench.answerPath(path);
    await workbench.notified(/the first of them line 2/);
    await tree.item('Fresh success').waitFor();
  });

  test('a transcript in Markdown', async () => {
    const { workbench } = stage;
    const path = join(stage.folder, 'talk.md');
    await workbench.command('Notifications: Clear All Notifications');
    await tree.contextMenu('Long talk', 'Export…');
    await workbench.pick('Transcript');
    await eventually(async () => assert.match(await workbench.quickInput().inputValue(), /\.md$/));
    await workbench.answerPath(path);
    await workbench.notified('Exported to');
    assert.match(await readFile(path, 'utf8'), /蓝色的鲸鱼/);
  });

  test('cleaning up says first what would go', async () => {
    const { workbench } = stage;
    await workbench.command('A2A: Clean Up History…');
    await workbench.pick('Tasks that last changed more than 30 days ago');
    const dialog = workbench.page.locator('.monaco-dialog-box');
    await dialog.getByText(/Tasks: 1, contexts: 1, exchanges: 0/).waitFor();
    await workbench.screenshot('history-clean-up');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await gone('My own title');
    await tree.item('Long talk').waitFor();
  });

  test('tasks that only the agent knows show with a cloud, and once only', async () => {
    await sendText(stage.agents.urls.Currency, 'How much is 10 USD in INR?');
    await tree.inlineAction(/Currency.*reachable/, 'Refresh Agent');
    const row = tree.item(/How much is 10/);
    await row.locator('.codicon-cloud').waitFor();
    await tree.inlineAction(/Currency.*reachable/, 'Refresh Agent');
    await tree.expand(/How much is 10/);
    // The context and its task: the task's row comes after the agent has answered.
    await eventually(async () => {
      const texts = await tree.texts();
      assert.equal(texts.filter(text => /How much is 10/.test(text)).length, 2, texts.join(' | '));
    });
    await stage.workbench.screenshot('history-remote');
  });

  for (const [theme, name] of [
    ['Default High Contrast', 'high-contrast'],
    ['Light Modern', 'light'],
    ['Dark Modern', 'dark'],
  ] as const) {
    test(`the words and icons of the tree stand out in ${theme}`, async () => {
      await stage.workbench.setTheme(theme);
      await eventually(async () => {
        const rows = await tree.contrasts();
        assert.ok(rows.length > 3);
        assert.deepEqual(
          rows.filter(({ words, icon }) => !(words >= 4.5 && icon >= 3)),
          [],
        );
      });
      await stage.workbench.screenshot(`history-tree-${name}`);
    });
  }
});
