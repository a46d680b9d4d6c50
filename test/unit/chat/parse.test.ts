import * as assert from 'node:assert/strict';
import type { Token, Tokens } from 'marked';
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

  /** The inline tokens of a paragraph, as `type:text`. */
  const inline = (text: string): readonly string[] =>
    ((parseBlock(text)?.[0] as Tokens.Paragraph | undefined)?.tokens ?? []).map(
      token => `${token.type}:${'text' in token ? token.text : ''}`,
    );
  for (const [text, expected] of [
    ['**注意：**请带伞。', ['strong:注意：', 'text:请带伞。']],
    ['**“西湖”**的*风景*', ['strong:“西湖”', 'text:的', 'em:风景']],
    ['这是**“西湖”**，那是*（东湖）*吗', ['text:这是', 'strong:“西湖”', 'text:，那是', 'em:（东湖）', 'text:吗']],
    ['用**`a*b`：**的值', ['text:用', 'strong:`a*b`：', 'text:的值']],
    ['乘 ** 号 ** 的', ['text:乘 ** 号 ** 的']],
    ['请看 https://a.example/x。然后', ['text:请看 ', 'link:https://a.example/x', 'text:。然后']],
    ['“https://a.example/x”，', ['text:“', 'link:https://a.example/x', 'text:”，']],
    // English as CommonMark has it.
    ['**note:**bring it', ['text:**note:**bring it']],
    ['a*"foo"*', ['text:a*"foo"*']],
    ['**“Note”** see https://a.example/x.', ['strong:“Note”', 'text: see ', 'link:https://a.example/x', 'text:.']],
  ] as const) {
    test(`marks beside Chinese: ${text}`, () => assert.deepEqual(inline(text), expected));
  }

  /** All tokens of a block by type, those with others in them without their text. */
  const pieces = (block: string): string[] => {
    const of = (list: readonly Token[]): string[] =>
      list.flatMap(token => {
        const inner = [
          ...('tokens' in token ? (token.tokens ?? []) : []),
          ...('items' in token ? (token as Tokens.List).items : []),
          ...('rows' in token ? (token as Tokens.Table).rows.flat().flatMap(({ tokens }) => tokens) : []),
        ];
        return inner.length > 0 ? [token.type, ...of(inner)] : [`${token.type} ${'text' in token ? token.text : ''}`];
      });
    return of(parseBlock(block) ?? []);
  };

  test('a formula in a line stays the source that it is, and what is around it is Markdown', () => {
    for (const math of [
      '$a*b*c$',
      '$x_1 + y_2$',
      '$\\{x\\} \\le \\_$',
      '$a_i < b_i > c_i$',
      '$[x] (y)$',
      '$|x_1|*|y_1|$',
      '$$a_1 *b* c_2$$',
      '$$\n- a_1\n= *b*\n$$',
    ]) {
      const shown = (parseBlock(`So **it is ${math}** *now*`) ?? []).flatMap(token => ('tokens' in token ? (token.tokens ?? []) : []));
      assert.deepEqual(
        shown.map(({ type, raw }) => [type, raw]),
        [
          ['text', 'So '],
          ['strong', `**it is ${math}**`],
          ['text', ' '],
          ['em', '*now*'],
        ],
        math,
      );
      assert.ok(!JSON.stringify(shown[1]).includes('"em"'), math);
    }
    assert.deepEqual(pieces('- $a_1$\n- $b*c*d$ and *e*'), [
      'list',
      'list_item',
      'text',
      'text $a_1$',
      'list_item',
      'text',
      'text $b*c*d$ and ',
      'em',
      'text e',
    ]);
    assert.deepEqual(pieces('In `$a*b$` and `x` it is $c*d*$'), [
      'paragraph',
      'text In ',
      'codespan $a*b$',
      'text  and ',
      'codespan x',
      'text  it is $c*d*$',
    ]);
  });

  test('prices are no formulas', () => {
    for (const [text, expected] of [
      ['$5 and *really* $6', ['paragraph', 'text $5 and ', 'em', 'text really', 'text  $6']],
      ['**$5** or **$6**', ['paragraph', 'strong', 'text $5', 'text  or ', 'strong', 'text $6']],
      ['$5*2*=$10', ['paragraph', 'text $5', 'em', 'text 2', 'text =$10']],
      ['5$ *or* 6$', ['paragraph', 'text 5$ ', 'em', 'text or', 'text  6$']],
      ['US$5 *or* x$', ['paragraph', 'text US$5 ', 'em', 'text or', 'text  x$']],
      ['$5 [*here*](http://x) or 6 x$', ['paragraph', 'text $5 ', 'link', 'em', 'text here', 'text  or 6 x$']],
      ['costs $HOME and *$PATH*', ['paragraph', 'text costs $HOME and ', 'em', 'text $PATH']],
      ['\\$a *b* c$', ['paragraph', 'escape $', 'text a ', 'em', 'text b', 'text  c$']],
      ['| a | b |\n|-|-|\n| *$5* | *x$* |', ['table', 'em', 'text $5', 'em', 'text x$']],
      ['> $$\n> *a*\n> $$', ['blockquote', 'paragraph', 'text $$', 'br ', 'em', 'text a', 'br ', 'text $$']],
      ['$\ue0a0 *b*$', ['paragraph', 'text $\ue0a0 ', 'em', 'text b', 'text $']],
    ] as const)
      assert.deepEqual(pieces(text), expected, text);
  });

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
