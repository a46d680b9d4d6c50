import * as assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { packExtension } from '../../../scripts/extensionPackage.ts';
import { zipEntry } from '../../support/zipEntry.ts';

const root = resolve(import.meta.dirname, '../../..');

suite('the README in the package', () => {
  let folder: string;
  let readme: string;
  setup(async () => {
    folder = await mkdtemp(join(tmpdir(), 'a2a-package-'));
    readme = await readFile(join(root, 'README.md'), 'utf8');
    await writeFile(join(folder, 'README.md'), readme);
    await writeFile(join(folder, 'LICENSE'), 'None');
    await cp(join(root, '.vscodeignore'), join(folder, '.vscodeignore'));
    await mkdir(join(folder, 'media', 'screenshots'), { recursive: true });
  });
  teardown(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  async function packed(repository?: unknown): Promise<string> {
    const manifest = {
      name: 'probe',
      publisher: 'test',
      version: '1.0.0',
      engines: { vscode: '^1.100.0' },
      ...(repository !== undefined && { repository }),
    };
    await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
    const path = join(folder, 'probe.vsix');
    await packExtension(folder, path);
    return zipEntry(await readFile(path), 'extension/readme.md')?.toString() ?? '';
  }
  const addresses = (text: string): string[] => [...text.matchAll(/!\[[^\]]*\]\(([^)]*)\)/g)].map(([, address = '']) => address);

  test('has all its pictures by https once the manifest names a repository', async () => {
    const all = addresses(readme);
    assert.ok(all.length >= 5, `${all.length} pictures`);
    const text = await packed({ type: 'git', url: 'https://github.com/someone/something.git' });
    assert.deepEqual(
      addresses(text),
      all.map(address => `https://github.com/someone/something/raw/HEAD/${address}`),
    );
  });

  test('has no picture and no link that would lead nowhere until then, and all its words', async () => {
    const text = await packed();
    assert.deepEqual(addresses(text), []);
    assert.deepEqual(
      [...text.matchAll(/\]\(([^)]*)\)/g)].flatMap(([, to = '']) => (to.startsWith('https://') ? [] : [to])),
      [],
    );
    assert.match(text, /^First steps takes about ten minutes/m);
    assert.deepEqual(text.match(/^#+ .*$/gm), readme.match(/^#+ .*$/gm));
  });

  test('is refused with a repository that has no known addresses of files', async () => {
    await assert.rejects(packed({ type: 'git', url: 'https://code.example/something.git' }), /baseImagesUrl/);
  });
});
