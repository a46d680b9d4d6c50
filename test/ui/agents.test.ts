import * as assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { eventually } from '../support/eventually.ts';
import { Stage } from '../support/vscode/stage.ts';
import { webviewFrame } from '../support/vscode/webviewFrame.ts';

/** A program with an agent card on the first port that is free among those where samples listen. */
async function agentOnUsualPort(name: string): Promise<{ port: number; server: Server }> {
  for (const port of [41_242, 10_004, 10_005, 10_010, 10_020, 10_030, 12_000]) {
    const card = {
      name,
      description: 'Finds a berth.',
      version: '1.0.0',
      supportedInterfaces: [{ url: `http://127.0.0.1:${port}/`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
      capabilities: {},
      defaultInputModes: ['text/plain'],
      defaultOutputModes: ['text/plain'],
      skills: [],
    };
    const server = createServer(
      (_request, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(card)),
    );
    const listens = await new Promise<boolean>(resolve => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (listens) return { port, server };
  }
  throw new Error('every port of the samples is taken');
}

suite('agents', () => {
  let stage: Stage;
  suiteSetup(async () => {
    stage = await Stage.open({ agents: {} });
  });
  suiteTeardown(() => stage.close());

  test('an empty tree says what to do', async () => {
    await stage.tree();
    const welcome = stage.workbench.page.locator('.part.sidebar .welcome-view-content');
    await welcome.getByRole('button', { name: 'Add Agent…' }).waitFor();
    await welcome.getByRole('button', { name: 'Start Sample Agents' }).waitFor();
  });

  test('the walkthrough leads to conformance checks too, with a picture', async () => {
    const { workbench } = stage;
    await workbench.command('Welcome: Open Walkthrough...');
    await workbench.pick('Get Started with A2A Workbench');
    const steps = workbench.page.locator('.getting-started-step');
    await steps.filter({ hasText: 'Check protocol conformance' }).click();
    await steps.getByText('The rules of A2A').waitFor();
    // VS Code shows the picture only where there is room for it.
    await workbench.page.setViewportSize({ width: 1600, height: 800 });
    await webviewFrame(workbench.page, 'svg[viewBox="0 0 640 400"]');
    await workbench.page.setViewportSize({ width: 1280, height: 800 });
    await workbench.command('View: Close Editor');
  });

  test('agents that run on this machine are offered', async () => {
    const { workbench } = stage;
    const running = await agentOnUsualPort('Harbour master');
    try {
      await workbench.pickCommand('A2A: Add Agent…');
      const rows = workbench.page.locator('.quick-input-widget .monaco-list-row');
      await rows
        .filter({ hasText: 'Harbour master' })
        .filter({ hasText: `:${running.port}` })
        .waitFor();
      await rows.filter({ hasText: 'Harbour master' }).click();
      const tree = await stage.tree();
      const row = tree.item(/Harbour master.*reachable/);
      await row.waitFor();
      await eventually(async () => assert.equal(await row.getAttribute('aria-selected'), 'true'));
      assert.equal(await workbench.page.locator('.part.sidebar :focus').count(), 0, 'the row has taken the focus');
    } finally {
      running.server.close();
    }
  });

  test('a step of the walkthrough is done by the agent that was added, not by a chat that was opened', async () => {
    const { workbench } = stage;
    // The chat of an agent that was added is open, and nothing was sent in it.
    await stage.chat('Harbour master').frame();
    await workbench.command('Welcome: Open Walkthrough...');
    await workbench.pick('Get Started with A2A Workbench');
    const isDone = (title: string) =>
      workbench.page.locator('.getting-started-step', { hasText: title }).getByRole('checkbox').first().getAttribute('aria-checked');
    assert.deepEqual(await Promise.all(['Add your agent', 'Chat with it', 'Check protocol conformance'].map(isDone)), [
      'true',
      'false',
      'false',
    ]);
    await workbench.command('View: Close All Editors');
  });

  test('sample agents that are started show that, and where they are, beside others; also when they run already', async () => {
    const { workbench } = stage;
    await workbench.command('View: Show Explorer');
    const explorer = workbench.page.locator('.part.sidebar .composite.title', { hasText: /explorer/i });
    await explorer.waitFor();
    const told = workbench.notification('Starting the sample agents…').first().waitFor();
    await workbench.command('A2A: Start Sample Agents');
    await told;
    assert.equal(await workbench.notification(/Internal error/).count(), 0);
    const rows = workbench.page.locator('.part.sidebar').getByRole('treeitem', { name: /Currency/ });
    await rows.first().waitFor();
    const first = stage.chat('Writer');
    await eventually(async () =>
      assert.equal(
        await (await first.frame()).getByRole('textbox').inputValue(),
        'Write the harbour handbook',
        'the first prompt is filled in',
      ),
    );
    const tree = await stage.tree();
    await tree
      .item(/^New Chat/)
      .first()
      .waitFor();
    await tree.item(/Currency.*reachable/).waitFor();
    await tree.select(/Currency/);
    await stage.chat('Currency').frame();
    await workbench.command('View: Show Explorer');
    await explorer.waitFor();
    await workbench.command('A2A: Start Sample Agents');
    await workbench.notified(/The sample agents are already running: .*Currency/);
    await rows.first().waitFor();
    await workbench.command('Notifications: Clear All Notifications');
  });

  test('sample agents are there with their tasks after a reload of the window', async () => {
    const { workbench } = stage;
    let tree = await stage.tree();
    await tree.item(/Currency.*reachable/).waitFor();
    const chat = await stage.newChat('Currency');
    await chat.send('Convert 15 USD');
    await tree.item(/Convert.*waiting/).waitFor();
    await workbench.reload();
    tree = await stage.tree();
    await tree.item(/Currency.*reachable/).waitFor();
    await tree.item(/Convert.*waiting/).waitFor();
    // The task goes on where it was; another chat with the agent may be in front.
    await tree.item(/Convert.*waiting/).click();
    const again = stage.chat('Currency');
    await eventually(() => again.shows('Convert 15 USD', 2_000));
    await again.send('INR');
    await again.shows(/INR/);
    await eventually(async () => assert.doesNotMatch(await tree.item(/Convert/).innerText(), /waiting|lost|failed/));
  });

  test('a sample agent misbehaves as long as its row says so', async () => {
    const { workbench } = stage;
    const tree = await stage.tree();
    await tree.contextMenu(/^Writer/, 'Choose Fault…');
    await workbench.write('HTTP status');
    await workbench.pick('status');
    await workbench.answer('429');
    await tree.item(/^Writer.*fault: status=429/).waitFor();
    const chat = await stage.newChat('Writer');
    await chat.send('Write a short text about the sea.');
    await chat.shows(/429/);
    await tree.contextMenu(/^Writer/, 'Choose Fault…');
    await workbench.pick('No Fault');
    await eventually(async () =>
      assert.doesNotMatch(
        await tree
          .item(/^Writer/)
          .first()
          .innerText(),
        /fault/,
      ),
    );
    await chat.send('Write a short text about the harbour.');
    await chat.idle();
    await chat.shows('Write a short text about the harbour.');
  });

  test('sample agents that were stopped have rows that start them again, without the tasks that waited', async () => {
    const { workbench } = stage;
    const tree = await stage.tree();
    const badge = workbench.page
      .locator('.part.activitybar .action-item', { has: workbench.page.locator('[aria-label^="A2A"]') })
      .locator('.badge-content:visible');
    const chat = await stage.newChat('Currency');
    await chat.send('Convert 20 USD');
    await tree.item(/Convert.*waiting/).waitFor();
    await eventually(async () => assert.equal(await badge.innerText(), '1'));
    await workbench.command('A2A: Stop Sample Agents');
    await tree.item(/Currency.*start it again/).waitFor();
    await tree.inlineAction(/Currency.*start it again/, 'Start Sample Agents');
    await tree.item(/Currency.*reachable/).waitFor();
    await tree.item(/Convert.*lost/).waitFor();
    await eventually(async () => assert.equal(await badge.count(), 0));
  });
});
