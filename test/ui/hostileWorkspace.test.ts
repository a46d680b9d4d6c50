import * as assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ScriptedAgent } from '../../src/mock/scriptedAgent.ts';
import { OpenThings } from '../support/client/openThings.ts';
import { says } from '../support/client/says.ts';
import { eventually } from '../support/eventually.ts';
import { Stage } from '../support/vscode/stage.ts';

const canary = 'c4nary-of-the-user';
const outsideText = 'from-outside-the-folder';

/** Every byte that comes to an address where nobody has a reason to go. */
class Decoy {
  readonly got: string[] = [];
  readonly #server: Server = createServer(socket => {
    const at = this.got.push('') - 1;
    socket.on('data', bytes => void (this.got[at] += bytes.toString('latin1')));
    socket.on('error', () => undefined);
    socket.setTimeout(1_000, () => socket.destroy());
  });

  async open(): Promise<string> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.close();
  }
}

/** Files of a folder that somebody else has made, by name; what links are is made apart. */
const files = (decoy: string, listed: string, desk: string): Readonly<Record<string, unknown>> => ({
  '.vscode/settings.json': {
    'a2a.agents': { Desk: { url: listed }, Other: { url: listed, headers: { Authorization: '{{$secret token}}' } } },
  },
  'literal.a2a': { agent: decoy, message: 'hello' },
  'card.a2a': { agent: `${decoy}/.well-known/agent-card.json`, message: 'hello' },
  'schema.a2a': { $schema: `${decoy}/schema.json`, agent: decoy, message: 'hello' },
  'user.a2a': { agent: decoy.replace('http://', 'http://Desk@'), message: '{{$env A2A_TEST_TOKEN}}' },
  'byVariable.a2a': { variables: { where: decoy }, agent: '{{where}}', message: '{{$env A2A_TEST_TOKEN}}' },
  'grpc.a2a': { agent: decoy.replace('http:', 'grpc:'), message: 'hello' },
  'above.a2a': { agent: desk, message: '{{$file ../outside.txt}}' },
  'absolute.a2a': { agent: desk, message: '{{$file /etc/hostname}} {{$file ../outside.txt}}' },
  'link.a2a': { agent: desk, message: '{{$file link.txt}}' },
  'folderLink.a2a': { agent: desk, message: '{{$file out/outside.txt}}' },
  'rows.a2a': { agent: desk, each: '{{$file rows.json}}', message: '{{canary}}' },
  'environment.a2a': { agent: desk, message: '{{canary}}' },
  'agent-card.json': {
    name: 'x',
    description: 'x',
    version: '1',
    iconUrl: `${decoy}/icon.png`,
    documentationUrl: decoy,
    provider: { organization: 'x', url: decoy },
    capabilities: {},
    defaultInputModes: [],
    defaultOutputModes: [],
    skills: [],
    supportedInterfaces: [{ url: decoy, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  },
});

for (const trusted of [false, true]) {
  suite(`a folder of tricks in a window that ${trusted ? 'trusts' : 'does not trust'} it`, () => {
    const open = new OpenThings();
    const [decoy, listed] = [new Decoy(), new Decoy()];
    let desk: ScriptedAgent;
    let stage: Stage;
    let outside: string;
    const names: string[] = [];
    suiteSetup(async () => {
      desk = await open.agent({ SendStreamingMessage: [{ event: { message: says('Hi') } }] });
      const tricks = files(await decoy.open(), await listed.open(), desk.url);
      stage = await Stage.open({
        env: { A2A_TEST_TOKEN: 'c4nary-of-the-environment' },
        settings: {
          'a2a.agents': { Desk: { url: desk.url, headers: { Authorization: `Bearer ${canary}` } } },
          'security.workspace.trust.enabled': !trusted,
          'security.workspace.trust.startupPrompt': 'never',
        },
      });
      outside = await mkdtemp(join(tmpdir(), 'a2a-outside-'));
      await writeFile(join(outside, 'outside.txt'), outsideText);
      await writeFile(join(outside, 'outside.json'), JSON.stringify({ $shared: { canary: outsideText } }));
      await writeFile(join(outside, 'rows.json'), JSON.stringify([{ canary: outsideText }]));
      await writeFile(join(stage.folder, '..', 'outside.txt'), outsideText);
      const { folder } = stage;
      await rm(join(folder, 'a2a.env.json'), { force: true });
      await rm(join(folder, 'a2a.private.env.json'), { force: true });
      await symlink(join(outside, 'outside.json'), join(folder, 'a2a.env.json'));
      await symlink(join(outside, 'outside.json'), join(folder, 'a2a.private.env.json'));
      await symlink(join(outside, 'outside.txt'), join(folder, 'link.txt'));
      await symlink(outside, join(folder, 'out'));
      await symlink(join(outside, 'rows.json'), join(folder, 'rows.json'));
      await mkdir(join(folder, '.vscode'), { recursive: true });
      for (const [name, content] of Object.entries(tricks)) {
        await writeFile(join(folder, name), JSON.stringify(content, null, 2));
        if (!name.startsWith('.')) names.push(name);
      }
      await writeFile(join(folder, 'good.a2a'), JSON.stringify({ agent: desk.url, message: 'the last one' }));
    });
    suiteTeardown(async () => {
      await stage.close();
      await open.close();
      for (const each of [decoy, listed]) each.close();
      await rm(outside, { recursive: true });
    });

    /** Messages alone: what the user's own agents are asked of themselves is no matter of the folder. */
    const bodies = (): string =>
      desk.requests
        .map(({ body }) => body)
        .filter(body => body.includes('"parts"'))
        .join('\n');
    /** Nothing went where it does not belong, and nothing of the outside is shown. */
    async function assertSafe(what: string): Promise<void> {
      assert.deepEqual(decoy.got, [], what);
      assert.ok(!listed.got.join('\n').includes('c4nary'), what);
      if (!trusted) assert.deepEqual(listed.got, [], what);
      assert.ok(!bodies().includes(outsideText), what);
      assert.ok(!(await stage.workbench.page.locator('body').innerText()).includes(outsideText), what);
    }

    test('opening its files and looking at them sends nothing and reads nothing outside', async () => {
      await stage.tree();
      assert.ok(names.length >= 10);
      for (const name of names) {
        await stage.workbench.openFile(name);
        if (name.endsWith('.a2a')) {
          const lenses = stage.workbench.page.locator('.editor-group-container .codelens-decoration a', { hasText: 'Send Request' });
          await lenses.first().waitFor();
          await stage.workbench.command('A2A: Preview Resolved Request');
        }
        await assertSafe(name);
      }
      // Where files may be read, the environment that lies outside stops every preview.
      if (trusted) return;
      await stage.workbench.openFile('good.a2a');
      await stage.workbench.command('A2A: Preview Resolved Request');
      await stage.workbench.page.locator('.editor-group-container').nth(1).getByText('the last one').waitFor();
      await assertSafe('after the last preview');
    });

    // That nothing is sent where nothing is trusted, and how it is said, is shown in "restricted".
    if (!trusted) return;
    test('requests for an agent of the user take nothing from outside with them', async () => {
      const { workbench, folder } = stage;
      const send = async (name: string): Promise<void> => {
        await workbench.openFile(name);
        await workbench.command('A2A: Send Request');
      };
      await send('environment.a2a');
      await workbench.notified('a2a.private.env.json lies outside');
      // Environments that cannot be read would stop all the others.
      for (const link of ['a2a.env.json', 'a2a.private.env.json']) await rm(join(folder, link));
      for (const name of names.filter(each => /^(?:above|absolute|link|folderLink|rows)\./.test(each))) {
        await send(name);
        await assertSafe(name);
      }
      await send('good.a2a');
      await eventually(() => assert.ok(bodies().includes('the last one')));
      assert.equal(bodies().split('\n').length, 1, bodies());
      await assertSafe('at the end');
    });
  });
}
