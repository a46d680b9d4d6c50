import * as assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { minimalCard } from '../../../src/mock/minimalCard.ts';
import { type ScriptedAgent, scriptedAgent } from '../../../src/mock/scriptedAgent.ts';
import { openStore } from '../../../src/store/openStore.ts';
import { eventually } from '../../support/eventually.ts';
import { atOtherHost } from '../../support/otherHost.ts';
import { Stage } from '../../support/vscode/stage.ts';

const removed = 'Old friend';
const stubborn = 'Stubborn';

/**
 * A history from before: sixty contexts of an agent that is no longer configured, one of an address, its task with artifacts, and one of
 * an agent that is there.
 */
async function writeHistory(userDataDir: string, address: string): Promise<void> {
  const folder = join(userDataDir, 'User', 'globalStorage', 'a2a-workbench.a2a-workbench');
  await mkdir(folder, { recursive: true });
  const store = openStore(join(folder, 'history.db'));
  const begun = Date.now() - 3_600_000;
  const context = (agent: string, text: string, at: number): string => {
    const key = randomUUID();
    store.putContext({ key, agent, contextId: randomUUID(), at });
    store.own.putMessage(key, { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text }] }, { at, owner: 'before' });
    return key;
  };
  for (let number = 1; number <= 60; number++) context(removed, `Question ${number}`, begun + number * 1_000);
  const key = context(address, 'Please write the whole report for this quarter, with figures', begun);
  store.record(
    key,
    [
      { kind: 'task', taskId: 'task-1' },
      {
        kind: 'message',
        taskId: 'task-1',
        message: { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'Please write the whole report for this quarter' }] },
      },
      {
        kind: 'artifact',
        taskId: 'task-1',
        complete: true,
        artifact: { artifactId: 'a-1', name: 'report v1.2', parts: [{ text: 'All is well.' }] },
      },
      { kind: 'artifact', taskId: 'task-1', complete: true, artifact: { artifactId: 'a-2', name: 'empty', parts: [] } },
      {
        kind: 'artifact',
        taskId: 'task-1',
        complete: true,
        artifact: { artifactId: 'a-3', name: 'elsewhere', parts: [{ url: 'https://files.example/report.pdf' }] },
      },
      { kind: 'status', taskId: 'task-1', status: { state: 'TASK_STATE_INPUT_REQUIRED' } },
    ],
    { at: begun, owner: 'before' },
  );
  store.record(
    context(stubborn, 'Book it', begun),
    [
      { kind: 'task', taskId: 'task-2' },
      { kind: 'message', taskId: 'task-2', message: { messageId: 'm-2', role: 'ROLE_USER', parts: [{ text: 'Book it' }] } },
      { kind: 'status', taskId: 'task-2', status: { state: 'TASK_STATE_INPUT_REQUIRED' } },
    ],
    { at: begun, owner: 'before' },
  );
  store.close();
}

suite('history from before', () => {
  let stage: Stage;
  let userDataDir: string;
  let agent: ScriptedAgent;
  /** Of an agent that runs and is not configured. */
  let address: string;
  let stranger: ScriptedAgent;
  let redirected: ScriptedAgent;
  suiteSetup(async () => {
    agent = scriptedAgent({ version: '1.0', script: {} });
    redirected = scriptedAgent({ version: '1.0', script: {}, card: () => minimalCard(atOtherHost(agent.url), '1.0') });
    stranger = scriptedAgent({ version: '1.0', script: {} });
    await Promise.all([agent.start(), redirected.start(), stranger.start()]);
    address = `localhost:${new URL(stranger.url).port}`;
    userDataDir = await mkdtemp(join(tmpdir(), 'a2a-user-data-'));
    await writeHistory(userDataDir, address);
    stage = await Stage.open({ agents: { [stubborn]: agent.url, Redirected: redirected.url }, userDataDir });
  });
  suiteTeardown(async () => {
    await stage?.close();
    await Promise.all([agent?.stop(), redirected?.stop(), stranger?.stop()]);
    await rm(userDataDir, { recursive: true, force: true, maxRetries: 3 });
  });

  test('an agent that is not configured has a row in the tree, with nothing that needs the agent', async () => {
    const tree = await stage.tree();
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
    const tree = await stage.tree();
    await tree.expand(address);
    await tree.expand(/Please write/);
    // The row under the mouse and the selected one have buttons at their end.
    const row = tree.item(/input required/);
    const container = await row.locator('.monaco-icon-label-container').boundingBox();
    assert.ok(container !== null);
    await stage.workbench.screenshot('history-narrow');
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
    const tree = await stage.tree();
    await workbench.command('A2A: Open Task');
    await workbench.notified('Select a task in the A2A view first.');
    await workbench.command('Notifications: Clear All Notifications');
    await tree.item(/input required/).click();
    await workbench.command('A2A: Open Task');
    await eventually(async () => assert.match(await workbench.editor().innerText(), /input.required/));
  });

  test('an address in the history is added from its row, with what was said to it', async () => {
    const { workbench } = stage;
    const tree = await stage.tree();
    await tree.inlineAction(address, 'Add Agent…');
    await eventually(async () => assert.equal(await workbench.quickInput().inputValue(), address));
    await workbench.page.keyboard.press('Enter');
    await tree.item(/Scripted agent\s*reachable/).waitFor();
    await tree.item(new RegExp(`${address}.*not configured`)).waitFor({ state: 'detached' });
    await tree.item(/Please write/).waitFor();
  });

  test('an agent whose card names another address is allowed to from its row', async () => {
    const tree = await stage.tree();
    await tree.item(/Redirected\s*unreachable/).waitFor();
    await tree.inlineAction('Redirected', 'Allow Address of Card');
    const dialog = stage.workbench.page.locator('.monaco-dialog-box');
    await dialog.getByText(`requests to ${new URL(atOtherHost(agent.url)).origin}`).waitFor();
    await dialog.getByRole('button', { name: 'Allow' }).click();
    await tree.item(/Redirected\s*reachable/).waitFor();
  });
});
