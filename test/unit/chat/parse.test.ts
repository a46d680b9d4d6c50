import * as assert from 'node:assert/strict';
import { isTame, parseBlock } from '../../../src/chat/markdown/parse.ts';
import { cpuTime } from '../../support/cpuTime.ts';

const n = 24_000;
/** Blocks that make one Markdown parser or another slow, deep, or large. */
const pathological: Readonly<Record<string, string>> = {
  brackets: '['.repeat(n), nestedBrackets: '['.repeat(n / 2) + ']'.repeat(n / 2), stars: '*a '.repeat(n / 3), underscores: 'a_'.repeat(n / 2),
  quotes: '>'.repeat(n), spacedQuotes: '> '.repeat(n / 2), ticks: Array.from({ length: 200 }, (_, index) => `e${'`'.repeat(index)}`).join(''), images: '![[]()'.repeat(n / 6),
  links: '[a](<b'.repeat(n / 7), mails: 'a@b.c'.repeat(n / 5), addresses: 'http://a'.repeat(n / 8), comments: '<!--'.repeat(n / 4), tags: '<a '.repeat(n / 3),
  ampersands: '&'.repeat(n), escapes: '\\'.repeat(n), lists: Array.from({ length: 150 }, (_, index) => `${' '.repeat(index * 2)}- a`).join('\n'),
  wideTable: `${'|a'.repeat(n / 8)}\n${'|-'.repeat(n / 8)}\n${'|a\n'.repeat(1000)}`, narrowLinesTable: `${'|a'.repeat(49)}\n${'|-'.repeat(49)}\n${'|\n'.repeat(5000)}`,
  strikes: '~~a'.repeat(n / 3), definitions: '[a]:'.repeat(n / 4), blanks: `a${' '.repeat(n - 2)}b`, lines: 'a\n'.repeat(n / 2), dashes: '- '.repeat(n / 2),
  emphasis: `${'*'.repeat(n / 2)}a${'*'.repeat(n / 2)}`, mailLike: `${'a'.repeat(50)}@`.repeat(n / 51), shortLinesOfStars: '*a **b\n'.repeat(n / 7), quotesPerLine: '> > > > a\n'.repeat(n / 10),
};

suite('chat: parsing a block', () => {
  for (const [name, block] of Object.entries(pathological)) {
    test(`${name} takes no time worth noticing`, () => {
      const took = cpuTime(() => parseBlock(block));
      assert.ok(took < 500, `${took.toFixed(0)} ms`);
    });
  }

  test('ordinary blocks are parsed', () => {
    for (const block of ['# a', '- a\n  - b\n    - c', '> > a', `| ${'a | '.repeat(20)}\n| ${'- | '.repeat(20)}`, `${'word '.repeat(1500)}`, '***a***', `${'-'.repeat(120)}`]) {
      assert.ok(isTame(block), block.slice(0, 30));
      assert.ok((parseBlock(block)?.length ?? 0) > 0);
    }
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
      assert.deepEqual([token?.type, token !== undefined && 'lang' in token ? token.lang : undefined, token !== undefined && 'text' in token ? token.text : undefined], ['code', lang, code]);
    });
  }

  test('a fence is code however long it is', () => {
    const [token] = parseBlock(`\`\`\`json\n${'{"a": 1}\n'.repeat(100_000)}`) ?? [];
    assert.equal(token?.type, 'code');
  });
});
