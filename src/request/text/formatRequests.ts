import { createScanner, type SyntaxKind } from 'jsonc-parser';
import { memberOf, type JsonNode } from './jsonNode.ts';
import { endOf, type TextRange } from './textRange.ts';

interface FormatEdit {
  readonly range: TextRange;
  readonly text: string;
}

interface FormatOptions {
  /** One step of indentation. */
  readonly indent: string;
  readonly eol: string;
}

// jsonc-parser declares these as a const enum, which a compiler that only strips types cannot inline.
const kind = {
  openBrace: 1,
  closeBrace: 2,
  openBracket: 3,
  closeBracket: 4,
  comma: 5,
  colon: 6,
  lineComment: 12,
  blockComment: 13,
  lineBreak: 14,
  space: 15,
  endOfFile: 17,
} as const satisfies Record<string, SyntaxKind>;

interface Token {
  readonly kind: SyntaxKind;
  readonly start: number;
  readonly end: number;
}

/**
 * Lays a request file out: members and items on lines of their own, but an object or array that is written on one line stays on it, such
 * as a request. The file itself and the list of its requests never do. Comments stay where they are, and one blank line between members.
 * Only white space changes. The text must be JSONC without errors; `root` is its tree.
 */
export function formatRequests(text: string, root: JsonNode, { indent, eol }: FormatOptions): readonly FormatEdit[] {
  const inline = onOneLine(text, root);
  const tokens = tokensOf(text);
  const edits: FormatEdit[] = [];
  /** For each open bracket, whether what is in it stays on one line. */
  const open: boolean[] = [];
  let before: Token | undefined;
  for (const token of tokens) {
    const closes = token.kind === kind.closeBrace || token.kind === kind.closeBracket;
    const stays = open.at(-1) === true;
    if (closes) open.pop();
    const written = text.slice(before?.end ?? 0, token.start);
    const wanted = between(before, token, { written, stays, depth: open.length });
    if (wanted !== written) edits.push({ range: { offset: before?.end ?? 0, length: written.length }, text: wanted });
    if (token.kind === kind.openBrace || token.kind === kind.openBracket) open.push(inline.has(token.start));
    before = token;
  }
  const rest = text.slice(before?.end ?? 0);
  if (before !== undefined && rest !== eol) edits.push({ range: { offset: before.end, length: rest.length }, text: eol });
  return edits;

  function between(
    last: Token | undefined,
    next: Token,
    { written, stays, depth }: { readonly written: string; readonly stays: boolean; readonly depth: number },
  ): string {
    const breaks = written.split(/\r\n|\r|\n/).length - 1;
    const line = (most: number): string => eol.repeat(Math.min(Math.max(breaks, 1), most)) + indent.repeat(depth);
    if (last === undefined) return '';
    const isComment = next.kind === kind.lineComment || next.kind === kind.blockComment;
    // A comment after something on its line stays there.
    if (isComment && breaks === 0) return ' ';
    if (last.kind === kind.lineComment) return line(2);
    if (last.kind === kind.blockComment) return breaks === 0 ? ' ' : line(2);
    if (next.kind === kind.comma || (next.kind === kind.colon && !isComment)) return '';
    if (last.kind === kind.colon) return ' ';
    const opened = last.kind === kind.openBrace || last.kind === kind.openBracket;
    const closed = next.kind === kind.closeBrace || next.kind === kind.closeBracket;
    if (opened && closed) return '';
    if (stays) return (opened && last.kind === kind.openBracket) || (closed && next.kind === kind.closeBracket) ? '' : ' ';
    return line(opened || closed ? 1 : 2);
  }
}

function tokensOf(text: string): readonly Token[] {
  const scanner = createScanner(text, false);
  const tokens: Token[] = [];
  for (let found = scanner.scan(); found !== kind.endOfFile; found = scanner.scan()) {
    if (found === kind.lineBreak || found === kind.space) continue;
    const start = scanner.getTokenOffset();
    tokens.push({ kind: found, start, end: start + scanner.getTokenLength() });
  }
  return tokens;
}

/** Offsets of the objects and arrays that stay on one line. */
function onOneLine(text: string, root: JsonNode): ReadonlySet<number> {
  const found = new Set<number>();
  const list = memberOf(root, 'requests')?.value;
  const nodes = [root];
  for (const node of nodes) {
    const isList = node.type === 'object' || node.type === 'array';
    if (isList && node !== root && node !== list && !/[\r\n]/.test(text.slice(node.offset, endOf(node)))) found.add(node.offset);
    for (const child of node.children ?? []) nodes.push(child);
  }
  return found;
}
