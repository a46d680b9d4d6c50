import * as assert from 'node:assert/strict';
import type { ScriptedAgent } from '../../src/mock/scriptedAgent.ts';
import { guardedAgent, type GuardedAgent } from '../support/auth/guardedAgent.ts';
import { openOidcProvider, type OidcServer } from '../support/auth/oidcProvider.ts';
import { says } from '../support/client/says.ts';
import { OpenThings } from '../support/client/openThings.ts';
import { eventually } from '../support/eventually.ts';
import { Stage } from '../support/vscode/stage.ts';

const script = { SendStreamingMessage: [{ event: { message: says('Welcome') } }] } as const;
const key = 'c4nary-api-key-of-the-keychain';

suite('signing in', () => {
  const open = new OpenThings();
  let behind: ScriptedAgent;
  let server: OidcServer;
  let tokens: GuardedAgent;
  let keys: GuardedAgent;
  let stage: Stage;
  /** Access tokens that the agent no longer takes. */
  const over = new Set<string>();

  suiteSetup(async () => {
    behind = await open.agent(script);
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
        return token !== '' && !over.has(token) && (await server.provider.AccessToken.find(token)) !== undefined;
      },
    });
    keys = await guardedAgent(behind.url, {
      challenge: 'ApiKey',
      security: {
        securitySchemes: { tool: { apiKeySecurityScheme: { location: 'header', name: 'X-Tool' } } },
        securityRequirements: [{ schemes: { tool: { list: [] } } }],
      },
      allows: ({ headers }) => headers['x-tool'] === key,
    });
    stage = await Stage.open({ settings: { 'a2a.agents': { Harbour: { url: tokens.url }, Tool: { url: keys.url } } } });
  });
  suiteTeardown(async () => {
    await stage?.close();
    await Promise.all([tokens?.close(), keys?.close(), server?.close(), open.close()]);
  });

  test('an agent whose card requires a key says "sign in", and one click asks for it', async () => {
    const { workbench } = stage;
    const tree = await stage.tree();
    await tree.item(/Tool.*sign in/).waitFor();
    await tree.item(/Harbour.*sign in/).waitFor();
    await workbench.screenshot('sign-in-rows');
    // The card was examined without credentials.
    const before = keys.seen.length;
    await tree.item(/Tool/).hover();
    await tree.item(/Tool/).getByRole('button', { name: 'Sign In…' }).click();
    const input = workbench.quickInput();
    await input.waitFor();
    assert.equal(await input.getAttribute('type'), 'password');
    await workbench.screenshot('sign-in-key');
    await workbench.answer(key);
    await tree.item(/Tool.*signed in/).waitFor();
    const chat = await stage.newChat('Tool');
    await chat.send('hello');
    await chat.shows('Welcome');
    assert.deepEqual(
      new Set(
        keys.seen
          .slice(before)
          .filter(({ headers }) => headers['x-tool'] !== undefined)
          .map(({ authorized }) => authorized),
      ),
      new Set([true]),
    );
  });

  test('a person signs in in the browser, and the chat goes on when the token is over', async () => {
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
    await workbench.screenshot('sign-in-origin');
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
    await workbench.screenshot('sign-in-done');
    const chat = await stage.newChat('Harbour');
    await chat.send('hello');
    await chat.shows('Welcome');
    for (const { headers } of tokens.seen) over.add(headers.authorization?.replace('Bearer ', '') ?? '');
    const before = tokens.seen.length;
    await chat.send('again');
    await chat.idle();
    await eventually(() =>
      assert.deepEqual(
        tokens.seen.slice(before).map(({ authorized }) => authorized),
        [false, true],
      ),
    );
    assert.deepEqual(server.grants, ['authorization_code', 'refresh_token']);
  });

  test('the account is in the Accounts menu, and is signed out there', async () => {
    const { workbench } = stage;
    await workbench.page.getByRole('button', { name: 'Accounts' }).click();
    await workbench.page.getByRole('menuitem', { name: /alice \(127\.0\.0\.1:\d+\)/ }).hover();
    await workbench.screenshot('sign-in-accounts');
    await workbench.page.getByRole('menuitem', { name: 'Sign Out' }).last().click();
    await workbench.page.locator('.monaco-dialog-box').getByRole('button', { name: 'Sign Out' }).click();
    const tree = await stage.tree();
    await tree.item(/Harbour.*sign in/).waitFor();
  });
});
