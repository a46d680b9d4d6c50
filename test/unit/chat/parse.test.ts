import * as assert from 'node:assert/strict';
import { isQuickToParse, parseBlock } from '../../../src/chat/markdown/parse.ts';
import { cpuTime } from '../../support/cpuTime.ts';
import { pathologicalShapes } from '../../support/pathologicalMarkdown.ts';

suite('chat: parsing a block', () => {
  for (const [name, shape] of Object.entries(pathologicalShapes)) {
    test(`${name} takes no time worth noticing`, () => {
      const took = cpuTime(() => parseBlock(shape(24_000)));
      assert.ok(took < 500, `${took.toFixed(0)} ms`);
    });
  }

  test('ordinary blocks are parsed', () => {
    for (const block of [
      '# a',
      '- a\n  - b\n    - c',
      '> > a',
      `| ${'a | '.repeat(20)}\n| ${'- | '.repeat(20)}`,
      `${'word '.repeat(1500)}`,
      '***a***',
      `${'-'.repeat(120)}`,
    ]) {
      assert.ok(isQuickToParse(block), block.slice(0, 30));
      assert.ok((parseBlock(block)?.length ?? 0) > 0);
    }
  });

  test('a table that fills thousands of rows with cells that nobody wrote is shown as it is', () => {
    const narrow = (rows: number): string => `${'|a'.repeat(49)}\n${'|-'.repeat(49)}\n${'|\n'.repeat(rows)}`;
    assert.ok(isQuickToParse(narrow(100)));
    assert.ok(!isQuickToParse(narrow(1_000)));
    assert.ok(isQuickToParse(`|a|b|\n|-|-|\n${'|1|2|\n'.repeat(1_500)}`));
    assert.ok(!isQuickToParse('a\n'.repeat(5_000)));
  });

  const fences: readonly (readonly [text: string, lang: string, code: string])[] = [
    ['```ts\na\n\nb\n```\n', 'ts', 'a\n\nb'],
    ['```ts\na\n', 'ts', 'a'],
    ['```ts', 'ts', ''],
    ['~~~~\n~~~\n~~~~\n\n', '', '~~~'],
    ['```\n```\n', '', ''],
    ['```\na\n``', '', 'a\n``'],
  ];
  for (const [text, lang, code] of fences) {
    test(`a fence is code: ${JSON.stringify(text)}`, () => {
      const [token] = parseBlock(text) ?? [];
      assert.deepEqual(
        [
          token?.type,
          token !== undefined && 'lang' in token ? token.lang : undefined,
          token !== undefined && 'text' in token ? token.text : undefined,
        ],
        ['code', lang, code],
      );
    });
  }

  test('a displayed formula stays the source that it is, with what Markdown would take from it', () => {
    for (const math of ['$$\\sum_{i=1}^{n} x_i \\\\ *a*$$', '$$\na\\_b\n$$', '\\[\n\\{x\\}\n\\]', '\\[ y \\]', '$$\nnot yet'])
      assert.deepEqual(
        parseBlock(`${math}\n\n`)?.map(({ type, ...token }) => [type, 'lang' in token && token.lang, 'text' in token && token.text]),
        [['code', 'math', math]],
      );
    for (const words of ['$$ is a lot', '$$a$$ is a formula', '\\[see below', '\\[a\\]: b', '$$$', '$$$$', 'the cost: $$x$$'])
      assert.notEqual(parseBlock(words)?.[0]?.type, 'code', words);
  });

  test('a fence is code however long it is', () => {
    const [token] = parseBlock(`\`\`\`json\n${'{"a": 1}\n'.repeat(100_000)}`) ?? [];
    assert.equal(token?.type, 'code');
  });
});
