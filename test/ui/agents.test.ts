import * as assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '../support/eventually.ts';
import { Stage } from '../support/vscode/stage.ts';
import { webviewFrame } from '../support/vscode/webviewFrame.ts';

/** A web server that is no agent: a page for every path. */
async function webSite(): Promise<{ url: string; server: Server }> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Welcome</title><p>Nothing here.</p>');
  });
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

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
  let site: Awaited<ReturnType<typeof webSite>>;
  suiteSetup(async () => {
    [stage, site] = await Promise.all([Stage.open({ agents: {} }), webSite()]);
  });
  suiteTeardown(async () => {
    site.server.close();
    await stage.close();
  });

  test('an empty tree says what to do', async () => {
    await stage.tree();
    const welcome = stage.workbench.page.locator('.part.sidebar .welcome-view-content');
    await welcome.getByRole('button', { name: 'Add Agent…' }).waitFor();
    await welcome.getByRole('button', { name: 'Start Sample Agents' }).waitFor();
    await stage.workbench.screenshot('welcome');
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
    await workbench.screenshot('walkthrough-conformance');
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
      await workbench.screenshot('add-agent');
      await rows.filter({ hasText: 'Harbour master' }).click();
      const tree = await stage.tree();
      await tree.item(/Harbour master.*reachable/).waitFor();
    } finally {
      running.server.close();
    }
  });

  test('a step of the walkthrough is done by the agent that was added, not by a command that was canceled', async () => {
    const { workbench } = stage;
    await workbench.command('A2A: New Chat…');
    await workbench.command('A2A: Check Conformance…');
    await workbench.quickInput().waitFor();
    await workbench.page.keyboard.press('Escape');
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

  test('a wrong address gets its reason, keeps what was typed, and the right one is added with its card', async () => {
    const { workbench, agents } = stage;
    await workbench.command('A2A: Add Agent…');
    const said = workbench.page.locator('.quick-input-widget .quick-input-message');
    const tries: readonly (readonly [address: string, reason: RegExp])[] = [
      ['http://', /not a web address/],
      [site.url, /HTML|web page/i],
    ];
    for (const [address, reason] of tries) {
      await workbench.answer(address);
      await eventually(async () => assert.match(await said.innerText(), reason));
      await eventually(async () => assert.equal(await workbench.quickInput().inputValue(), address));
    }
    await workbench.screenshot('add-agent-wrong');
    await workbench.answer(agents.urls.Currency);
    const tree = await stage.tree();
    const row = tree.item(/Currency.*reachable/);
    await row.waitFor();
    await eventually(async () => assert.equal(await row.getAttribute('aria-selected'), 'true'));
    assert.equal(await workbench.page.locator('.part.sidebar :focus').count(), 0, 'the row has taken the focus');
    assert.ok(
      (await tree.texts()).some(text => /Currency/.test(text) && /A2A 1\.0/.test(text)),
      (await tree.texts()).join(' | '),
    );
    await tree.inlineAction('Currency', 'Open Agent Card');
    await workbench.tab(/Currency\.agent-card\.json/).waitFor();
    await eventually(async () => assert.match(await workbench.editor().innerText(), /supportedInterfaces/));
    assert.equal(await workbench.squiggles().count(), 0);
    await workbench.screenshot('agent-card');
  });

  test('an agent is renamed with its history, which stays when the agent is removed and brought back', async () => {
    const { workbench } = stage;
    const tree = await stage.tree();
    const chat = await stage.newChat('Currency');
    await chat.send('How much is 10 USD in INR?');
    await tree.expand('Currency');
    await tree.item(/How much is/).waitFor();
    await tree.contextMenu('Currency', 'Rename…');
    await workbench.answer('Exchange');
    await tree.item(/Exchange.*reachable/).waitFor();
    await tree.item('Currency').waitFor({ state: 'detached' });
    await tree.expand('Exchange');
    await tree.item(/How much is/).waitFor();

    await tree.contextMenu('Exchange', 'Remove Agent');
    await tree.item(/Exchange.*not configured/).waitFor();
    await (await workbench.notified(/Removed the agent/)).getByRole('button', { name: 'Undo' }).click();
    await tree.item(/Exchange.*reachable/).waitFor();
    await tree.item(/How much is/).waitFor();
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
    await workbench.screenshot('sample-agents-started');
    const tree = await stage.tree();
    await tree
      .item(/^New Chat/)
      .first()
      .waitFor();
    await tree.item(/Currency.*reachable/).waitFor();
    await tree.select(/Currency/);
    await stage.chat('Currency').frame();
    await workbench.screenshot('agent-clicked');
    await workbench.command('View: Show Explorer');
    await explorer.waitFor();
    await workbench.command('A2A: Start Sample Agents');
    await workbench.notified(/The sample agents are already running: .*Currency/);
    await rows.first().waitFor();
    await workbench.screenshot('sample-agents-run-already');
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
    await workbench.screenshot('sample-agents-reloaded');
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
    await workbench.screenshot('sample-agents-stopped');
    await tree.inlineAction(/Currency.*start it again/, 'Start Sample Agents');
    await tree.item(/Currency.*reachable/).waitFor();
    await tree.item(/Convert.*lost/).waitFor();
    await eventually(async () => assert.equal(await badge.count(), 0));
    await workbench.screenshot('sample-agents-lost');
  });
});
