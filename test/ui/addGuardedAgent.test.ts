import * as assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { guardedAgent, type GuardedAgent } from '../support/auth/guardedAgent.ts';
import { says } from '../support/client/says.ts';
import { OpenThings } from '../support/client/openThings.ts';
import { Stage } from '../support/vscode/stage.ts';

const key = 'c4nary-key-of-an-added-agent';

suite('adding an agent that wants to know who asks', () => {
  const open = new OpenThings();
  let hidden: GuardedAgent;
  let keyed: GuardedAgent;
  let lured: GuardedAgent;
  let stage: Stage;
  suiteSetup(async () => {
    const behind = await open.agent({ SendStreamingMessage: [{ event: { message: says('Welcome') } }] });
    hidden = await guardedAgent(behind.url, {
      challenge: 'Bearer realm="test"',
      security: {},
      allows: ({ headers }) => headers.authorization === `Bearer ${key}`,
    });
    hidden.cardToo = true;
    const byKey: Parameters<typeof guardedAgent>[1] = {
      challenge: 'ApiKey',
      security: {
        name: 'Tool',
        securitySchemes: { tool: { apiKeySecurityScheme: { location: 'header', name: 'X-Tool' } } },
        securityRequirements: [{ schemes: { tool: { list: [] } } }],
      },
      allows: ({ headers }) => headers['x-tool'] === key,
    };
    keyed = await guardedAgent(behind.url, byKey);
    lured = await guardedAgent(behind.url, byKey);
    stage = await Stage.open({ settings: {} });
  });
  suiteTeardown(async () => {
    await stage?.close();
    await Promise.all([hidden?.close(), keyed?.close(), lured?.close(), open.close()]);
  });
  const secretBox = () => stage.workbench.page.locator('.quick-input-widget input[type=password]');

  test('one that gives its card to nobody else is signed in to, then added by the name of its card', async () => {
    const { workbench } = stage;
    const tree = await stage.tree();
    await workbench.command('A2A: Add Agent…');
    await workbench.answer(hidden.url);
    // Its challenge names a scheme that OAuth has, too.
    await workbench.page.getByText('Token (Bearer)').waitFor();
    await workbench.screenshot('add-agent-second-step');
    await workbench.page.keyboard.press('Escape');
    // The first step is back, with what was typed and the reason.
    await workbench.page.locator('.quick-input-widget').getByText(/401/).waitFor();
    await eventually(async () => assert.equal(await workbench.quickInput().inputValue(), hidden.url));
    await workbench.screenshot('add-agent-given-up');
    await workbench.page.keyboard.press('Enter');
    await workbench.page.getByText('Token (Bearer)').waitFor();
    await workbench.page.keyboard.press('Enter');
    await secretBox().waitFor();
    await workbench.answer(key);
    await tree.item(/signed in/).waitFor();
    const chat = await stage.newChat('Scripted agent');
    await chat.send('hello');
    await chat.shows('Welcome');
  });

  test('one whose card requires a key asks for it, and is added where nobody gives it', async () => {
    const { workbench } = stage;
    const tree = await stage.tree();
    await workbench.command('A2A: Add Agent…');
    await workbench.answer(keyed.url);
    await secretBox().waitFor();
    await workbench.page.keyboard.press('Escape');
    await tree.item(/Tool.*sign in/).waitFor();
    await workbench.screenshot('add-agent-not-signed-in');
  });

  test('a response to a request that the agent refused has the sign-in', async () => {
    const { workbench, folder } = stage;
    await writeFile(join(folder, 'tool.a2a'), JSON.stringify({ agent: 'Tool', message: 'hello' }));
    await workbench.openFile('tool.a2a');
    const lens = (text: string): Locator => workbench.page.locator('.codelens-decoration a', { hasText: text }).first();
    await workbench.pressLens(lens('Send Request'), lens('Sign In…'));
    await workbench.screenshot('response-sign-in');
    await workbench.pressLens(lens('Sign In…'), secretBox());
    await workbench.page.keyboard.press('Escape');
    await workbench.command('View: Close All Editors');
  });

  test('what an agent refuses has the sign-in beside it', async () => {
    const { workbench } = stage;
    const tree = await stage.tree();
    const chat = await stage.newChat('Tool');
    await chat.send('hello');
    await chat.press('Sign In…');
    await workbench.screenshot('chat-sign-in');
    await secretBox().waitFor();
    await workbench.answer(key);
    await tree.item(/Tool.*signed in/).waitFor();
    await chat.send('again');
    await chat.shows('Welcome');
  });

  test('other addresses that a workspace names get the credentials with a yes alone', async () => {
    const { workbench, folder } = stage;
    await mkdir(join(folder, '.vscode'), { recursive: true });
    const lure = { url: lured.url, origins: ['http://127.0.0.9:9'] };
    await writeFile(join(folder, '.vscode', 'settings.json'), JSON.stringify({ 'a2a.agents': { Lure: lure } }));
    const tree = await stage.tree();
    const row = tree.item(/Lure.*sign in/);
    await row.waitFor();
    const dialog = workbench.page.locator('.monaco-dialog-box');
    await row.hover();
    await row.getByRole('button', { name: 'Sign In…' }).click();
    // A workspace's own agent: first its address, then the others that it names.
    await dialog.getByText(`to ${new URL(lured.url).origin}?`).waitFor();
    await dialog.getByRole('button', { name: 'Do Not Send' }).click();
    await dialog.waitFor({ state: 'hidden' });
    assert.equal(await secretBox().isVisible(), false);
    await row.hover();
    await row.getByRole('button', { name: 'Sign In…' }).click();
    await dialog.getByRole('button', { name: 'Allow', exact: true }).click();
    await dialog.getByText('to http://127.0.0.9:9, too?').waitFor();
    await workbench.screenshot('sign-in-workspace-origins');
    await dialog.getByRole('button', { name: 'Do Not Send' }).click();
    await secretBox().waitFor();
    await workbench.answer(key);
    await tree.item(/Lure.*signed in/).waitFor();
  });
});
