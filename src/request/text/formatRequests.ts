import { memberOf, type JsonNode } from './jsonNode.ts';
import { closes, isComment, isSpace, jsonTokens, opens, tokenKind, type JsonToken } from './jsonTokens.ts';
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

/**
 * Lays a request file out: members and items on lines of their own, but an object or array that is written on one line stays on it, such
 * as a request. The file itself and the list of its requests never do. Comments stay where they are, and one blank line between members.
 * Only white space changes. The text must be JSONC without errors; `root` is its tree.
 */
export function formatRequests(text: string, root: JsonNode, { indent, eol }: FormatOptions): readonly FormatEdit[] {
  const inline = onOneLine(text, root);
  const edits: FormatEdit[] = [];
  /** For each open bracket, whether what is in it stays on one line. */
  const open: boolean[] = [];
  let before: JsonToken | undefined;
  for (const token of jsonTokens(text)) {
    if (isSpace(token)) continue;
    const stays = open.at(-1) === true;
    if (closes(token)) open.pop();
    const written = text.slice(before?.end ?? 0, token.start);
    const wanted = between(before, token, { written, stays, depth: open.length });
    if (wanted !== written) edits.push({ range: { offset: before?.end ?? 0, length: written.length }, text: wanted });
    if (opens(token)) open.push(inline.has(token.start));
    before = token;
  }
  const rest = text.slice(before?.end ?? 0);
  if (before !== undefined && rest !== eol) edits.push({ range: { offset: before.end, length: rest.length }, text: eol });
  return edits;

  function between(
    last: JsonToken | undefined,
    next: JsonToken,
    { written, stays, depth }: { readonly written: string; readonly stays: boolean; readonly depth: number },
  ): string {
    const breaks = written.split(/\r\n|\r|\n/).length - 1;
    const line = (most: number): string => eol.repeat(Math.min(Math.max(breaks, 1), most)) + indent.repeat(depth);
    if (last === undefined) return '';
    // A comment after something on its line stays there.
    if (isComment(next) && breaks === 0) return ' ';
    if (last.kind === tokenKind.lineComment) return line(2);
    if (last.kind === tokenKind.blockComment) return breaks === 0 ? ' ' : line(2);
    if (next.kind === tokenKind.comma || next.kind === tokenKind.colon) return '';
    if (last.kind === tokenKind.colon) return ' ';
    const opened = opens(last);
    const closed = closes(next);
    if (opened && closed) return '';
    if (stays) return (opened && last.kind === tokenKind.openBracket) || (closed && next.kind === tokenKind.closeBracket) ? '' : ' ';
    return line(opened || closed ? 1 : 2);
  }
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
