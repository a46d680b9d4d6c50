import * as assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { conformingAgent } from '../support/conformance/agent/conformingAgent.ts';
import { eventually } from '../support/eventually.ts';
import { Stage } from '../support/vscode/stage.ts';
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
  suiteSetup(async () => {
    agent = await conformingAgent({ version: '1.0', binding: 'JSONRPC', kind: 'bare', card: own => ({ ...own, name: 'Lighthouse' }) });
    stage = await Stage.open({ agents: { Lighthouse: agent.url }, withAgents: ['Currency', 'Writer'] });
    const { workbench, folder } = stage;
    const tree = await stage.tree();
    const unsent = await stage.newChat('Writer');
    await (await unsent.frame()).getByRole('textbox').fill('half a thought');
    await tree.contextMenu('Lighthouse', 'Check Conformance…');
    await workbench.pick('Ask Only What Starts No Work');
    await (await conformance()).getByRole('button', { name: 'RPC-04: passed' }).waitFor();
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

  test('has the draft of a chat without messages', async () => {
    await stage.workbench.tab(/^Writer/).click();
    await eventually(async () =>
      assert.equal(await (await stage.chat('Writer').frame()).getByRole('textbox').inputValue(), 'half a thought'),
    );
  });

  test('has the page of conformance with its run', async () => {
    await stage.workbench.tab(/^Conformance/).click();
    await (await conformance()).getByRole('button', { name: 'RPC-04: passed' }).waitFor();
  });

  test('lists the requests that were sent, found by what is typed', async () => {
    const { workbench } = stage;
    const rows = workbench.page.locator('.quick-input-widget .monaco-list-row', { hasText: 'rate.a2a' });
    await workbench.command('A2A: Show Sent Requests');
    await rows.first().waitFor();
    await workbench.screenshot('sent-requests');
    await workbench.write('nothing of the kind');
    await eventually(async () => assert.equal(await rows.count(), 0));
    await workbench.write('rate');
    await rows.first().click();
    await workbench.tab(/^ask .*\.json/).waitFor();
    await workbench.lens('Send Again').first().waitFor();
    await eventually(async () => assert.match(await workbench.editor().innerText(), /"state":\s"[Cc]ompleted"/));
  });
});
