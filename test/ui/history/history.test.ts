import * as assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Step } from '../../../src/mock/script.ts';
import { scriptedAgent, type ScriptedAgent } from '../../../src/mock/scriptedAgent.ts';
import type { TaskChange } from '../../../src/protocol/message/taskChange.ts';
import type { TaskState } from '../../../src/protocol/message/taskState.ts';
import { openStore } from '../../../src/store/openStore.ts';
import { eventually } from '../../support/eventually.ts';
import { Stage } from '../../support/vscode/stage.ts';
import type { TreeView } from '../../support/vscode/treeView.ts';

/** Of these, the first is among the sample agents, the second one is the test's own, and the others are not configured. */
const [agent, drafterName, archive, removed] = ['Currency', 'Drafter', 'Archive', 'Old friend'] as const;

/** A history from before, of agents that are configured, that are not, and of an address. */
async function writeHistory(userDataDir: string, address: string): Promise<void> {
  const folder = join(userDataDir, 'User', 'globalStorage', 'a2a-workbench.a2a-workbench');
  await mkdir(folder, { recursive: true });
  const store = openStore(join(folder, 'history.db'));
  const tell = (of: string, title: string, state: TaskState, at: number, answers: readonly string[] = []): void => {
    const key = randomUUID();
    const taskId = `task-${title}`;
    const message = (role: 'ROLE_USER' | 'ROLE_AGENT', text: string): TaskChange => ({
      kind: 'message',
      taskId,
      message: { messageId: randomUUID(), role, parts: [{ text }] },
    });
    store.putContext({ key, agent: of, contextId: randomUUID(), at });
    store.record(
      key,
      [
        { kind: 'task', taskId },
        message('ROLE_USER', title),
        ...answers.map(text => message('ROLE_AGENT', text)),
        { kind: 'status', taskId, status: { state } },
      ],
      { at, owner: 'before' },
    );
  };
  const recent = Date.now() - 3_600_000;
  tell(agent, 'Fine work', 'TASK_STATE_COMPLETED', recent + 1_000);
  tell(agent, 'Broken work', 'TASK_STATE_FAILED', recent);
  tell(archive, 'Old failure', 'TASK_STATE_FAILED', recent - 2_000);
  tell(archive, 'Fresh success', 'TASK_STATE_COMPLETED', recent + 1_000);
  const lines = Array.from({ length: 600 }, (_, index) =>
    index === 40 ? '这里藏着一只蓝色的鲸鱼 in the deep' : `Line ${index}\n\nof a long talk`,
  );
  tell(archive, 'Long talk', 'TASK_STATE_COMPLETED', recent, lines);
  tell(removed, 'Question', 'TASK_STATE_COMPLETED', recent);
  tell(address, 'Please write the whole report for this quarter', 'TASK_STATE_INPUT_REQUIRED', recent);
  store.close();
}

const draft = (text: string): Step => ({
  event: {
    artifactUpdate: {
      taskId: 'drafts',
      contextId: 'c-drafts',
      artifact: { artifactId: 'plan', name: 'plan.md', parts: [{ text }] },
      append: false,
      lastChunk: true,
    },
  },
});

suite('the tree of agents and of the history', () => {
  let stage: Stage;
  let tree: TreeView;
  let userDataDir: string;
  let drafter: ScriptedAgent;
  let stranger: ScriptedAgent;
  /** Of an agent that runs and is not configured. */
  let address: string;
  /** Where no agent runs yet. */
  let laterPort: number;
  suiteSetup(async () => {
    drafter = scriptedAgent({
      version: '1.0',
      script: {
        SendStreamingMessage: [
          { event: { task: { id: 'drafts', contextId: 'c-drafts', status: { state: 'TASK_STATE_WORKING' } } } },
          draft('# Plan\n\nSail on Monday.\n'),
          draft('# Plan\n\nSail on Tuesday.\n'),
          draft('# Plan\n\nSail on Tuesday,\nwith a crew of three.\n'),
          { event: { statusUpdate: { taskId: 'drafts', contextId: 'c-drafts', status: { state: 'TASK_STATE_COMPLETED' } } } },
        ],
      },
    });
    stranger = scriptedAgent({ version: '1.0', script: {} });
    await Promise.all([drafter.start(), stranger.start()]);
    address = `localhost:${new URL(stranger.url).port}`;
    const free = createServer().listen(0, '127.0.0.1');
    await once(free, 'listening');
    ({ port: laterPort } = free.address() as AddressInfo);
    free.close();
    userDataDir = await mkdtemp(join(tmpdir(), 'a2a-user-data-'));
    await writeHistory(userDataDir, address);
    stage = await Stage.open({
      userDataDir,
      agents: { [drafterName]: drafter.url, Later: `http://127.0.0.1:${laterPort}` },
      withAgents: [agent],
    });
    tree = await stage.tree();
    await tree.item(/Currency.*reachable/).waitFor();
  });
  suiteTeardown(async () => {
    await stage?.close();
    await Promise.all([drafter.stop(), stranger.stop()]);
    await rm(userDataDir, { recursive: true, force: true, maxRetries: 3 });
  });

  const inTree = (): Promise<boolean> => stage.workbench.page.evaluate(() => document.activeElement?.closest('.part.sidebar') !== null);

  test('an agent that is not configured has a row in the tree, with nothing that needs the agent', async () => {
    await tree.item(/Old friend.*not configured/).waitFor();
    await tree.item(new RegExp(`${address}.*not configured`)).waitFor();
    const actions = async (row: string): Promise<(string | null)[]> => {
      await tree.item(row).hover();
      const labels = tree.item(row).locator('.actions .action-label');
      return Promise.all((await labels.all()).map(label => label.getAttribute('aria-label')));
    };
    await eventually(async () => assert.deepEqual(await actions(removed), []));
    await eventually(async () => assert.deepEqual(await actions(address), ['Add Agent…']));
  });

  test('a task row in a side bar of usual width shows the state whole', async () => {
    await tree.expand(address);
    await tree.expand(/Please write/);
    // The row under the mouse and the selected one have buttons at their end.
    const row = tree.item(/input required/);
    const container = await row.locator('.monaco-icon-label-container').boundingBox();
    assert.ok(container !== null);
    const state = await row.locator('.label-description').evaluate(element => {
      const text = element.firstChild;
      if (text === null) throw new Error('no description');
      const range = element.ownerDocument.createRange();
      range.setStart(text, 0);
      range.setEnd(text, 'input required'.length);
      return range.getBoundingClientRect().right;
    });
    assert.ok(state <= container.x + container.width, `the state ends at ${state}, the row at ${container.x + container.width}`);
  });

  test('a command of the keyboard means the selected row, and says so where there is none', async () => {
    const { workbench } = stage;
    await workbench.command('A2A: Open Task');
    await workbench.notified('Select a task in the A2A view first.');
    await workbench.command('Notifications: Clear All Notifications');
    await tree.item(/input required/).click();
    await workbench.command('A2A: Open Task');
    await eventually(async () => assert.match(await workbench.editor().innerText(), /input.required/));
  });

  test('an address in the history is added from its row, with what was said to it', async () => {
    const { workbench } = stage;
    await tree.inlineAction(address, 'Add Agent…');
    await eventually(async () => assert.equal(await workbench.quickInput().inputValue(), address));
    await workbench.page.keyboard.press('Enter');
    await tree.item(/Scripted agent.*reachable/).waitFor();
    await tree.item(new RegExp(`${address}.*not configured`)).waitFor({ state: 'detached' });
    await tree.item(/Please write/).waitFor();
  });

  test('a search in any script opens the chat at what was found', async () => {
    const { workbench } = stage;
    await workbench.command('A2A: Search History…');
    await workbench.write('鲸鱼 deep');
    const found = workbench.page.locator('.quick-input-list .monaco-list-row', { hasText: '蓝色的鲸鱼' }).first();
    await found.waitFor();
    await found.click();
    const row = (await stage.chat(archive).frame()).locator('.row', { hasText: '蓝色的鲸鱼' });
    await row.waitFor();
    await eventually(async () => {
      const [box, panel] = [await row.boundingBox(), await workbench.page.locator('.part.editor').boundingBox()];
      assert.ok(
        box !== null && panel !== null && box.y > panel.y && box.y + box.height < panel.y + panel.height,
        JSON.stringify([box, panel]),
      );
    });
    await eventually(async () => assert.equal(await row.evaluate(element => element === element.ownerDocument.activeElement), true));
    // A chat that is opened takes the focus from the tree, in its own time.
    await workbench.command('View: Close All Editors');
    await workbench.tab(/Long talk/).waitFor({ state: 'detached' });
  });

  test('what was deleted, several rows at once, comes back by Undo', async () => {
    const { workbench } = stage;
    const gone = (text: string): Promise<void> => tree.item(text).waitFor({ state: 'detached' });
    await tree.expand(archive);
    for (const title of ['Old failure', 'Fresh success']) {
      await tree.item(title).click({ modifiers: ['Control'] });
      await eventually(async () => assert.equal(await tree.item(title).getAttribute('aria-selected'), 'true'));
    }
    await workbench.page.keyboard.press('Delete');
    await gone('Fresh success');
    await gone('Old failure');
    await tree.item('Long talk').waitFor();
    await (await workbench.notified('Deleted 2 items')).getByRole('button', { name: 'Undo' }).click();
    await tree.item('Fresh success').waitFor();
    await tree.item('Old failure').waitFor();
  });

  test('an agent that is started turns reachable by itself', async () => {
    await tree.item(/Later.*unreachable/).waitFor();
    const card = {
      name: 'Later',
      description: 'd',
      version: '1',
      capabilities: {},
      defaultInputModes: [],
      defaultOutputModes: [],
      skills: [],
      supportedInterfaces: [{ url: `http://127.0.0.1:${laterPort}`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    };
    const server = createServer((_request, response) => {
      response.setHeader('content-type', 'application/json').end(JSON.stringify(card));
    });
    server.listen(laterPort, '127.0.0.1');
    try {
      await tree.item(/Later(?!.*unreachable).*reachable/).waitFor();
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });

  test('Enter opens a row and the focus stays in the tree; F2 renames', async () => {
    const { workbench } = stage;
    await tree.item(/Broken work/).click();
    await workbench.tab(/Broken work/).waitFor();
    await eventually(async () => assert.equal(await inTree(), false, 'a click goes to the chat'));
    await workbench.command('View: Close All Editors');
    await workbench.tab(/Broken work/).waitFor({ state: 'detached' });
    await workbench.focusAgents();
    await workbench.page.keyboard.press('Enter');
    await workbench.tab(/Broken work/).waitFor();
    await (await stage.chat(agent).frame()).getByRole('textbox').waitFor();
    await eventually(async () => assert.equal(await inTree(), true));
    await workbench.page.keyboard.press('F2');
    await workbench.answer('Repaired work');
    await tree.item(/Repaired work/).waitFor();
  });

  test('Delete and F2 mean the row that has the focus, not the one that was opened before', async () => {
    const { workbench } = stage;
    const { keyboard } = workbench.page;
    const focused = workbench.page.locator('.part.sidebar .monaco-list:focus-within .monaco-list-row.focused');
    const moveTo = async (title: string): Promise<void> => {
      await workbench.focusAgents();
      await keyboard.press('Home');
      // One key at a time: VS Code moves the focus when it has drawn.
      await eventually(async () => {
        if ((await focused.innerText()).includes(title)) return;
        await keyboard.press('ArrowDown');
        assert.ok((await focused.innerText()).includes(title));
      });
    };
    await moveTo('Repaired work');
    await keyboard.press('Enter');
    await workbench.page.locator('.part.sidebar .monaco-list-row.selected', { hasText: 'Repaired work' }).waitFor();
    await moveTo('Fine work');
    await keyboard.press('F2');
    await eventually(async () => assert.equal(await workbench.quickInput().inputValue({ timeout: 1_000 }), 'Fine work'));
    await keyboard.press('Escape');
    await moveTo('Fine work');
    await keyboard.press('Delete');
    await workbench.notified('Deleted "Fine work" from the history.');
    await tree.item(/Fine work/).waitFor({ state: 'detached' });
    assert.equal(await tree.item(/Repaired work/).count(), 1);
    assert.equal(await workbench.tab(/Fine work/).count(), 0, 'nothing was opened by the way');
    await workbench.command('A2A: Undo Last Delete');
    await tree.item(/Fine work/).waitFor();
    await workbench.command('Notifications: Clear All Notifications');
  });

  test('what was replaced within a task is counted on the card, and compared', async () => {
    const chat = await stage.newChat(drafterName);
    await chat.send('Draft a plan');
    await chat.idle();
    const mark = (await chat.locator('.version')).first();
    await eventually(async () => assert.equal(await mark.innerText(), 'v1 · revision 3 of 3'));
    await mark.click();
    await (await chat.frame()).getByRole('menuitem', { name: 'Compare Revisions…' }).waitFor();
    await (await chat.frame()).getByRole('menuitem', { name: 'Compare Revisions…' }).click();
    const rows = stage.workbench.page.locator('.quick-input-widget:visible .quick-input-list .monaco-list-row .label-name:visible');
    await eventually(async () =>
      assert.deepEqual(await rows.allInnerTexts(), ['revision 2 ↔ revision 3', 'revision 1 ↔ revision 3', 'revision 1 ↔ revision 2']),
    );
    await stage.workbench.pick('revision 1 ↔ revision 2');
    await stage.workbench.tab('plan.md: revision 1 ↔ revision 2').waitFor();
    const sides = stage.workbench.page.locator('.monaco-diff-editor');
    await eventually(async () =>
      assert.match((await sides.innerText()).replaceAll('\u00a0', ' '), /Sail on Monday\.[\s\S]*Sail on Tuesday\./),
    );
    await stage.workbench.command('View: Close Editor');
  });

  test('Enter opens tasks and artifacts, and the focus stays in the tree', async () => {
    const { workbench } = stage;
    await tree.expand(drafterName);
    await tree.expand(/Draft a plan/);
    const task = tree.item(/completed/);
    await task.waitFor();
    await task.click();
    await workbench.tab(/Draft a plan drafts/).waitFor();
    await tree.expand(/completed/);
    await tree.item(/plan\.md.*revision 3 of 3/).waitFor();
    await tree.item(/plan\.md/).click();
    await workbench.tab(/plan\.md/).waitFor();
    await workbench.command('View: Close All Editors');
    await workbench.tab(/plan\.md/).waitFor({ state: 'detached' });
    await workbench.focusAgents();
    await workbench.page.keyboard.press('Enter');
    await workbench.tab(/plan\.md/).waitFor();
    await workbench.page.locator('.editor-group-container', { hasText: 'crew' }).waitFor();
    await eventually(async () => assert.equal(await inTree(), true, 'the artifact took the focus'));
    await workbench.page.keyboard.press('ArrowUp');
    await workbench.page.keyboard.press('Enter');
    await workbench.tab(/Draft a plan drafts/).waitFor();
    await eventually(async () => assert.equal(await inTree(), true, 'the task took the focus'));
  });

  test('words and icons stand out in every theme', async () => {
    for (const theme of ['Default High Contrast', 'Light Modern', 'Dark Modern'] as const) {
      await stage.workbench.setTheme(theme);
      await eventually(async () => {
        const rows = await tree.contrasts();
        assert.ok(rows.length > 3);
        assert.deepEqual(
          rows.filter(({ words, icon }) => !(words >= 4.5 && icon >= 3)),
          [],
          theme,
        );
      });
    }
  });
});
