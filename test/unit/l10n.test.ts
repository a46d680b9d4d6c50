import * as assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { JsonSchema } from '../../src/request/schema/jsonSchema.ts';
import { jsonSchemas } from '../../src/request/schema/schemas.ts';
import { translatedSchema } from '../../src/request/schema/translatedSchema.ts';
import { translated } from '../../scripts/translations.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(resolve(root, path), 'utf8');

suite('translations', () => {
  const tables = translated();
  const [bundle = {}, schemaWords = {}, manifest = {}] = tables.map(({ chinese }) => chinese);

  // One that is missing is shown in English, and `npm test` lists it: see `untranslated`.
  test('no translation is left over', () => {
    for (const { path, chinese, used } of tables) {
      assert.ok(used.size > 100, path);
      assert.deepEqual(
        Object.keys(chinese).filter(text => !used.has(text)),
        [],
        path,
      );
    }
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

  test('a schema in Chinese takes what the English one takes', () => {
    const bare = (schema: JsonSchema): JsonSchema => translatedSchema(schema, () => 'x');
    for (const schema of Object.values(jsonSchemas())) {
      const chinese = translatedSchema(schema, text => schemaWords[text] ?? text);
      assert.notDeepEqual(chinese, schema);
      assert.deepEqual(bare(chinese), bare(schema));
    }
  });

  test('Chinese sentences have Chinese punctuation', () => {
    // What is quoted as it is: where links lead, code, JSON, marks, and titles of commands, which VS Code puts together with a colon of its own.
    const quoted = /\]\([^)]*\)|`[^`]*`|“[^”“\u4e00-\u9fff]*”|“[^”“]*: [^”]*”|\{ "[^}]*\}|\\?"…\\?"/g;
    const wide = '\\u3000-\\u303f\\u4e00-\\u9fff\\uff00-\\uffef“”';
    const faults = [
      // Half-width marks, brackets and full stops beside Chinese text.
      `[${wide}}][,;:?!](?! )`,
      `[,;:?!] (?:[${wide}]|\\{\\d)`,
      `[,;:?!)] ?[${wide}]`,
      `[${wide}] ?[(]`,
      `[${wide}}]\\.(?:\\s|$)`,
      // Straight quotation marks, and spaces beside Chinese marks.
      '"',
      '[，。：；！？（）“”、] | [，。：；！？（）“”、]',
    ];
    const half = new RegExp(faults.join('|'));
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
