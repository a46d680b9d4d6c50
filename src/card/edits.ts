import { modify, type JSONPath } from 'jsonc-parser';
import { rangeOf, type JsonNode, type Member } from '../request/jsonNode.ts';
import type { CardText } from './cardText.ts';
import type { TextEdit } from './cardProblem.ts';

/** Writes a value at a path, or takes out what is there where the value is undefined; in the indentation of the text. */
export function setAt({ text }: CardText, path: JSONPath, value: unknown): TextEdit[] {
  return modify(text, path, value, { formattingOptions: { ...indentationOf(text), eol: text.includes('\r\n') ? '\r\n' : '\n' } })
    .map(({ offset, length, content }) => ({ offset, length, text: content }));
}

export const replaceWith = (node: JsonNode, value: unknown): TextEdit[] => [{ ...rangeOf(node), text: JSON.stringify(value) }];

export const renameMember = ({ nameRange }: Member, name: string): TextEdit[] => [{ ...nameRange, text: JSON.stringify(name) }];

/** As the first indented line has it; two spaces where there is none. */
function indentationOf(text: string): { tabSize: number; insertSpaces: boolean } {
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ';
  return indent.startsWith('\t') ? { tabSize: 4, insertSpaces: false } : { tabSize: Math.min(indent.length, 8), insertSpaces: true };
}

