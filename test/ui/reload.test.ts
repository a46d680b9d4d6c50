import * as assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { conformingAgent } from '../support/conformance/agent/conformingAgent.ts';
import { eventually } from '../support/eventually.ts';
import { Stage } from '../support/vscode/stage.ts';
import type { TreeView } from '../support/vscode/treeView.ts';
import { webviewFrame } from '../support/vscode/webviewFrame.ts';

const card = {
  name: 'Harbour master',
  description: 'Finds a berth.',
  version: '2.4.0',
  supportedInterfaces: [{ url: 'https://harbour.example/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  capabilities: {},
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: 'berth', name: 'Book a berth', description: 'Finds and books a berth.', tags: ['berths'] }],
};

/** What each page restores by itself; one reload shows all of them. */
suite('a window that is loaded anew', () => {
  let agent: Awaited<ReturnType<typeof conformingAgent>>;
  let stage: Stage;
  let tree: TreeView;
  suiteSetup(async () => {
    agent = await conformingAgent({ version: '1.0', binding: 'JSONRPC', kind: 'bare', card: own => ({ ...own, name: 'Lighthouse' }) });
    stage = await Stage.open({ agents: { Lighthouse: agent.url }, withAgents: ['Currency', 'Writer'] });
    const { workbench, folder } = stage;
    tree = await stage.tree();
    // Two of the same title, and a third one: titles alone do not tell which tab is whose.
    for (const text of ['How much is 10 USD?', 'How much is 10 USD?', 'What is 20 EUR in INR?']) {
      const chat = await stage.newChat('Currency');
      await chat.send(text);
      await eventually(async () =>
        assert.match(await workbench.page.locator('.part.editor .tab.active').innerText(), new RegExp(text.slice(0, 10))),
      );
      await chat.idle();
    }
    const unsent = await stage.newChat('Writer');
    await (await unsent.frame()).getByRole('textbox').fill('half a thought');
    await tree.contextMenu('Lighthouse', 'Check Conformance…');
    await workbench.pick('Read-Only Checks');
    await (await conformance()).getByRole('button', { name: /^RPC-04, .*: passed/ }).waitFor();
    await writeFile(join(folder, 'harbour-master.agent-card.json'), `${JSON.stringify(card, null, 2)}\n`);
    await workbench.openFile('harbour-master.agent-card.json');
    await workbench.command('A2A: Open Card Preview');
    await (await cardPreview()).getByRole('heading', { name: 'Book a berth' }).waitFor();
    await writeFile(join(folder, 'rate.a2a'), '{ "agent": "Currency", "name": "ask", "message": "Convert 10 USD to INR" }\n');
    await workbench.command('View: Focus First Editor Group');
    await workbench.openFile('rate.a2a');
    await workbench.pressLens(workbench.lens('Send Request'), workbench.lens(/completed/));
    await workbench.pressLens(workbench.lens('Preview'), workbench.tab(/^Preview rate/));
    await workbench.reload();
    tree = await stage.tree();
  });
  suiteTeardown(async () => {
    await stage?.close();
    await agent?.stop();
  });

  const conformance = () => webviewFrame(stage.workbench.page, 'h1:text-is("Conformance of Lighthouse")');
  const cardPreview = () => webviewFrame(stage.workbench.page, 'h1:text-is("Harbour master")');

  test('has the preview of a card again, and no preview of a response, which is not kept', async () => {
    await (await cardPreview()).getByRole('heading', { name: 'Book a berth' }).waitFor();
    await eventually(async () => assert.equal(await stage.workbench.tab(/^Preview rate/).count(), 0));
  });

  test('shows a context whose tab sleeps in the background in that tab', async () => {
    const { workbench } = stage;
    const tabs = (): Promise<string[]> => workbench.page.locator('.part.editor .tab').allInnerTexts();
    const inTree = (): Promise<boolean> => workbench.page.evaluate(() => document.activeElement?.closest('.part.sidebar') !== null);
    const before = await tabs();
    assert.deepEqual(
      before.slice(0, 3).map(title => /How much|20 EUR/.exec(title)?.[0]),
      ['How much', 'How much', '20 EUR'],
    );
    await tree.expand('Currency');
    // The two that wait are first in the tree, and the newest context is last among the tabs.
    await tree.item(/20 EUR/).waitFor();
    const alike = workbench.page
      .locator('.part.sidebar .pane')
      .getByRole('treeitem')
      .filter({ hasText: /How much is/ });
    const isInFront = (position: number): Promise<void> =>
      eventually(async () => {
        assert.equal(await workbench.page.locator('.part.editor .tab').nth(position).getAttribute('aria-selected'), 'true');
        assert.deepEqual(await tabs(), before);
      });
    // The title has no room beside another editor: the message tells that the page is there.
    const wakes = async (): Promise<void> =>
      (await stage.chat('Currency').locator('.row.mine'))
        .filter({ hasText: /How much is 10/ })
        .first()
        .waitFor();
    // The newer of the two that have one title, by the keyboard. The tab that is tried first is the other one's.
    await tree.item(/20 EUR/).click();
    await isInFront(2);
    // A page that wakes takes the focus once it is there.
    await stage.chat('Currency').idle();
    await eventually(async () => assert.equal(await inTree(), false));
    await workbench.focusAgents();
    for (const key of ['ArrowUp', 'ArrowUp']) await workbench.page.keyboard.press(key);
    await alike.and(workbench.page.locator('.focused')).waitFor();
    await workbench.page.keyboard.press('Enter');
    await isInFront(1);
    await wakes();
    await eventually(async () => assert.equal(await inTree(), true, 'the focus is in the tree'));
    await alike.nth(1).click();
    await isInFront(0);
    await wakes();
  });

  test('has the draft of a chat without messages', async () => {
    await stage.workbench.tab(/^Writer/).click();
    await eventually(async () =>
      assert.equal(await (await stage.chat('Writer').frame()).getByRole('textbox').inputValue(), 'half a thought'),
    );
  });

  test('has the page of conformance with its run', async () => {
    await stage.workbench.tab(/^Conformance/).click();
    await (await conformance()).getByRole('button', { name: /^RPC-04, .*: passed/ }).waitFor();
  });

  test('lists the requests that were sent, found by what is typed', async () => {
    const { workbench } = stage;
    const rows = workbench.page.locator('.quick-input-widget .monaco-list-row', { hasText: 'rate.a2a' });
    await workbench.command('A2A: Show Sent Requests');
    await rows.first().waitFor();
    await workbench.write('nothing of the kind');
    await eventually(async () => assert.equal(await rows.count(), 0));
    await workbench.write('rate');
    await rows.first().click();
    await workbench.tab(/^ask .*\.json/).waitFor();
    await workbench.lens('Send Again').first().waitFor();
    await eventually(async () => assert.match(await workbench.editor().innerText(), /"state":\s"[Cc]ompleted"/));
  });
});
