import type { Token, Tokens } from 'marked';
import { BoundedLexer } from './boundedLexer.ts';
import { restoreMathMarks, withoutMathMarks } from './inlineMath.ts';

/** Maximum length of a parsed block, in characters; longer ones, and those that would be slow to parse, are shown as plain text. */
export const maxLength = 24_000;
const maxLine = 8_000;
const maxLines = 4_000;
const maxColumns = 100;
/**
 * Maximum number of table cells, with those missing at the end of rows: a browser needs about 100 ms to lay out so many, and a table with
 * two characters per row can have 50 times as many.
 */
const maxCells = 8_000;
/**
 * Marked needs quadratic time for sequences of emphasis and link marks and of spaces. 4,000 nested list markers on one line take it 14 s,
 * 64 take a millisecond.
 */
const slow = /[*_~[\](<!]{64}|^[ \t]{200}|^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+|>[ \t]*){64}/m;

/** True where parsing this block should take at most a few milliseconds. */
export function isQuickToParse(block: string): boolean {
  if (block.length > maxLength || slow.test(block)) return false;
  const lines = block.split('\n');
  if (lines.length > maxLines) return false;
  let widest = 1;
  for (const line of lines) {
    if (line.length > maxLine) return false;
    if (line.length > widest && line.includes('|')) widest = Math.max(widest, columns(line));
  }
  return widest <= maxColumns && (widest === 1 || widest * lines.length <= maxCells);
}

const columns = (line: string): number => line.split('|').length;

/**
 * A block that is a single code fence at the margin, of any length. Parsed without marked, since such a block may grow with every frame.
 */
function fencedCode(block: string): Tokens.Code | undefined {
  const [head = '', marks = '', lang = ''] = /^(`{3,}|~{3,})([^\n]*)(?:\n|$)/.exec(block) ?? [];
  if (marks === '' || (marks.startsWith('`') && lang.includes('`'))) return undefined;
  const end = block.trimEnd();
  const lastLine = end.slice(end.lastIndexOf('\n') + 1).trim();
  const closed = end.length > head.length && lastLine.length >= marks.length && lastLine === marks.charAt(0).repeat(lastLine.length);
  const text = closed ? end.slice(head.length, end.lastIndexOf('\n') + 1) : block.slice(head.length);
  return { type: 'code', raw: block, lang: lang.trim(), text: text.replace(/\n$/, '') };
}

/**
 * A block that is one displayed formula, between `$$` and `$$` or `\[` and `\]`: shown as its source, of which Markdown would take
 * backslashes and marks. One that has begun with a line of its own goes on to the end, as a fence does.
 */
function displayedMath(block: string): Tokens.Code | undefined {
  const text = block.trim();
  const [begin, end] = text.startsWith('$$') ? ['$$', '$$'] : ['\\[', '\\]'];
  if (!text.startsWith(begin) || text.startsWith('$$$')) return undefined;
  const closed = text.indexOf(end, begin.length);
  // Words after a formula make it a part of a paragraph.
  const isMath = closed < 0 ? /^..\s*\n/.test(text) : closed + end.length === text.length && closed > begin.length;
  return isMath ? { type: 'code', raw: block, lang: 'math', text } : undefined;
}

/** Parses a block to marked's tokens (GitHub's Markdown, line breaks kept); undefined where it is to be shown as plain text. */
export function parseBlock(block: string): readonly Token[] | undefined {
  const code = fencedCode(block) ?? displayedMath(block);
  if (code !== undefined) return [code];
  if (!isQuickToParse(block)) return undefined;
  const withoutMarks = withoutMathMarks(block);
  try {
    const tokens = new BoundedLexer({ gfm: true, breaks: true }).lex(withoutMarks ?? block);
    if (withoutMarks !== undefined) restoreMathMarks(tokens);
    return tokens;
  } catch {
    return undefined; // Marked failed: the source is shown.
  }
}
