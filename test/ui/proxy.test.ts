import * as assert from 'node:assert/strict';
import { minimalCard } from '../../src/mock/minimalCard.ts';
import { ForwardProxy } from '../support/client/forwardProxy.ts';
import { OpenThings } from '../support/client/openThings.ts';
import { says } from '../support/client/says.ts';
import { eventually } from '../support/eventually.ts';
import { Stage } from '../support/vscode/stage.ts';

/** VS Code never leads addresses of this machine through a proxy; this name is known to the test's proxy alone. */
const host = 'agent.test';

suite('behind a proxy', () => {
  const open = new OpenThings();
  const proxy = new ForwardProxy({ credentials: 'alice:proxy-canary' });
  let proxyAddress: string;
  let stage: Stage;
  let agentUrl: string;
  suiteSetup(async () => {
    proxyAddress = await proxy.start();
    const hello = { message: says('hello from behind the proxy') };
    const agent = await open.agent({ SendMessage: [{ answer: hello }], SendStreamingMessage: [{ event: hello }] }, '1.0', {
      card: url => ({ ...(minimalCard(url.replace('127.0.0.1', host), '1.0', 'JSONRPC') as object), name: 'Remote' }),
    });
    agentUrl = agent.url.replace('127.0.0.1', host);
    stage = await Stage.open({ agents: {} });
  });
  suiteTeardown(async () => {
    await stage?.close();
    await Promise.all([open.close(), proxy.stop()]);
  });

  /** Writes into the user's settings as a person does: these settings count nowhere else, and only so is the change noticed. */
  async function set(name: string, value: string): Promise<void> {
    const { workbench } = stage;
    const { keyboard } = workbench.page;
    await workbench.command('Preferences: Open User Settings (JSON)');
    const editor = workbench.page.locator('.editor-instance .monaco-editor').last();
    await workbench.press(editor.locator('.view-line').first());
    await keyboard.press('Control+End');
    await keyboard.press('ArrowLeft');
    // Of two members with one name the last one counts.
    await keyboard.insertText(`,${JSON.stringify(name)}:${JSON.stringify(value)}`);
    await keyboard.press('Control+S');
    // VS Code shows its settings in an editor that floats over the others.
    const title = workbench.page.getByText('settings.json', { exact: true }).first();
    await eventually(async () => {
      await keyboard.press('Escape');
      await title.waitFor({ state: 'hidden', timeout: 1_000 });
    });
  }

  test('http.proxy, set while the window is open, leads to an agent that is added and chatted with', async () => {
    const { workbench } = stage;
    await set('http.proxy', `http://127.0.0.1:${proxy.port}`);
    await eventually(async () => {
      await workbench.command('A2A: Add Agent…');
      await workbench.answer(agentUrl);
      await workbench.page
        .getByText(/wants credentials \(HTTP 407\)/)
        .first()
        .waitFor({ timeout: 4_000 });
    });
    await workbench.screenshot('proxy-wants-credentials');
    await workbench.page.keyboard.press('Escape');
    assert.equal(proxy.forwarded.length, 0);
    await set('http.proxy', proxyAddress);
    await workbench.command('A2A: Add Agent…');
    await workbench.answer(agentUrl);
    const tree = await stage.tree();
    await tree.item(/Remote/).waitFor();
    const chat = await stage.newChat('Remote');
    await chat.send('hi');
    await chat.shows('hello from behind the proxy');
    assert.ok(proxy.forwarded.length >= 2);
    assert.ok(proxy.forwarded.every(address => address.startsWith(agentUrl)));
    await chat.press('Wire');
    await chat.shows('SendStreamingMessage');
    assert.doesNotMatch(await (await chat.frame()).locator('body').innerText(), /proxy-canary|proxy-authorization/i);
    await workbench.screenshot('proxy-chat');
  });

  test('http.proxySupport off is effective at once', async () => {
    const { workbench } = stage;
    await set('http.proxySupport', 'off');
    const tree = await stage.tree();
    // VS Code tells its extensions of a setting after it has written it down.
    await eventually(async () => {
      await workbench.command('A2A: Refresh Agents');
      await tree.item(/Remote.*(not found|unreachable|could not be looked up)/).waitFor({ timeout: 5_000 });
    });
    const before = proxy.forwarded.length;
    await workbench.command('A2A: Refresh Agents');
    await tree.atRest();
    assert.equal(proxy.forwarded.length, before);
    await set('http.proxySupport', 'fallback');
    await eventually(async () => {
      await workbench.command('A2A: Refresh Agents');
      await tree.item(/Remote.*A2A 1\.0/).waitFor({ timeout: 5_000 });
    });
    assert.ok(proxy.forwarded.length > before);
  });
});
