import * as assert from 'node:assert/strict';
import { guardedAgent, type GuardedAgent } from '../support/auth/guardedAgent.ts';
import { openOidcProvider, type OidcServer } from '../support/auth/oidcProvider.ts';
import { says } from '../support/client/says.ts';
import { OpenThings } from '../support/client/openThings.ts';
import { eventually } from '../support/eventually.ts';
import { Stage } from '../support/vscode/stage.ts';

const key = 'c4nary-key-of-an-added-agent';

suite('signing in', () => {
  const open = new OpenThings();
  let server: OidcServer;
  let tokens: GuardedAgent;
  let hidden: GuardedAgent;
  let stage: Stage;

  suiteSetup(async () => {
    const behind = await open.agent({ SendStreamingMessage: [{ event: { message: says('Welcome') } }] });
    server = await openOidcProvider({ host: '127.0.0.2', tokenSeconds: 3000 });
    tokens = await guardedAgent(behind.url, {
      challenge: 'Bearer realm="test"',
      security: {
        securitySchemes: {
          login: { openIdConnectSecurityScheme: { openIdConnectUrl: `${server.issuer}/.well-known/openid-configuration` } },
        },
        securityRequirements: [{ schemes: { login: { list: [] } } }],
      },
      allows: async ({ headers }) => {
        const token = headers.authorization?.replace('Bearer ', '') ?? '';
        return token !== '' && (await server.provider.AccessToken.find(token)) !== undefined;
      },
    });
    hidden = await guardedAgent(behind.url, {
      challenge: 'Bearer realm="test"',
      security: {},
      allows: ({ headers }) => headers.authorization === `Bearer ${key}`,
    });
    hidden.cardToo = true;
    stage = await Stage.open({ settings: { 'a2a.agents': { Harbour: { url: tokens.url } } } });
  });
  suiteTeardown(async () => {
    await stage?.close();
    await Promise.all([tokens?.close(), hidden?.close(), server?.close(), open.close()]);
  });
  const secretBox = () => stage.workbench.page.locator('.quick-input-widget input[type=password]');

  test('an agent that gives its card to nobody else is signed in to, then added by the name of its card', async () => {
    const { workbench } = stage;
    const tree = await stage.tree();
    await workbench.command('A2A: Add Agent…');
    await workbench.answer(hidden.url);
    // Its challenge names a scheme that OAuth has, too.
    await workbench.page.getByText('Token (Bearer)').waitFor();
    await workbench.page.keyboard.press('Escape');
    // The first step is back, with what was typed and the reason.
    await workbench.page.locator('.quick-input-widget').getByText(/401/).waitFor();
    await eventually(async () => assert.equal(await workbench.quickInput().inputValue(), hidden.url));
    await workbench.page.keyboard.press('Enter');
    await workbench.page.getByText('Token (Bearer)').waitFor();
    await workbench.page.keyboard.press('Enter');
    await secretBox().waitFor();
    await workbench.answer(key);
    await tree.item(/Scripted agent.*signed in/).waitFor();
    const chat = await stage.newChat('Scripted agent');
    await chat.send('hello');
    await chat.shows('Welcome');
  });

  test('a person signs in in the browser', async () => {
    const { workbench } = stage;
    const tree = await stage.tree();
    await tree.item(/Harbour/).hover();
    await tree
      .item(/Harbour/)
      .getByRole('button', { name: 'Sign In…' })
      .click();
    await workbench.quickInput().waitFor();
    await workbench.page.keyboard.press('Enter');
    const dialog = workbench.page.locator('.monaco-dialog-box');
    // The server is not where the agent is.
    await dialog.getByText(server.issuer).first().waitFor();
    await dialog.getByRole('button', { name: 'Allow' }).click();
    // VS Code asks before it opens an address.
    const popup = workbench.page.waitForEvent('popup');
    await dialog.getByRole('button', { name: 'Open', exact: true }).click();
    const browser = await popup;
    await browser.locator('input[name=login]').fill('alice');
    await browser.locator('input[name=password]').fill('x');
    await browser.locator('button[type=submit]').click();
    await browser.getByRole('button', { name: 'Continue' }).click();
    await tree.item(/Harbour.*signed in as alice, \d+ min left/).waitFor();
    const chat = await stage.newChat('Harbour');
    await chat.send('hello');
    await chat.shows('Welcome');
    assert.deepEqual(server.grants, ['authorization_code']);
  });

  test('the sign-in is explained step by step', async () => {
    const { workbench } = stage;
    const tree = await stage.tree();
    await workbench.command('View: Close All Editors');
    await tree
      .item(/Harbour/)
      .first()
      .click({ button: 'right' });
    await workbench.page.getByRole('menuitem', { name: 'Explain Sign-In…' }).click();
    await workbench.page.getByText('Use Current Sign-In and Renew It').click();
    const report = workbench.page.locator('.monaco-editor .view-lines');
    await report.getByText('No problems found.').waitFor();
    await report.getByText('Step 3. Metadata of the authorization server (RFC 8414): ok').waitFor();
    assert.deepEqual(server.grants, ['authorization_code', 'refresh_token']);
    await workbench.command('View: Close All Editors');
  });

  test('the account is in the Accounts menu, and is signed out there', async () => {
    const { workbench } = stage;
    await workbench.page.getByRole('button', { name: 'Accounts' }).click();
    await workbench.page.getByRole('menuitem', { name: /alice \(127\.0\.0\.1:\d+\)/ }).hover();
    await workbench.page.getByRole('menuitem', { name: 'Sign Out' }).last().click();
    await workbench.page.locator('.monaco-dialog-box').getByRole('button', { name: 'Sign Out' }).click();
    const tree = await stage.tree();
    await tree.item(/Harbour.*sign in/).waitFor();
  });
});
