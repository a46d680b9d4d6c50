import * as assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TaskState } from '../../../src/protocol/message/taskState.ts';
import { openStore } from '../../../src/store/openStore.ts';
import { eventually } from '../../support/eventually.ts';
import { Stage } from '../../support/vscode/stage.ts';
import type { TreeView } from '../../support/vscode/treeView.ts';

const agent = 'Currency';

/** Contexts whose newest tasks failed, wait or are completed, and two that tests made, one of which waits. */
async function writeHistory(userDataDir: string): Promise<void> {
  const folder = join(userDataDir, 'User', 'globalStorage', 'a2a-workbench.a2a-workbench');
  await mkdir(folder, { recursive: true });
  const store = openStore(join(folder, 'history.db'));
  const tell = (title: string, states: readonly TaskState[], at: number, testRun?: boolean): void => {
    const key = randomUUID();
    store.putContext({ key, agent, contextId: randomUUID(), at, testRun });
    for (const [index, state] of states.entries()) {
      const taskId = `${title}-${index}`;
      store.record(
        key,
        [
          { kind: 'task', taskId },
          { kind: 'message', taskId, message: { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text: title }] } },
          { kind: 'status', taskId, status: { state } },
        ],
        { at, owner: 'before' },
      );
    }
  };
  tell('Fine work', ['TASK_STATE_FAILED', 'TASK_STATE_COMPLETED'], Date.now() - 40_000);
  tell('Broken work', ['TASK_STATE_COMPLETED', 'TASK_STATE_FAILED'], Date.now() - 3_600_000);
  tell('Tested well', ['TASK_STATE_COMPLETED'], Date.now() - 5_000, true);
  tell('Tested question', ['TASK_STATE_INPUT_REQUIRED'], Date.now() - 10_000, true);
  store.close();
}

suite('rows of contexts', () => {
  let stage: Stage;
  let tree: TreeView;
  let userDataDir: string;
  let laterPort: number;
  suiteSetup(async () => {
    userDataDir = await mkdtemp(join(tmpdir(), 'a2a-user-data-'));
    await writeHistory(userDataDir);
    const free = createServer().listen(0, '127.0.0.1');
    await once(free, 'listening');
    ({ port: laterPort } = free.address() as AddressInfo);
    free.close();
    // The history's agent is that of the stage; the others are of no matter here.
    stage = await Stage.open({
      userDataDir,
      agents: { Later: `http://127.0.0.1:${laterPort}`, Sooner: `http://localhost:${laterPort}/` },
      withAgents: [agent],
    });
    tree = await stage.tree();
    await tree.item(/Currency.*reachable/).waitFor();
  });
  suiteTeardown(async () => {
    await stage?.close();
    await rm(userDataDir, { recursive: true, force: true, maxRetries: 3 });
  });

  test('a test that is run makes its context there', async () => {
    const { workbench } = stage;
    await writeFile(
      join(stage.folder, 'tested.a2a'),
      JSON.stringify({ agent, message: 'Convert 10 USD to EUR', expect: { state: 'completed' } }),
    );
    await workbench.openFile('tested.a2a');
    await workbench.runTestsOfFile();
    await eventually(async () => {
      const texts = await tree.texts();
      assert.ok(
        texts.findIndex(text => text.includes('Convert 10')) > texts.findIndex(text => text.includes('Test runs')),
        texts.join(' | '),
      );
    });
    await workbench.screenshot('context-rows-tested');
  });

  test('an agent that is started turns reachable by itself; two names of one address are said', async () => {
    await tree.item(/Later.*unreachable.*same address as "Sooner"/).waitFor();
    await stage.workbench.screenshot('context-rows-twins');
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
    const inTree = (): Promise<boolean> => workbench.page.evaluate(() => document.activeElement?.closest('.part.sidebar') !== null);
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
    await workbench.screenshot('context-rows-deleted-by-key');
    await workbench.command('A2A: Undo Last Delete');
    await tree.item(/Fine work/).waitFor();
    await workbench.command('Notifications: Clear All Notifications');
  });
});
