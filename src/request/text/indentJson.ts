import { isObject } from '../../protocol/json.ts';
/** White space between tokens (RFC 8259). */
const space = /[ \t\n\r]/;

/** Lists nested deeper than this are not indented further: indentation of hostile nesting would fill the memory. */
const deepest = 100;

/**
 * Indents JSON text by two spaces per level and keeps every token unchanged: digits of numbers, escapes of strings, and repeated names. The
 * text must be valid JSON. Lines after the first begin with `indent`.
 */
export function indentJson(text: string, indent = ''): string {
  const pieces: string[] = [];
  let depth = 0;
  const line = (): void => {
    if (depth <= deepest) pieces.push(`\n${indent}${'  '.repeat(depth)}`);
  };
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index] ?? '';
    if (character === '"') {
      const end = closingQuote(text, index);
      pieces.push(text.slice(index, end + 1));
      index = end;
    } else if (character === '{' || character === '[') {
      const next = skipSpace(text, index + 1);
      pieces.push(character);
      if (text[next] === '}' || text[next] === ']') {
        pieces.push(text[next] ?? '');
        index = next;
      } else {
        depth += 1;
        line();
      }
    } else if (character === '}' || character === ']') {
      if (depth <= deepest) {
        depth -= 1;
        line();
      } else depth -= 1;
      pieces.push(character);
    } else if (character === ',') {
      pieces.push(character);
      line();
    } else if (character === ':') pieces.push(': ');
    else if (!space.test(character)) pieces.push(character);
  }
  return pieces.join('');
}

function closingQuote(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length && text[index] !== '"') index += text[index] === '\\' ? 2 : 1;
  return index;
}

function skipSpace(text: string, start: number): number {
  let index = start;
  while (index < text.length && space.test(text[index] ?? '')) index += 1;
  return index;
}

/** JSON text that is inserted into a document unchanged. */
export class Verbatim {
  readonly json: string;

  constructor(json: string) {
    this.json = json;
  }

  /** The text where it is valid JSON; else undefined. */
  static of(text: string): Verbatim | undefined {
    try {
      JSON.parse(text);
    } catch {
      return undefined;
    }
    return new Verbatim(text);
  }
}

/**
 * Like `JSON.stringify(value, null, 2)`, with the tokens of `Verbatim` values unchanged. What is nested too deeply is replaced by a mark;
 * `Verbatim` has no such limit.
 */
export function writeJson(value: unknown, indent = ''): string {
  if (value instanceof Verbatim) return indentJson(value.json, indent);
  const inner = `${indent}  `;
  if (typeof value === 'object' && value !== null && inner.length > 2 * deepest) return '"…"';
  if (Array.isArray(value)) {
    return value.length === 0 ? '[]' : `[\n${value.map(item => inner + writeJson(item ?? null, inner)).join(',\n')}\n${indent}]`;
  }
  if (!isObject(value)) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  if (members.length === 0) return '{}';
  return `{\n${members.map(([name, member]) => `${inner}${JSON.stringify(name)}: ${writeJson(member, inner)}`).join(',\n')}\n${indent}}`;
}
