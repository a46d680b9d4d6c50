import * as assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { eventually } from '../support/eventually.ts';
import type { AgentCard } from '../../src/protocol/card/agentCard.ts';
import { atOtherHost } from '../support/otherHost.ts';
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
    await steps.filter({ hasText: 'Check that it keeps the protocol' }).click();
    await steps.getByText('The rules of A2A').waitFor();
    // VS Code shows the picture only where there is room for it.
    await workbench.page.setViewportSize({ width: 1600, height: 800 });
    await webviewFrame(workbench.page, 'svg[viewBox="0 0 640 400"]');
    for (const [theme, name] of [
      ['Dark Modern', 'dark'],
      ['Light Modern', 'light'],
    ] as const) {
      await workbench.setTheme(theme);
      await workbench.screenshot(`walkthrough-conformance-${name}`);
    }
    await workbench.page.setViewportSize({ width: 1280, height: 800 });
    await workbench.command('View: Close Editor');
  });

  test('agents that run on this machine are offered, and those that files name', async () => {
    const { workbench, folder } = stage;
    const running = await agentOnUsualPort('Harbour master');
    try {
      await writeFile(join(folder, 'quay.a2a'), '{ "agent": "http://127.0.0.1:9/quay", "message": "Hello" }\n');
      await workbench.pickCommand('A2A: Add Agent…');
      const rows = workbench.page.locator('.quick-input-widget .monaco-list-row');
      await rows
        .filter({ hasText: 'Harbour master' })
        .filter({ hasText: `:${running.port}` })
        .waitFor();
      await rows.filter({ hasText: 'quay' }).filter({ hasText: 'http://127.0.0.1:9/quay' }).waitFor();
      await rows.filter({ hasText: 'at another port' }).filter({ hasText: '9999' }).waitFor();
      await workbench.screenshot('add-agent');
      await rows.filter({ hasText: 'Harbour master' }).click();
      const tree = await stage.tree();
      await tree.item(/Harbour master.*reachable/).waitFor();
      // What is in the list already is not offered.
      await workbench.command('A2A: Add Agent…');
      await rows.filter({ hasText: 'quay' }).waitFor();
      assert.equal(await rows.filter({ hasText: 'Harbour master' }).count(), 0);
      await workbench.page.keyboard.press('Escape');
    } finally {
      running.server.close();
    }
  });

  test('a wrong address gets its reason, keeps what was typed, and the right one is added with its card', async () => {
    const { workbench, agents } = stage;
    await workbench.command('A2A: Add Agent…');
    const said = workbench.page.locator('.quick-input-widget .quick-input-message');
    const tries: readonly (readonly [address: string, reason: RegExp])[] = [
      ['http://', /not a web address/],
      ['', /not a web address/],
      ['localhost', /Connection refused|not an agent|no agent card/i],
      ['http://127.0.0.1:9', /Connection refused/],
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
    await tree.item(/Currency.*reachable/).waitFor();
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
    await tree.contextMenu('Currency', 'Rename Agent');
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

    // With its history, nothing of it is left; also from the row, and both can be undone.
    await tree.contextMenu('Exchange', 'Remove Agent');
    const removed = await workbench.notified(/Removed the agent/);
    await workbench.screenshot('agent-removed');
    await removed.getByRole('button', { name: 'Delete History' }).click();
    await tree.item(/Exchange/).waitFor({ state: 'detached' });
    await (await workbench.notified(/Deleted the history of "Exchange"/)).getByRole('button', { name: 'Undo' }).click();
    await tree.item(/Exchange.*not configured/).waitFor();
    await tree.contextMenu('Exchange', 'Delete from History');
    await tree.item(/Exchange/).waitFor({ state: 'detached' });
  });

  test('a card that sends requests to another address is used once that is allowed', async () => {
    const { workbench, agents } = stage;
    const answer = await fetch(new URL('/.well-known/agent-card.json', agents.urls.Helsinki));
    const helsinki = (await answer.json()) as AgentCard;
    const supportedInterfaces = helsinki.supportedInterfaces.map(each => ({ ...each, url: atOtherHost(each.url) }));
    const card = { ...helsinki, supportedInterfaces, name: 'Elsewhere' };
    const server = createServer((request, response) => {
      const found = request.url === '/.well-known/agent-card.json';
      response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' }).end(found ? JSON.stringify(card) : '{}');
    });
    await new Promise<void>(resolve => {
      server.listen(0, '127.0.0.1', resolve);
    });
    try {
      const origin = `requests to ${new URL(atOtherHost(agents.urls.Helsinki)).origin}`;
      const dialog = workbench.page.locator('.monaco-dialog-box');
      await workbench.command('A2A: Add Agent…');
      await workbench.answer(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
      await dialog.getByText(origin).waitFor();
      await workbench.screenshot('add-agent-origin');
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await dialog.waitFor({ state: 'detached' });
      await workbench.quickInput().focus();
      await workbench.page.keyboard.press('Enter');
      await dialog.getByRole('button', { name: 'Allow' }).click();
      const tree = await stage.tree();
      await tree.item(/Elsewhere.*reachable/).waitFor();
      const chat = await stage.newChat('Elsewhere');
      await chat.send('Plan a trip.');
      await chat.shows(/I arrange trips to Helsinki/);
    } finally {
      server.close();
    }
  });
});
