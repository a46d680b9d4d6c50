import * as assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { listFiles, PackageManager } from '@vscode/vsce';
import { listTasks } from '../support/askAgent.ts';
import { eventually } from '../support/eventually.ts';
import { Stage } from '../support/vscode/stage.ts';

const root = resolve(import.meta.dirname, '../..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const vsix = join(root, `a2a-workbench-${version}.vsix`);

suite('the packed extension', () => {
  let stage: Stage;
  suiteSetup(async function () {
    this.timeout(180_000);
    await promisify(execFile)(process.execPath, [join(root, 'scripts', 'package.ts')], { cwd: root, maxBuffer: 1 << 24 });
    // The clean VS Code of a person has all that comes with it.
    stage = await Stage.open({ agents: {}, vsix, withoutBuiltins: [] });
  });
  suiteTeardown(() => stage?.close());

  test('holds what it needs and nothing else', async () => {
    // As it is packed: everything is bundled, so no package is asked for.
    const files = (await listFiles({ cwd: root, packageManager: PackageManager.None })).filter(file => !file.startsWith('media/screenshots/')).sort();
    assert.deepEqual(files, [
      'CHANGELOG.md', 'LICENSE', 'README.md',
      'dist/THIRD-PARTY-NOTICES.txt', 'dist/cardPage.css', 'dist/cardPage.js', 'dist/chat.css', 'dist/chat.js', 'dist/chatCode.js', 'dist/cli.cjs', 'dist/codicon.css', 'dist/codicon.ttf', 'dist/extension.cjs', 'dist/grpc.cjs', 'dist/house.cjs', 'dist/sampleAgents.cjs',
      'dist/schemas/a2a.schema.json', 'dist/schemas/a2a.schema.zh-cn.json', 'dist/schemas/agent-card.schema.json', 'dist/schemas/agent-card.schema.zh-cn.json', 'dist/schemas/environments.schema.json',
      'dist/schemas/environments.schema.zh-cn.json', 'dist/undici.cjs', 'dist/webSocket.cjs', 'dist/webSocketServer.cjs',
      'l10n/bundle.l10n.zh-cn.json',
      'media/a2a-card.tmLanguage.json', 'media/a2a-language-configuration.json', 'media/a2a-snippets.json', 'media/a2a-tab.svg', 'media/a2a.svg', 'media/a2a.tmLanguage.json', 'media/icon.png',
      ...['add', 'cards', 'chat', 'requests', 'tasks', 'tests'].map(name => `media/walkthrough/${name}.svg`),
      'package.json', 'package.nls.json', 'package.nls.zh-cn.json',
    ]);
    const { size } = await stat(vsix);
    assert.ok(size < 1.5 * 1024 * 1024, `${size} bytes`);
  });

  /** In bytes: what a page reads before it shows anything, and all that it can come to read. */
  const budgets: readonly (readonly [what: string, files: readonly string[], most: number])[] = [
    ['the panel', ['chat.js'], 225_000],
    ['the panel with all that it loads later', ['chat.js', 'chatCode.js'], 275_000],
    ['the page of cards', ['cardPage.js'], 40_000],
  ];
  for (const [what, files, most] of budgets) {
    test(`${what} is small`, async () => {
      const sizes = await Promise.all(files.map(async file => (await stat(join(root, 'dist', file))).size));
      const size = sizes.reduce((sum, each) => sum + each, 0);
      assert.ok(size < most, `${size} bytes, at most ${most}`);
    });
  }

  test('does the main job in a clean VS Code: an agent by URL, a chat, its task, a request', async () => {
    const { workbench, agents } = stage;
    await workbench.command('A2A: Add Agent…');
    await workbench.answer(agents.urls.Currency);
    const tree = await stage.tree();
    await tree.item(/Currency.*reachable/).waitFor();
    const chat = await stage.newChat('Currency');
    await chat.send('How much is 10 USD?');
    await chat.shows(/which currency/i);
    await chat.send('EUR');
    await chat.shows(/completed/i);
    await tree.expand('Currency');
    await tree.expand(/How much/);
    await tree.item(/completed/).waitFor();
    assert.equal((await listTasks(agents.urls.Currency)).length, 1);
    await workbench.openFile('currency.a2a');
    await workbench.page.locator('.codelens-decoration a', { hasText: 'Send Request' }).first().click();
    await eventually(async () => assert.equal((await listTasks(agents.urls.Currency)).length, 2));
    await workbench.page.locator('.codelens-decoration a', { hasText: /input required/ }).first().waitFor();
  });

  test('brings its sample agents along', async () => {
    await stage.workbench.command('A2A: Start Sample Agents');
    const tree = await stage.tree();
    await tree.item(/Sailboat.*reachable/).waitFor();
  });
});
