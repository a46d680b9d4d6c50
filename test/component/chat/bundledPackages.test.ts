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

/** Builds a module as it is in a bundle of pages. */
async function bundled<Module>(
  folder: string,
  name: string,
  entry: string,
  { plugins, mangleProps }: esbuild.BuildOptions = {},
): Promise<Module> {
  const outfile = join(folder, `${name}.js`);
  await esbuild.build({
    entryPoints: [join(root, entry)],
    bundle: true,
    minify: true,
    format: 'esm',
    outfile,
    ...(plugins && { plugins }),
    ...(mangleProps && { mangleProps }),
  });
  return (await import(pathToFileURL(outfile).href)) as Module;
}

/** Code as it is written, each in every language. */
const sources = [
  'src/chat/markdown/parse.ts',
  'src/chat/widgets/errorBoundary.tsx',
  'src/chat/cardPage/cardPage.css',
  'test/ui/tsconfig.json',
  'l10n/schemas.l10n.zh-cn.json',
];
const inOtherLanguages = [
  'import os\n@dataclass\nclass A(B):\n    """text"""\n    async def f(self, x: int = 0x1F) -> str:\n        return f"{x!r:>{10}} \\n" + rb\'a\' # TODO: b\n',
  '#!/bin/bash\nfor f in "$@"; do\n  cat <<EOF | grep -v \'a\'\n$f ${f%.txt} $(ls)\nEOF\ndone\nif [[ $a == b ]]; then echo `c`; fi\n',
  "SELECT a.b, COUNT(*) AS n FROM t WHERE c = 'it''s' AND d > 1.5 -- e\nGROUP BY \"f\"; /* g */ CREATE TABLE h (i INTEGER PRIMARY KEY);",
  '<!DOCTYPE html>\n<a href="x" b=\'y\' c=z>&amp;<script>let a = `b${1}`;</script><style>p { color: red }</style><!-- d --></a><![CDATA[e]]>',
  'package a\nimport "fmt"\nfunc (s *S) f(x int) (chan<- string, error) { defer g(); return `raw`, 0b11 }',
  "@Override public final class A<T extends B> implements C { /** d\n * @param e f */ int g() { return 'h' + 1_000L; } record P(int x) {} }",
  'a: &b\n  - "c": *b\n    d: |\n      text\n  - 2001-12-14t21:59:43.10-05:00 # e\n---\n!tag f: {g: [1, .inf]}',
  '# a\n\n* b **c** _d_ `e` [f](g "h") ![i](j)\n\n> k\n\n```js\nlet l = 1;\n```\n\n    m\n\n[n]: o\n',
  'diff --git a/b b/b\n--- a/b\n+++ b/b\n@@ -1,2 +1,2 @@ c\n-d\n+e\n! f\n***************\n*** 1,2 ****\n',
];

// Parts of both packages are left out of the bundles (esbuild.mjs).
suite('chat: packages as they are bundled', () => {
  let folder: string;
  const [panel, code] = pageBundles;
  suiteSetup(async () => {
    folder = await mkdtemp(join(tmpdir(), 'a2a-bundled-'));
  });
  suiteTeardown(() => rm(folder, { recursive: true }));

  test('marked reads as the whole package does', async () => {
    const { parseBlock } = await bundled<typeof parsing>(folder, 'parse', 'src/chat/markdown/parse.ts', panel);
    const readme = await readFile(join(root, 'README.md'), 'utf8');
    const blocks = [
      ...readme.split(/\n{2,}/),
      ...Object.values(nestedShapes).map(shape => shape(50)),
      '| a | b |\n|:-|-:|\n| `c` | **d** |',
      '- [ ] a\n- [x] b\n\n  c',
      '<div>\na\n</div>',
      '[a]: http://x "t"\n\n[a] <http://y> www.z.example a@b.example',
      'a\\\nb  \nc ~~d~~ &amp; ![e](f "g")',
      'a\n===\n\n***\n\n    code',
      '1) a\n2) *b*_c_ __d__ `e`\n\n> f\n> - g\n\n[h][i] [i] \\[j\\] <k@l.example> <!-- m -->\n\n[i]: <http://n> (o)',
      '~p~ ~~~q~~~ *r**s*** <a href="t">u</a>\n## v #\n---\n* * *\n\tw',
    ];
    assert.ok(blocks.length > 500, String(blocks.length));
    for (const block of blocks) assert.deepEqual(parseBlock(block), parsing.parseBlock(block), block);
  });

  test('highlight.js colours as the whole package does', async () => {
    await bundled(folder, 'chat', 'src/chat/markdown/languages.ts');
    const { highlight } = await bundled<typeof colouring>(folder, 'highlight', 'src/chat/markdown/highlight.ts', code);
    const source = [...(await Promise.all(sources.map(path => readFile(join(root, path), 'utf8')))), ...inOtherLanguages];
    for (const language of Object.keys(languages)) {
      // Every word that its grammar knows, alone and called.
      const grammar =
        language === 'css'
          ? 'a { color: red }'
          : await readFile(join(root, 'node_modules/highlight.js/lib/languages', `${language}.js`), 'utf8');
      const words = [...new Set(grammar.match(/[\w.-]+/g))];
      const texts = [
        ...source,
        words.join('\n'),
        words.map(word => `${word}(1);`).join('\n'),
        ...(language === 'sql' ? [words.join(' ').toUpperCase()] : []),
      ];
      for (const text of texts) assert.deepEqual(highlight(text, language), colouring.highlight(text, language), language);
    }
  });
});
