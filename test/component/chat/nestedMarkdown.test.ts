import * as assert from 'node:assert/strict';
import type { Token, Tokens } from 'marked';
import { maxDepth, maxContainers } from '../../../src/chat/markdown/boundedLexer.ts';
import { parseBlock } from '../../../src/chat/markdown/parse.ts';
import { nestedLengths, nestedShapes } from '../../support/nestedMarkdown.ts';
import { cpuTime } from '../../support/cpuTime.ts';

/** A list is two tokens, itself and its item; a text has one more around it. */
const maxTokens = maxContainers * 2 + (maxDepth - maxContainers) + 4;

const inside = (token: Token): readonly (readonly Token[])[] => {
  const { tokens, items, header, rows } = token as {
    tokens?: Token[];
    items?: Token[];
    header?: Tokens.TableCell[];
    rows?: Tokens.TableCell[][];
  };
  return [tokens ?? [], items ?? [], ...[...(header ?? []), ...(rows ?? []).flat()].map(cell => cell.tokens)];
};
/** Level by level, since a test must not overflow either. */
function depthOf(list: readonly Token[]): number {
  let depth = 0;
  for (let level = list; level.length > 0; depth++) level = level.flatMap(token => inside(token).flat());
  return depth;
}
/** Everything that would be drawn. */
function leavesOf(list: readonly Token[]): string {
  let text = '';
  for (let level = list; level.length > 0; ) {
    const next: Token[] = [];
    for (const token of level) {
      const deeper = inside(token).flat();
      if (deeper.length === 0) text += 'text' in token ? token.text : token.raw;
      next.push(...deeper);
    }
    level = next;
  }
  return text;
}

suite('chat: nested Markdown', () => {
  test('500 shapes and more, no two the same', () => {
    const all = Object.values(nestedShapes).map(shape => shape(500));
    assert.ok(all.length >= 500, String(all.length));
    assert.ok(new Set(all).size >= 500, String(new Set(all).size));
  });

  for (const length of nestedLengths) {
    test(`of ${length} characters: no shape is nested deeper than can be drawn, takes long, or loses what is in it`, () => {
      let parsed = 0;
      let deep = 0;
      for (const [name, shape] of Object.entries(nestedShapes)) {
        const block = shape(length);
        let list: readonly Token[] | undefined;
        const took = cpuTime(() => {
          list = parseBlock(block);
        });
        assert.ok(took < 1_000, `${name}: ${took.toFixed(0)} ms`);
        if (list === undefined) continue;
        parsed++;
        const depth = depthOf(list);
        assert.ok(depth <= maxTokens, `${name}: ${depth} levels`);
        if (depth > maxContainers) deep++;
        if (!/<|\[r\]/.test(block)) assert.match(leavesOf(list), /x/, name);
      }
      console.log(
        `      ${parsed} of ${Object.keys(nestedShapes).length} are parsed, ${deep} of them as deep as the bound lets them; the others are shown as they are`,
      );
      if (length >= 100 && length <= 250) assert.ok(deep > 50, String(deep));
    });
  }

  test('what is too deep is shown as it was written', () => {
    const text = leavesOf(parseBlock(`${'- '.repeat(40)}x &amp; *y*`) ?? []);
    assert.equal(text, `${'- '.repeat(40 - maxContainers)}x &amp; *y*`);
    const emphasis = leavesOf(parseBlock(`${'*a **b '.repeat(20)}x${' b** a*'.repeat(20)}`) ?? []);
    assert.equal(emphasis.replaceAll(/[^x]/g, ''), 'x');
  });

  test('what people write is as it was', () => {
    const block =
      '- a\n  - b\n    1. c\n       > d **e *f* [g](https://a.example)**\n\n       | h | i |\n       | - | - |\n       | j | ~~k~~ |\n';
    const kinds = new Set<string>();
    for (let level: readonly Token[] = parseBlock(block) ?? []; level.length > 0; ) {
      for (const { type } of level) kinds.add(type);
      level = level.flatMap(token => inside(token).flat());
    }
    for (const kind of ['list', 'list_item', 'blockquote', 'strong', 'em', 'link', 'table', 'del']) assert.ok(kinds.has(kind), kind);
    const quotes = (parseBlock('> > > a\n> > b\nc') ?? []) as readonly Tokens.Blockquote[];
    assert.equal(depthOf(quotes), 5);
  });
});
