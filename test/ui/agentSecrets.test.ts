import * as assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ScriptedAgent } from '../../src/mock/scriptedAgent.ts';
import { OpenThings } from '../support/client/openThings.ts';
import { says } from '../support/client/says.ts';
import { selfSigned } from '../support/client/selfSigned.ts';
import type { TlsInFront } from '../support/client/tlsInFront.ts';
import { eventually } from '../support/eventually.ts';
import { Stage } from '../support/vscode/stage.ts';

const script = { SendStreamingMessage: [{ event: { message: says('Welcome') } }] } as const;
const canary = 'c4nary-of-the-keychain';
const plain = 'pl4in-credential-of-a-workspace';

suite('secrets of agents', () => {
  const open = new OpenThings();
  let safe: ScriptedAgent;
  let old: ScriptedAgent;
  let behind: ScriptedAgent;
  let loose: TlsInFront;
  let stage: Stage;
  suiteSetup(async () => {
    [safe, old, behind] = await Promise.all([open.agent(script), open.agent(script), open.agent(script)]);
    loose = await open.tls(behind.url, selfSigned());
    stage = await Stage.open({
      settings: {
        'a2a.agents': {
          Safe: { url: safe.url, headers: { Authorization: 'Bearer {{$secret SAFE_TOKEN}}', 'X-Team': '{{$env A2A_TEST_TEAM}}' } },
          Loose: {
            url: loose.url,
            interface: { url: loose.url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
            tls: { rejectUnauthorized: false },
          },
        },
      },
      env: { A2A_TEST_TEAM: 'harbour' },
    });
    await mkdir(join(stage.folder, '.vscode'), { recursive: true });
    await writeFile(
      join(stage.folder, '.vscode', 'settings.json'),
      `{
  // Tabs are a matter of taste.
  "editor.tabSize": 3,
  "a2a.agents": {
    /* the old one */
    "Old": {
      "url": "${old.url}", // on this machine
      "headers": { "Authorization": "Bearer ${plain}", "X-Color": "red" }
    }
  }
}
`,
    );
  });
  suiteTeardown(async () => {
    await stage?.close();
    await open.close();
  });

  const authorizations = ({ requests }: ScriptedAgent): readonly unknown[] => requests.map(({ headers }) => headers.authorization);
  const posts = ({ requests }: ScriptedAgent): number => requests.filter(({ body }) => body.includes('"parts"')).length;

  test('a secret that is missing is a row that says so, and is asked for once', async () => {
    const { workbench } = stage;
    const tree = await stage.tree();
    await tree.item(/Safe.*needs the secret SAFE_TOKEN/).waitFor();
    await workbench.screenshot('agent-needs-secret');
    // Nothing was sent without it.
    assert.deepEqual(safe.requests, []);
    const chat = await stage.newChat('Safe');
    await chat.send('hello');
    const input = workbench.quickInput();
    await input.waitFor();
    await eventually(async () => assert.equal(await input.getAttribute('type'), 'password'));
    await eventually(async () =>
      assert.match(await workbench.page.locator('.quick-input-widget:visible').innerText(), /SAFE_TOKEN.*"Safe"/s),
    );
    await workbench.screenshot('agent-secret-asked');
    await workbench.answer(canary);
    await chat.shows('Welcome');
    assert.equal(posts(safe), 1);
    await tree.item(/Safe.*reachable/).waitFor();
    await chat.send('again');
    await eventually(() => assert.equal(posts(safe), 2));
    await chat.idle();
    assert.equal(await input.isVisible(), false);
    assert.deepEqual(new Set(authorizations(safe)), new Set([`Bearer ${canary}`]));
    assert.deepEqual(new Set(safe.requests.map(({ headers }) => headers['x-team'])), new Set(['harbour']));
    await chat.press(/Show Exchange/);
    await eventually(async () => assert.match(await workbench.editor().innerText(), /Authorization:\sBearer\s••••••/i));
    await workbench.screenshot('agent-secret-masked');
    assert.ok(!(await workbench.page.locator('body').innerText()).includes(canary));
    assert.ok(!(await chat.text()).includes(canary));
    await workbench.command('View: Close All Editors');
  });

  test('a credential in plain text is moved to the keychain, and everything else of the file stays', async () => {
    const { workbench, folder } = stage;
    const tree = await stage.tree();
    await tree.item(/Old.*reachable/).waitFor();
    await workbench.openFile('.vscode/settings.json');
    await workbench.squiggles('info').first().waitFor();
    const before = await readFile(join(folder, '.vscode', 'settings.json'), 'utf8');
    await workbench.page.keyboard.press('F8');
    await workbench.screenshot('plain-credential');
    await workbench.quickFix('Move to the Keychain');
    await workbench.notified('Moved to the keychain.');
    await workbench.screenshot('moved-to-keychain');
    const after = await readFile(join(folder, '.vscode', 'settings.json'), 'utf8');
    assert.equal(after, before.replace(plain, '{{$secret OLD_AUTHORIZATION}}'));
    await eventually(async () => assert.equal(await workbench.squiggles('info').count(), 0));
    // It goes where it went before, and nobody is asked.
    const known = old.requests.length;
    await eventually(async () => {
      await tree.inlineAction(/Old/, 'Refresh');
      assert.ok(old.requests.length > known);
    });
    const chat = await stage.newChat('Old');
    await chat.send('hello');
    await chat.shows('Welcome');
    assert.deepEqual(new Set(authorizations(old)), new Set([`Bearer ${plain}`]));
    assert.deepEqual(new Set(old.requests.map(({ headers }) => headers['x-color'])), new Set(['red']));
    await workbench.command('View: Close All Editors');
  });

  test('an agent whose certificate is not checked is marked, in the tree and in its chat', async () => {
    const { workbench } = stage;
    const tree = await stage.tree();
    await tree.item(/Loose.*certificate not checked/).waitFor();
    const chat = await stage.newChat('Loose');
    await chat.shows(/certificate not checked/);
    await chat.send('hello');
    await chat.shows('Welcome');
    assert.ok(loose.clients.length > 0);
    for (const [theme, name] of [
      ['Default High Contrast', 'high-contrast'],
      ['Light Modern', 'light'],
      ['Dark Modern', 'dark'],
    ] as const) {
      await workbench.setTheme(theme);
      await workbench.screenshot(`certificate-not-checked-${name}`);
    }
  });
});
