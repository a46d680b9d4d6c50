import * as assert from 'node:assert/strict';
import { Lexer } from 'marked';
import { BlockText } from '../../../src/chat/text/blockText.ts';
import { growsInProportion } from '../../support/cpuTime.ts';
import { figure, full, seed } from '../../support/figure.ts';
import { Random } from '../../support/protocol/random.ts';

const cases: readonly (readonly [what: string, text: string, closed: readonly string[], open: string])[] = [
  ['nothing', '', [], ''],
  ['one paragraph stays open', 'a\nb', [], 'a\nb'],
  ['a blank line alone closes nothing', 'a\n\n', [], 'a\n\n'],
  ['what starts anew closes what was before', 'a\n\nb\n', ['a\n\n'], 'b\n'],
  ['an unfinished line starts nothing yet', 'a\n\nb', [], 'a\n\nb'],
  ['an indented line may belong to what was before', 'a\n\n  b\n', [], 'a\n\n  b\n'],
  ['items of a loose list stay together', '- a\n\n- b\n\nc\n', ['- a\n\n- b\n\n'], 'c\n'],
  ['ordered ones too', '1. a\n\n2. b\n', [], '1. a\n\n2. b\n'],
  ['blank lines in a fence are code', '```\na\n\nb\n', [], '```\na\n\nb\n'],
  ['a fence at the margin is a block of its own', 'a\n```\nb\n```\nc\n', ['a\n', '```\nb\n```\n'], 'c\n'],
  ['a longer fence holds a shorter one', '````\n```\n\n```\n````\n', ['````\n```\n\n```\n````\n'], ''],
  ['tildes do not close backticks', '```\n~~~\n\nb\n', [], '```\n~~~\n\nb\n'],
  ['backticks with backticks behind are no fence', '``` `a`\n\nb\n', ['``` `a`\n\n'], 'b\n'],
  [
    'a fence in a list item belongs to the list',
    '1. a\n\n   ```\n   b\n\n   c\n   ```\n\n2. d\n\ne\n',
    ['1. a\n\n   ```\n   b\n\n   c\n   ```\n\n2. d\n\n'],
    'e\n',
  ],
  ['a line at the margin ends a fence in a list item', '- ```\n  a\nb\n\nc\n', ['- ```\n  a\nb\n\n'], 'c\n'],
  ['a fence in a quotation ends with it', '> ```\n> a\n\nb\n\nc\n', ['> ```\n> a\n\n', 'b\n\n'], 'c\n'],
  ['indented code is no fence', 'a\n\n    ```\n\nb\n\nc\n', ['a\n\n    ```\n\n', 'b\n\n'], 'c\n'],
  ['leading blank lines', '\n\na\n\nb\n', ['\n\na\n\n'], 'b\n'],
];

const snippets = [
  'Words *and* `code`\nover two lines',
  '# Heading',
  'Title\n=====',
  '- a\n- b',
  '- a\n\n- b\n\n  more of b',
  '1. one\n2. two',
  '1. one\n\n   ```js\n   x\n\n   y\n   ```\n\n2. two',
  '```py\nprint(1)\n\nprint(2)\n```',
  '~~~\n```\n\n~~~',
  '> quoted\n> more',
  '> ```\n> code\n> ```',
  '| a | b |\n|---|---|\n| 1 | 2 |',
  '---',
  '<div>\nhi\n</div>',
  '    indented code',
  'a line\n```\ncode right below\n```\nand right after',
  '* star\n  * nested\n\n    deep',
];

/** Texts that are made at random. */
const rounds = full ? 400 : 40;

const structure = (tokens: unknown): unknown =>
  JSON.parse(JSON.stringify(tokens, (key, value: unknown) => (key === 'raw' || key === 'loose' ? undefined : value)));
const lex = (text: string): unknown => structure(new Lexer({ gfm: true, breaks: true }).lex(text).filter(({ type }) => type !== 'space'));

suite('chat: Markdown in blocks', () => {
  for (const [what, text, closed, open] of cases) {
    test(what, () => {
      const blocks = new BlockText(text);
      assert.deepEqual({ closed: blocks.closed, open: blocks.open }, { closed, open });
    });
  }

  test('pieces of any length give the same blocks, and nothing is lost', () => {
    const random = new Random(seed);
    for (let round = 0; round < rounds; round++) {
      const text = Array.from({ length: 6 }, () => random.pick(snippets)).join(random.next() < 0.8 ? '\n\n' : '\n');
      const pieces = new BlockText();
      for (let at = 0; at < text.length; ) {
        const length = 1 + random.below(9);
        pieces.append(text.slice(at, at + length));
        at += length;
      }
      const whole = new BlockText(text);
      assert.deepEqual([pieces.closed, pieces.open], [whole.closed, whole.open], JSON.stringify(text));
      assert.equal(pieces.toString(), text);
      assert.equal(pieces.length, text.length);
    }
  });

  test('blocks parsed one by one are what the whole is', () => {
    const random = new Random(seed);
    for (let round = 0; round < rounds; round++) {
      const text = `${Array.from({ length: 5 }, () => random.pick(snippets)).join('\n\n')}\n`;
      const blocks = new BlockText(text);
      const oneByOne = [...blocks.closed, blocks.open].flatMap(block => lex(block) as unknown[]);
      assert.deepEqual(oneByOne, lex(text), JSON.stringify(text));
    }
    figure('F31', { texts: rounds }, `${rounds} Markdown texts, block by block`);
  });

  test('many pieces take time in proportion', async () => {
    const { holds, figures } = await growsInProportion(count => {
      const blocks = new BlockText();
      for (let index = 0; index < count; index++) blocks.append(index % 40 === 39 ? 'end.\n\nNext' : ' some words');
      assert.ok(blocks.closed.length > count / 50);
    }, 5_000);
    assert.ok(holds, figures);
  }).timeout(60_000);

  test('one endless paragraph and one endless fence stay linear too', async () => {
    for (const [start, piece] of [
      ['', 'a line of it\n'],
      ['```\n', 'a line of it\n\n'],
    ] as const) {
      const { holds, figures } = await growsInProportion(count => {
        const blocks = new BlockText(start);
        for (let index = 0; index < count; index++) blocks.append(piece);
        assert.equal(blocks.closed.length, 0);
      }, 4_000);
      assert.ok(holds, figures);
    }
  }).timeout(60_000);
});
