import { modify, type JSONPath } from 'jsonc-parser';
import { rangeOf, type JsonNode, type Member } from '../request/text/jsonNode.ts';
import type { CardText } from './cardText.ts';
import type { TextEdit } from './cardProblem.ts';

/** Writes a value at a path, or takes out what is there where the value is undefined; in the indentation of the text where it has lines. */
export function setAt({ text }: CardText, path: JSONPath, value: unknown): TextEdit[] {
  const formattingOptions = hasLongLine(text) ? undefined : { ...indentationOf(text), eol: text.includes('\r\n') ? '\r\n' : '\n' };
  return modify(text, path, value, { formattingOptions }).map(({ offset, length, content }) => ({ offset, length, text: content }));
}

/** From so many characters on a line was not written by hand: to indent what is put into it would be to format all of it, in the square of the time. */
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

/** As the first indented line has it; two spaces where there is none. */
function indentationOf(text: string): { tabSize: number; insertSpaces: boolean } {
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ';
  return indent.startsWith('\t') ? { tabSize: 4, insertSpaces: false } : { tabSize: Math.min(indent.length, 8), insertSpaces: true };
}
