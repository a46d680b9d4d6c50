import * as assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';
import { pageBundles } from '../../../esbuild.mjs';
import * as colouring from '../../../src/chat/markdown/highlight.ts';
import { languages } from '../../../src/chat/markdown/languages.ts';
import * as parsing from '../../../src/chat/markdown/parse.ts';
import { nestedShapes } from '../../support/nestedMarkdown.ts';

const root = resolve(import.meta.dirname, '../../..');

/** Builds a module with the plugins that a bundle of pages has. */
async function bundled<Module>(folder: string, name: string, entry: string, plugins: readonly esbuild.Plugin[]): Promise<Module> {
  const outfile = join(folder, `${name}.js`);
  await esbuild.build({ entryPoints: [join(root, entry)], bundle: true, minify: true, format: 'esm', outfile, plugins: [...plugins] });
  return await import(pathToFileURL(outfile).href) as Module;
}

// Parts of both packages are left out of the bundles (esbuild.mjs).
suite('chat: packages as they are bundled', function () {
  // esbuild is a program of its own: on a busy machine it takes its time to start.
  this.timeout(60_000);
  let folder: string;
  const [panel, code] = pageBundles;
  suiteSetup(async () => { folder = await mkdtemp(join(tmpdir(), 'a2a-bundled-')); });
  suiteTeardown(() => rm(folder, { recursive: true }));

  test('marked reads as the whole package does', async () => {
    const { parseBlock } = await bundled<typeof parsing>(folder, 'parse', 'src/chat/markdown/parse.ts', panel?.plugins ?? []);
    const readme = await readFile(join(root, 'README.md'), 'utf8');
    const blocks = [
      ...readme.split(/\n{2,}/), ...Object.values(nestedShapes).map(shape => shape(50)),
      '| a | b |\n|:-|-:|\n| `c` | **d** |', '- [ ] a\n- [x] b\n\n  c', '<div>\na\n</div>', '[a]: http://x "t"\n\n[a] <http://y> www.z.example a@b.example', 'a\\\nb  \nc ~~d~~ &amp; ![e](f "g")', 'a\n===\n\n***\n\n    code',
    ];
    assert.ok(blocks.length > 500, String(blocks.length));
    for (const block of blocks) assert.deepEqual(parseBlock(block), parsing.parseBlock(block), block);
  });

  test('highlight.js colours as the whole package does', async () => {
    await bundled(folder, 'chat', 'src/chat/markdown/languages.ts', []);
    const { highlight } = await bundled<typeof colouring>(folder, 'highlight', 'src/chat/markdown/highlight.ts', code?.plugins ?? []);
    for (const language of Object.keys(languages)) {
      // Every word that its grammar knows, alone and called.
      const grammar = language === 'css' ? 'a { color: red }' : await readFile(join(root, 'node_modules/highlight.js/lib/languages', `${language}.js`), 'utf8');
      const words = [...new Set(grammar.match(/[\w.-]+/g))];
      const texts = [words.join('\n'), words.map(word => `${word}(1);`).join('\n'), ...(language === 'sql' ? [words.join(' ').toUpperCase()] : [])];
      for (const text of texts) assert.deepEqual(highlight(text, language), colouring.highlight(text, language), language);
    }
  });
});
