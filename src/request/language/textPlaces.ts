import { findNodeAtOffset, getNodePath } from 'jsonc-parser';
import { readSections, sectionAt } from '../file/sections.ts';
import { escapedBraces, isWhole, readTemplate } from '../template/template.ts';
import type { JsonNode } from '../text/jsonNode.ts';
import { endOf, type TextRange } from '../text/textRange.ts';
import type { Edit } from './rename.ts';

/** A text of a message, where it stands in a request file. */
export interface TextPlace {
  /** The message itself, an item of its parts, or a member of a part. */
  readonly kind: 'message' | 'item' | 'text' | 'lines';
  /** The range that is replaced when the text moves: for a member of a part the member, else the value. */
  readonly range: TextRange;
  readonly value: JsonNode;
  /** The text as it is sent, as far as no template is in it. */
  readonly text: string;
  readonly hasTemplates: boolean;
  /** The path of the file that the text comes from, where it is nothing but that. */
  readonly file?: string;
}

const places: readonly (readonly [fits: RegExp, kind: TextPlace['kind']])[] = [
  [/^(?:requests\.\d+\.)?message$/, 'message'],
  [/^(?:requests\.\d+\.)?message\.\d+$/, 'item'],
  [/^(?:requests\.\d+\.)?(?:message|params\.message\.parts)\.\d+\.text$/, 'text'],
  [/^(?:requests\.\d+\.)?(?:message|params\.message\.parts)\.\d+\.lines$/, 'lines'],
];

/** The text of a message at an offset; undefined where there is none. `markdown`: of a fence. */
export function textPlaceAt(text: string, markdown: boolean, offset: number): TextPlace | undefined {
  const root = sectionAt(readSections(text, { markdown, bounds: undefined }).sections, offset)?.root;
  for (let node = root && findNodeAtOffset(root, offset, true); node !== undefined; node = node.parent) {
    const path = getNodePath(node).join('.');
    const kind = places.find(([fits]) => fits.test(path))?.[1];
    if (kind === undefined || node.type === 'property' || (node.parent?.children?.[0] === node && node.parent.type === 'property'))
      continue;
    if (node.type !== (kind === 'lines' ? 'array' : 'string')) continue;
    const { parent } = node;
    const around = (kind === 'text' || kind === 'lines') && parent !== undefined ? parent : node;
    return { kind, value: node, range: { offset: around.offset, length: around.length }, ...contentOf(node) };
  }
  return undefined;
}

/** The text of a value, without its templates. */
const textIn = (value: string): string =>
  readTemplate(value)
    .map(piece => (piece.kind === 'text' ? piece.text : ''))
    .join('');

function contentOf(node: JsonNode): Pick<TextPlace, 'text' | 'hasTemplates' | 'file'> {
  const texts = node.type === 'array' ? (node.children ?? []).map(({ value }) => String(value ?? '')) : [String(node.value)];
  const segments = texts.map(readTemplate);
  const [only = []] = segments;
  const [first] = only;
  const call = node.type === 'string' && isWhole(only) && first?.kind === 'expression' ? first.expression : undefined;
  const named = call?.kind === 'function' && call.name === 'file' ? /^(.*?)(?:\s+as\s+text)?$/s.exec(call.argument)?.[1] : undefined;
  return {
    text: texts.map(textIn).join('\n'),
    hasTemplates: segments.some(line => line.some(({ kind }) => kind === 'expression')),
    ...(named !== undefined && !/\s+as\s+\w+$/.test(named) && { file: named }),
  };
}

/** Puts the file at a path in the place of the text. */
export function fileInstead({ kind, range }: TextPlace, path: string): Edit {
  const template = JSON.stringify(`{{$file ${path}}}`);
  return { range, text: kind === 'text' || kind === 'lines' ? `"text": ${template}` : template };
}

/** Puts a text in place of what is there: on one line as it is, of several as `lines`. Braces in it are text. */
export const textInstead = (place: TextPlace, text: string, source: string): Edit => writtenInstead(place, escapedBraces(text), source);

function writtenInstead({ kind, range }: TextPlace, written: string, source: string): Edit {
  const lines = written.split(/\r\n|\r|\n/);
  if (lines.length === 1)
    return { range, text: kind === 'lines' || kind === 'text' ? `"text": ${JSON.stringify(written)}` : JSON.stringify(written) };
  const indent = /^[ \t]*/.exec(source.slice(source.lastIndexOf('\n', range.offset - 1) + 1))?.[0] ?? '';
  const list = `"lines": [\n${lines.map(line => `${indent}  ${JSON.stringify(line)}`).join(',\n')}\n${indent}]`;
  return { range, text: kind === 'message' ? `[{ ${list} }]` : kind === 'item' ? `{ ${list} }` : list };
}

/** The edit for pasting several lines into the text of a message; undefined elsewhere. */
export function pastedLines(source: string, markdown: boolean, range: TextRange, pasted: string): Edit | undefined {
  const place = textPlaceAt(source, markdown, range.offset);
  if (place === undefined || place.kind === 'lines' || place.value.type !== 'string') return undefined;
  const { offset, length } = place.value;
  if (range.offset <= offset || endOf(range) >= offset + length) return undefined;
  const before = unescaped(source.slice(offset + 1, range.offset));
  const after = unescaped(source.slice(endOf(range), offset + length - 1));
  if (before === undefined || after === undefined) return undefined;
  // Templates that are there already stay templates; what is pasted is text, with the text that it follows: a brace there is no half of one.
  const templates = readTemplate(before).flatMap(piece => (piece.kind === 'expression' ? [endOf(piece.range)] : []));
  const kept = before.slice(0, templates.at(-1) ?? 0);
  const own = textIn(before.slice(kept.length)) + pasted;
  const written = kept + escapedBraces(own) + after;
  // Right before the braces of a template there is no way to write another brace, or a backslash.
  return textIn(written) === textIn(kept) + own + textIn(after) ? writtenInstead(place, written, source) : undefined;
}

function unescaped(json: string): string | undefined {
  try {
    return JSON.parse(`"${json}"`) as string;
  } catch {
    // Between the characters of an escape, or in a text that is not closed.
    return undefined;
  }
}
