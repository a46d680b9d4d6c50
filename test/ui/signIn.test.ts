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
  let asking: ScriptedAgent;
  let mail: GuardedAgent;
  let stage: Stage;
  /** Opened once the person has signed in at the agent that asks for that in mid-task. */
  const authorized = Promise.withResolvers<void>();
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
    const about = { taskId: 't', contextId: 'c' };
    asking = await open.agent({
      async *SendStreamingMessage() {
        yield { event: { task: { id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } } } };
        const message = says('I may not read your mail yet. Sign in, or [see what I will read](https://mail.example/consent?task=t).');
        yield { event: { statusUpdate: { ...about, status: { state: 'TASK_STATE_AUTH_REQUIRED', message } } } };
        await authorized.promise;
        yield { event: { statusUpdate: { ...about, status: { state: 'TASK_STATE_WORKING' } } } };
        yield { event: { artifactUpdate: { ...about, artifact: { artifactId: 'a', parts: [{ text: 'You have three letters.' }] } } } };
        yield { event: { statusUpdate: { ...about, status: { state: 'TASK_STATE_COMPLETED' } } } };
      },
    });
    mail = await guardedAgent(asking.url, {
      challenge: 'ApiKey',
      security: {
        securitySchemes: { letters: { apiKeySecurityScheme: { location: 'header', name: 'X-Letters' } } },
        securityRequirements: [{ schemes: {} }, { schemes: { letters: { list: [] } } }],
      },
      allows: () => true,
    });
    stage = await Stage.open({
      settings: { 'a2a.agents': { Harbour: { url: tokens.url }, Tool: { url: keys.url }, Mail: { url: mail.url } } },
    });
  });
  suiteTeardown(async () => {
    await stage?.close();
    authorized.resolve();
    await Promise.all([tokens?.close(), keys?.close(), mail?.close(), server?.close(), open.close()]);
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
    await eventually(async () => assert.equal(await input.getAttribute('type'), 'password'));
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

  test('a task that wants authorization says why, takes a sign-in, and goes on as the same task over the same stream', async () => {
    const { workbench } = stage;
    const chat = await stage.newChat('Mail');
    await chat.send('Read my letters');
    await chat.shows('I may not read your mail yet.');
    const frame = await chat.frame();
    const button = frame.locator('.callout').getByRole('button', { name: 'Sign In…' });
    await button.waitFor();
    for (const [theme, name] of [
      ['Light Modern', 'light'],
      ['Default High Contrast', 'high-contrast'],
      ['Dark Modern', 'dark'],
    ] as const) {
      await workbench.setTheme(theme);
      await button.waitFor();
      await workbench.screenshot(`sign-in-mid-task-${name}`);
    }
    await button.click();
    await workbench.quickInput().waitFor();
    await workbench.answer('c4nary-of-the-letters');
    const tree = await stage.tree();
    await tree.item(/Mail.*signed in/).waitFor();
    await workbench.screenshot('sign-in-mid-task-signed');
    authorized.resolve();
    await chat.shows('You have three letters.');
    await chat.idle();
    await workbench.screenshot('sign-in-mid-task-done');
    // One message, whose stream stayed open: nothing was sent again or subscribed to.
    const streams = asking.requests.map(({ operation }) => operation).filter(operation => /Stream|Subscribe/.test(operation ?? ''));
    await eventually(async () => assert.deepEqual([streams, await button.count()], [['SendStreamingMessage'], 0]));
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

  test('the sign-in is explained step by step', async () => {
    const { workbench } = stage;
    const tree = await stage.tree();
    await workbench.command('View: Close All Editors');
    await tree
      .item(/Harbour/)
      .first()
      .click({ button: 'right' });
    await workbench.page.getByRole('menuitem', { name: 'Explain Sign-In…' }).click();
    await workbench.page.getByText('With the Sign-In That You Have, and Renew It').click();
    const report = workbench.page.locator('.monaco-editor .view-lines');
    await report.getByText('Nothing that was tried is wrong.').waitFor();
    await report.getByText('Step 4. Metadata of the authorization server (RFC 8414): fine').waitFor();
    await workbench.screenshot('sign-in-explained');
    assert.deepEqual(server.grants, ['authorization_code', 'refresh_token', 'refresh_token']);
    await workbench.command('View: Close All Editors');
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
