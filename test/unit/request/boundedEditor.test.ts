import * as assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { readImports } from '../../../src/request/check/readImports.ts';
import { readRequestFile } from '../../../src/request/check/readRequestFile.ts';
import { noSettings } from '../../../src/request/file/folderDefaults.ts';

const times = (count: number, one: (index: number) => string, between = ','): string =>
  Array.from({ length: count }, (_, index) => one(index)).join(between);
const fence = (text: string): string => `\`\`\`a2a\n${text}\n\`\`\`\n`;
const request = (index: number): string => `{"name":"n${index}","message":"x"}`;
/** As many as a file of one list may have in an editor. */
const most = readRequestFile(`{"requests":[${times(3_000, request)}]}`, { bounded: true }).requests.length;

suite('request files in an editor: what is read does not grow without bound', () => {
  const texts = {
    'fences of one name': times(5_000, () => fence(request(1)), '\n'),
    'fences of different names': times(5_000, index => fence(request(index)), '\n'),
    'fences with lists': times(50, () => fence(`{"requests":[${times(900, request)}]}`), '\n'),
  };
  for (const [name, text] of Object.entries(texts)) {
    test(`Markdown: ${name} share the bounds of one file, and what is left out is told once`, () => {
      const file = readRequestFile(text, { markdown: true, bounded: true });
      assert.ok(file.requests.length <= most * 2, String(file.requests.length));
      assert.ok(file.requests.length >= 900, String(file.requests.length));
      assert.ok(file.problems.filter(({ code }) => code === 'not-read').length <= 2);
      assert.ok(readRequestFile(text, { markdown: true }).requests.length >= 5_000, 'a terminal reads all of it');
    });
  }

  test('Markdown: fences of variables share them, too', () => {
    const text = times(50, part => fence(`{"variables":{${times(900, index => `"v${part}_${index}":"x"`)}}}`), '\n');
    const { variables } = readRequestFile(text, { markdown: true, bounded: true });
    assert.ok(variables.size <= most * 2, String(variables.size));
  });

  test('an imported file has the same bounds, and its names beyond them are not called unknown', async () => {
    const main = '{"agent":"A","import":["./other.a2a"],"requests":[{"name":"one","after":"n2900","message":"x"}]}';
    const sources = {
      text: async () => `{"agent":"A","requests":[${times(3_000, request)}]}`,
      defaults: async () => noSettings,
      shown: (path: string) => path,
    };
    const folder = resolve('/w');
    const imports = await readImports(readRequestFile(main), { folder, sources, bounded: true });
    const [read] = imports.values();
    assert.ok(read !== undefined && 'file' in read);
    assert.equal(read.file.requests.length, most);
    const codes = readRequestFile(main, { imports, bounded: true }).problems.map(({ code }) => code);
    assert.ok(!codes.includes('unknown-request'), codes.join());
  });

  test('errors of syntax are as many as other problems', () => {
    const { syntaxErrors } = readRequestFile(`{"message":"x" ${'x '.repeat(5_000)}}`, { bounded: true });
    assert.ok(syntaxErrors.length > 0 && syntaxErrors.length <= 200, String(syntaxErrors.length));
  });
});
