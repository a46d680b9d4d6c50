import { modify, type JSONPath } from 'jsonc-parser';
import { memberOf, nodeAt, rangeOf, type JsonNode, type Member } from '../request/text/jsonNode.ts';
import type { CardText } from './cardText.ts';
import type { TextEdit } from './cardProblem.ts';

/**
 * Text edits that set the value at a path, or remove it where `value` is undefined; indented like the rest of a text with several lines. A new
 * member of an object on one line comes on that line.
 */
export function setAt({ text, root }: CardText, path: JSONPath, value: unknown): TextEdit[] {
  const holder = nodeAt(root, path.slice(0, -1));
  const last = holder?.type === 'object' && path.length > 1 ? holder.children?.at(-1) : undefined;
  const name = path.at(-1);
  if (
    holder !== undefined &&
    last !== undefined &&
    value !== undefined &&
    memberOf(holder, String(name)) === undefined &&
    isOnOneLine(text, holder)
  )
    return [{ offset: last.offset + last.length, length: 0, text: `, ${JSON.stringify(name)}: ${JSON.stringify(value)}` }];
  const formattingOptions = hasLongLine(text) ? undefined : { ...indentationOf(text), eol: text.includes('\r\n') ? '\r\n' : '\n' };
  return modify(text, path, value, { formattingOptions }).map(({ offset, length, content }) => ({ offset, length, text: content }));
}

const isOnOneLine = (text: string, { offset, length }: JsonNode): boolean => !text.slice(offset, offset + length).includes('\n');

/**
 * A text with a line of this many characters was not written by hand. Indenting an insertion would format the whole text, in quadratic
 * time.
 */
const longLine = 10_000;

function hasLongLine(text: string): boolean {
  for (let start = 0, end = 0; end !== -1 && start <= text.length; start = end + 1) {
    end = text.indexOf('\n', start);
    if ((end === -1 ? text.length : end) - start >= longLine) return true;
  }
  return false;
}

export const replaceWith = (node: JsonNode, value: unknown): TextEdit[] => [{ ...rangeOf(node), text: JSON.stringify(value) }];

export const renameMember = ({ nameRange }: Member, name: string): TextEdit[] => [{ ...nameRange, text: JSON.stringify(name) }];

/** Indentation of the first indented line; two spaces where there is none. */
function indentationOf(text: string): { tabSize: number; insertSpaces: boolean } {
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ';
  return indent.startsWith('\t') ? { tabSize: 4, insertSpaces: false } : { tabSize: Math.min(indent.length, 8), insertSpaces: true };
}
