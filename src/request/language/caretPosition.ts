import { getLocation } from 'jsonc-parser';
import type { RequestEntry } from '../file/requestEntry.ts';
import type { RequestFile } from '../file/requestFile.ts';
import { sectionAt } from '../file/sections.ts';
import { maxDepth, nestingOf } from '../text/jsonNode.ts';
import type { Path } from '../text/path.ts';
import { endOf, type TextRange } from '../text/textRange.ts';

/** The position of the caret in the structure of a file. */
export interface CaretPosition {
  readonly entry?: RequestEntry;
  /** Path from the request, or else from the root. */
  readonly path: Path;
  readonly isKey: boolean;
  /** The range that a value typed here replaces: the content of a string, or nothing. */
  readonly range: TextRange;
  /** True where the caret is inside quotes. */
  readonly inString: boolean;
  /** For a caret inside `{{…}}`: the text before it, and the range between the braces, which a completion replaces. */
  readonly template?: { readonly before: string; readonly range: TextRange };
}

/**
 * Looks only at the request around the caret, so that the length of the file does not matter. Undefined where the position is not usable.
 */
export function placeAt(file: RequestFile, offset: number): CaretPosition | undefined {
  const { text } = file;
  const entry = entryAt(file, offset);
  const around = entry?.range ?? sectionAt(file.sections, offset)?.range;
  if (around === undefined) return undefined;
  const base = around.offset;
  const source = text.slice(base, endOf(around));
  if (entry === undefined && nestingOf(source) > maxDepth) return undefined;
  const { path, previousNode, isAtPropertyKey } = getLocation(source, offset - base);
  const string =
    previousNode !== undefined && source[previousNode.offset] === '"'
      ? stringAround(text, { offset: base + previousNode.offset, length: previousNode.length }, offset)
      : undefined;
  return {
    entry,
    path,
    isKey: isAtPropertyKey,
    range: string ?? { offset, length: 0 },
    inString: string !== undefined,
    template: string === undefined || isAtPropertyKey ? undefined : templateAround(text, string, offset),
  };
}

/** The request around the offset. */
export const entryAt = ({ requests }: RequestFile, offset: number): RequestEntry | undefined =>
  requests.find(({ range }) => offset > range.offset && offset < endOf(range)) ??
  (requests.length > 0 ? requests.find(({ range }) => offset === endOf(range)) : undefined);

/** The content of a string; undefined where the caret is outside. */
function stringAround(text: string, { offset, length }: TextRange, caret: number): TextRange | undefined {
  const end = offset + length;
  const closed = length > 1 && text[end - 1] === '"';
  const inside = { offset: offset + 1, length: Math.max(0, length - (closed ? 2 : 1)) };
  return caret > offset && caret <= endOf(inside) ? inside : undefined;
}

function templateAround(text: string, inside: TextRange, caret: number): CaretPosition['template'] {
  const before = text.slice(inside.offset, caret);
  const open = before.lastIndexOf('{{');
  if (open === -1 || before.includes('}}', open) || before[open - 1] === '\\') return undefined;
  const rest = text.slice(caret, endOf(inside));
  const close = rest.search(/\}\}|\{\{/);
  const after = close !== -1 && rest[close] === '}' ? close : 0;
  const start = inside.offset + open + 2;
  return { before: before.slice(open + 2), range: { offset: start, length: caret - start + after } };
}
