import * as assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { createVSIX, listFiles, PackageManager } from '@vscode/vsce';
import { listTasks } from '../support/askAgent.ts';
import { caught, figure, full } from '../support/figure.ts';
import { Stage } from '../support/vscode/stage.ts';
import { webviewFrame } from '../support/vscode/webviewFrame.ts';

const root = resolve(import.meta.dirname, '../..');
const { version, repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string; repository?: unknown };
const vsix = join(root, `a2a-workbench-${version}.vsix`);

const licences = new Set(['MIT', 'ISC', 'Apache-2.0', 'BSD-3-Clause', '(Apache-2.0 AND BSD-3-Clause)', 'CC-BY-4.0']);

/** What is in the extension itself, as the lock has it; the sample agents are a program of their own. */
function shippedPackages(): readonly { readonly name: string; readonly licence: string; readonly installs: boolean }[] {
  interface Locked {
    readonly dev?: boolean;
    readonly license?: string;
    readonly hasInstallScript?: boolean;
  }
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Readonly<Record<string, Locked>> };
  return Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && dev !== true)
    .map(([name, { license, hasInstallScript }]) => ({ name, licence: license ?? 'none', installs: hasInstallScript === true }));
}

const pictures = [...readFileSync(join(root, 'README.md'), 'utf8').matchAll(/!\[[^\]]*\]\([^)]*\)/g)].length;
/** The page loads pictures by whole addresses alone, which nobody knows without a repository. */
const shown = repository === undefined ? 0 : pictures;

/** Every way in which the text of a README could bring a picture of its package along; vsce packs no text with SVG tags. */
const waysOf = (data: string): Readonly<Record<string, string>> => ({
  'a relative address': '![a](media/icon.png)',
  'a relative address in HTML': '<img src="./media/icon.png" alt="b">',
  'the bytes in the text': `![c](${data})`,
  'the bytes in HTML': `<img src="${data}" alt="d">`,
  'a source set': `<picture><source srcset="${data}"><img alt="e"></picture>`,
  'a background': `<div style="width:40px;height:40px;background-image:url(${data})">f</div>`,
  'the picture of a film': `<video poster="${data}" width="40" height="40"></video>`,
  'an object': `<object data="${data}" width="40" height="40"></object>`,
});

/** Packs an extension into the folder whose README names its picture in each of these ways; resolves to the path of the package. */
async function packPictures(folder: string): Promise<string> {
  const bytes = await readFile(join(root, 'media', 'icon.png'));
  const ways = waysOf(`data:image/png;base64,${bytes.toString('base64')}`);
  await mkdir(join(folder, 'media'));
  await writeFile(join(folder, 'media', 'icon.png'), bytes);
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({
      name: 'pictures',
      displayName: 'Pictures',
      publisher: 'test',
      version: '1.0.0',
      description: 'd',
      engines: { vscode: '^1.100.0' },
    }),
  );
  await writeFile(
    join(folder, 'README.md'),
    ['# Pictures in a README', ...Object.entries(ways).map(([what, how]) => `## ${what}\n\n${how}`), '## The end'].join('\n\n'),
  );
  const vsix = join(folder, 'pictures.vsix');
  await createVSIX({
    cwd: folder,
    packagePath: vsix,
    dependencies: false,
    allowMissingRepository: true,
    rewriteRelativeLinks: false,
    skipLicense: true,
    allowPackageAllSecrets: false,
  });
  return vsix;
}

suite('the packed extension', () => {
  let stage: Stage;
  let temporary: string;
  suiteSetup(async () => {
    temporary = await mkdtemp(join(tmpdir(), 'a2a-page-'));
    await promisify(execFile)(process.execPath, [join(root, 'scripts', 'package.ts')], { cwd: root, maxBuffer: 1 << 24 });
    // The clean VS Code of a person has all that comes with it.
    stage = await Stage.open({ agents: {}, vsix: [vsix, await packPictures(temporary)], withoutBuiltins: [] });
  });
  suiteTeardown(async () => {
    await stage?.close();
    await rm(temporary, { recursive: true, force: true, maxRetries: 3 });
  });

  test('holds what it needs and nothing else', async () => {
    // As it is packed: everything is bundled, so no package is asked for.
    const files = (await listFiles({ cwd: root, packageManager: PackageManager.None }))
      .sort()
      .filter(file => !/^dist\/\w+-[A-Z0-9]{8}\.js$/.test(file));
    assert.deepEqual(files, [
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'api/a2a-workbench.d.ts',
      'dist/THIRD-PARTY-NOTICES.txt',
      'dist/cardPage.css',
      'dist/cardPage.js',
      'dist/chat.css',
      'dist/chat.js',
      'dist/cli.cjs',
      'dist/cli.js',
      'dist/codicon.css',
      'dist/codicon.ttf',
      'dist/comparisonPage.css',
      'dist/comparisonPage.js',
      'dist/conformancePage.css',
      'dist/conformancePage.js',
      'dist/extension.js',
      'dist/responsePage.css',
      'dist/responsePage.js',
      'dist/sampleAgents.js',
      'dist/schemas/a2a.schema.json',
      'dist/schemas/a2a.schema.zh-cn.json',
      'dist/schemas/agent-card.schema.json',
      'dist/schemas/agent-card.schema.zh-cn.json',
      'dist/schemas/checked-defaults.json',
      'dist/schemas/checked-matchers.json',
      'dist/schemas/checked.json',
      'dist/schemas/defaults.schema.json',
      'dist/schemas/defaults.schema.zh-cn.json',
      'dist/schemas/environments.schema.json',
      'dist/schemas/environments.schema.zh-cn.json',
      'dist/schemas/results.json',
      ...globSync('docs/*.{md,txt}', { cwd: root }).sort(),
      'l10n/bundle.l10n.zh-cn.json',
      'media/a2a-card.tmLanguage.json',
      'media/a2a-exchange.tmLanguage.json',
      'media/a2a-language-configuration.json',
      'media/a2a-markdown.tmLanguage.json',
      'media/a2a-tab.svg',
      'media/a2a.svg',
      'media/a2a.tmLanguage.json',
      'media/icon.png',
      ...['add', 'cards', 'chat', 'conformance', 'requests', 'tasks', 'tests'].map(name => `media/walkthrough/${name}.svg`),
      'package.json',
      'package.nls.json',
      'package.nls.zh-cn.json',
      'skills/a2a-agent/SKILL.md',
    ]);
    const { size } = await stat(vsix);
    assert.ok(size < 2_500_000, `${size} bytes`);
  });

  test('is the same byte for byte when it is made again, of packages that install nothing', async function () {
    this.timeout(300_000);
    const pack = async (env: NodeJS.ProcessEnv = {}): Promise<Buffer> => {
      await promisify(execFile)(process.execPath, [join(root, 'scripts', 'package.ts')], {
        cwd: root,
        maxBuffer: 1 << 24,
        env: { ...process.env, ...env },
      });
      return readFile(vsix);
    };
    const first = await readFile(vsix);
    // Wherever it is made, and after the clock has gone on.
    const again = await pack({ TZ: 'Asia/Tokyo' });
    const shipped = shippedPackages();
    const different = Number(!first.equals(again));
    const scripts = shipped.filter(({ installs }) => installs).length;
    const unknown = shipped.filter(({ licence }) => !licences.has(licence)).map(({ name, licence }) => `${name}: ${licence}`);
    const bundled = [...(await readFile(join(root, 'dist', 'THIRD-PARTY-NOTICES.txt'), 'utf8')).matchAll(/^\S+ \d+\.\d+\.\S+ \(/gm)].length;
    figure(
      'F23',
      {
        packages: shipped.length,
        'packages with those of the sample agents': bundled,
        'install scripts': scripts,
        'unknown licences': unknown.length,
        'packages that differ': different,
      },
      `${shipped.length} packages with what they need themselves, ${bundled} with those of the sample agents; the VSIX is ${different === 0 ? 'the same' : 'another one'} when it is made again; known vulnerabilities were not looked up, which needs the registry`,
    );
    assert.deepEqual({ different, scripts, unknown }, { different: 0, scripts: 0, unknown: [] });
    if (!full) return;
    assert.ok(!first.equals(await pack({ SOURCE_DATE_EPOCH: '1000000000' })));
    caught('F23', 'a package whose files have other times');
    await pack();
  });

  test(`has ${shown} of the ${pictures} pictures of its README on its page, by https, and no other`, async () => {
    const { workbench } = stage;
    await workbench.command('Extensions: Show Installed Extensions');
    await workbench.page.locator('.extensions-list .monaco-list-row', { hasText: 'A2A Workbench' }).first().click();
    await workbench.tab(/A2A Workbench/).waitFor();
    const frame = await webviewFrame(workbench.page, 'h1:has-text("A2A Workbench")');
    await frame.getByRole('heading', { name: 'Privacy' }).waitFor();
    const protocols = await frame
      .locator('img')
      .evaluateAll(images => images.map(image => new URL((image as HTMLImageElement).src).protocol));
    assert.deepEqual(
      protocols,
      Array.from({ length: shown }, () => 'https:'),
    );
    await workbench.command('View: Close All Editors');
  });

  // Once one of them does, the README's pictures can come with the package: see `withoutPictures` in scripts/extensionPackage.ts.
  test('a page of an extension shows no picture that comes with the package, in whatever way its README names it', async () => {
    const { workbench } = stage;
    await workbench.command('Extensions: Show Installed Extensions');
    await workbench.page
      .locator('.extensions-list .monaco-list-row .name', { hasText: /^Pictures$/ })
      .first()
      .click();
    const frame = await webviewFrame(workbench.page, 'h1:has-text("Pictures in a README")');
    await frame.getByRole('heading', { name: 'The end' }).waitFor();
    await frame.waitForLoadState('load');
    const shown = await frame.locator('body').evaluate(body =>
      [...body.querySelectorAll('img, video, object, [style]')].flatMap(element => {
        const { backgroundImage } = getComputedStyle(element);
        const isShown =
          (element instanceof HTMLImageElement && element.naturalWidth > 0) ||
          (element instanceof HTMLVideoElement && element.poster !== '') ||
          element instanceof HTMLObjectElement ||
          backgroundImage !== 'none';
        return isShown ? [element.outerHTML.slice(0, 80)] : [];
      }),
    );
    assert.deepEqual(shown, []);
    await workbench.command('View: Close All Editors');
  });

  test('opens its documentation, from page to page, and at the heading that a problem is explained under', async () => {
    const { workbench } = stage;
    await workbench.command('A2A: Open Documentation');
    const list = await webviewFrame(workbench.page, 'h1:has-text("A2A Workbench documentation")');
    await list.getByRole('link', { name: 'Troubleshooting' }).click();
    const page = await webviewFrame(workbench.page, 'h1:has-text("Troubleshooting")');
    await page.getByRole('heading', { name: 'Proxies' }).waitFor();
    await workbench.command('View: Close All Editors');
    await workbench.command('A2A: Add Agent…');
    await workbench.answer('http://127.0.0.1:1');
    await workbench.page.locator('.quick-input-message').getByText('Learn More').click();
    const explained = await webviewFrame(workbench.page, 'h1:has-text("Troubleshooting")');
    // VS Code scrolls to the heading's line, which may leave its upper edge out of sight.
    await explained.waitForFunction(() => {
      const heading = document.getElementById('no-connection')?.getBoundingClientRect();
      return heading !== undefined && heading.bottom > 0 && heading.top < window.innerHeight / 2;
    });
    await workbench.page.keyboard.press('Escape');
    await workbench.command('View: Close All Editors');
  });

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
    await workbench.pressLens(workbench.lens('Send Request'), workbench.lens(/input required/));
    assert.equal((await listTasks(agents.urls.Currency)).length, 2);
  });

  test('brings its sample agents along', async () => {
    await stage.workbench.command('A2A: Start Sample Agents');
    const tree = await stage.tree();
    await tree.item(/Sailboat.*reachable/).waitFor();
  });
});
