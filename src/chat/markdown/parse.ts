import type { Token, Tokens } from 'marked';
import { BoundedLexer } from './boundedLexer.ts';

/** A block that is parsed at all: longer ones, and those built to make a parser slow, are shown as plain text. */
const maxLength = 24_000;
const maxLine = 8_000;
const maxLines = 4_000;
const maxColumns = 100;
/** Of a table, those that are left out in its rows, too: a browser lays out so many in some 100 ms, and a table of two characters a row has 50 times as many. */
const maxCells = 8_000;
/**
 * Of marks of emphasis and links each may belong to each; of spaces each may be the last; of 4,000 lists that begin on one line marked makes
 * 14 s of work, of 64 a millisecond.
 */
const slow = /[*_~[\](<!]{64}|^[ \t]{200}|^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+|>[ \t]*){64}/m;

/** True where parsing this block can be expected to take a few milliseconds. */
export function isTame(block: string): boolean {
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
 * A block that is one code fence at the margin, however long: marked is not asked, since such a block may be open and grow with
 * every frame.
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

/** One block as marked's tokens (GitHub's Markdown, line breaks kept), or undefined where it is to be shown as it is. */
export function parseBlock(block: string): readonly Token[] | undefined {
  const code = fencedCode(block);
  if (code !== undefined) return [code];
  if (!isTame(block)) return undefined;
  try {
    return new BoundedLexer({ gfm: true, breaks: true }).lex(block);
  } catch {
    return undefined; // Not understood by marked: the person then reads the source, nothing is lost.
  }
}
