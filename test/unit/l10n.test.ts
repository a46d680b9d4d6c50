import * as assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { JsonSchema } from '../../src/request/schema/jsonSchema.ts';
import { jsonSchemas } from '../../src/request/schema/schemas.ts';
import { schemaTexts, translatedSchema } from '../../src/request/schema/translatedSchema.ts';
import { stringLiteral, textOfLiteral } from '../support/stringLiteral.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(resolve(root, path), 'utf8');

/** Calls whose first argument is a sentence for people: workbench, panel, and the boxes below. */
const calls: readonly (readonly [glob: string, call: RegExp])[] = [
  ['src/{workbench/**/*,extension,main}.ts', new RegExp(String.raw`vscode\.l10n\.t\(\s*${stringLiteral}`, 'g')],
  ['src/**/*.ts', new RegExp(String.raw`\bsentence\(\s*${stringLiteral}`, 'g')],
  // A rule's title, and what the texts disagree on, are sentences that its row holds.
  ['src/protocol/rules/*/*.ts', new RegExp(String.raw`\b(?:title|disputed):\s*${stringLiteral}`, 'g')],
  ['src/chat/**/*.{ts,tsx}', new RegExp(String.raw`(?<![\w.])t\(\s*${stringLiteral}`, 'g')],
];

const used = new Set(
  calls.flatMap(([glob, call]) =>
    globSync(glob, { cwd: root }).flatMap(path => [...read(path).matchAll(call)].map(([, text = '']) => textOfLiteral(text))),
  ),
);

suite('translations', () => {
  const bundle = JSON.parse(read('l10n/bundle.l10n.zh-cn.json')) as Record<string, string>;
  const schemaWords = JSON.parse(read('l10n/schemas.l10n.zh-cn.json')) as Record<string, string>;

  test('every sentence has a Chinese one', () => {
    assert.deepEqual(
      [...used].filter(text => bundle[text] === undefined),
      [],
    );
  });

  test('no translation is left over', () => {
    assert.deepEqual(
      Object.keys(bundle).filter(text => !used.has(text)),
      [],
    );
  });

  test('none stands twice, since only the last one would count', () => {
    for (const path of ['l10n/bundle.l10n.zh-cn.json', 'l10n/schemas.l10n.zh-cn.json']) {
      const keys = read(path)
        .split('\n')
        .flatMap(line => /^\s*("(?:[^"\\]|\\.)*"):/.exec(line)?.[1] ?? []);
      assert.ok(keys.length > 200, path);
      assert.deepEqual(
        keys.filter((key, index) => keys.indexOf(key) !== index),
        [],
        path,
      );
    }
  });

  test('placeholders are the same', () => {
    const places = (text: string): string[] => (text.match(/\{\d+\}/g) ?? []).sort();
    for (const [english, chinese] of Object.entries(bundle)) assert.deepEqual(places(chinese), places(english), english);
  });

  test('every text of the schemas has a Chinese one, and none is left over', () => {
    const texts = new Set(Object.values(jsonSchemas()).flatMap(schema => [...schemaTexts(schema)]));
    assert.ok(texts.size > 200);
    assert.deepEqual(Object.keys(schemaWords).sort(), [...texts].sort());
  });

  test('a schema in Chinese takes what the English one takes', () => {
    const bare = (schema: JsonSchema): JsonSchema => translatedSchema(schema, () => 'x');
    for (const schema of Object.values(jsonSchemas())) {
      const chinese = translatedSchema(schema, text => schemaWords[text] ?? text);
      assert.notDeepEqual(chinese, schema);
      assert.deepEqual(bare(chinese), bare(schema));
    }
  });

  test('Chinese sentences have Chinese punctuation', () => {
    // What is quoted as it is: where links lead, code, and titles of commands, which VS Code puts together with a colon of its own.
    const quoted = /\]\([^)]*\)|`[^`]*`|“[^”“]*: [^”]*”/g;
    const half = /[\u4e00-\u9fff}”）][,;:?!](?! )|[\u4e00-\u9fff] ?\(|[,;:?!)] ?[\u4e00-\u9fff“]/;
    const manifest = JSON.parse(read('package.nls.zh-cn.json')) as Record<string, string>;
    const chinese = [...Object.values(bundle), ...Object.values(manifest), ...Object.values(schemaWords)].filter(text =>
      /[\u4e00-\u9fff]/.test(text),
    );
    assert.ok(chinese.length > 500);
    assert.deepEqual(
      chinese.filter(text => half.test(text.replaceAll(quoted, '…'))),
      [],
    );
  });

  test('sentences are written where the extraction finds them', () => {
    for (const path of globSync('src/workbench/**/*.ts', { cwd: root })) {
      for (const [whole] of read(path).matchAll(/l10n\.t\(\s*[^'"\s][^)]*\)/g)) {
        assert.ok(path.endsWith('report.ts'), `${path}: ${whole} has no literal`);
      }
    }
  });
});
