import { exactJson } from '../../protocol/json/exactJson.ts';
import type { TextRange } from '../text/textRange.ts';
import { readPath, type Path } from '../text/path.ts';

/** A segment of a string: literal text, or the content of `{{…}}`. Ranges are relative to the string's value. */
export type Segment =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'expression'; readonly expression: Expression; readonly range: TextRange };

export type Expression =
  /** `{{$uuid}}`, `{{$name an argument}}`. `of`: what its argument means, for functions that take a value. */
  | { readonly kind: 'function'; readonly name: string; readonly argument: string; readonly of?: Nested }
  /** `{{name ?? "x"}}`: the first that has a value. */
  | { readonly kind: 'either'; readonly values: readonly Nested[] }
  /** A value that is written out, where an expression is an alternative or an argument. */
  | { readonly kind: 'literal'; readonly value: unknown }
  /** `{{color}}`, `{{draw.task.id}}`: a variable or an earlier request, and a path into its value. */
  | { readonly kind: 'reference'; readonly name: string; readonly path: Path }
  | { readonly kind: 'unreadable'; readonly text: string };

/** An expression within another one. The range is relative to the string's value. */
export interface Nested {
  readonly expression: Expression;
  readonly range: TextRange;
}

export type Reference = Extract<Expression, { readonly kind: 'reference' }>;

/** Functions whose argument is itself an expression. */
export const functionsOfValues: readonly string[] = ['base64', 'json', 'lines'];

const functionCall = /^\$([\p{L}_][\p{L}\p{N}_]*)(?:\s+(.*))?$/su;
const reference = /^([\p{L}\p{N}_][\p{L}\p{N}_-]*)(.*)$/su;

/** The text as a value without templates: `readTemplate` reads it as the same text. It is escaped once, where it enters a file or a setting. */
export const escapedBraces = (text: string): string => text.replaceAll('{{', '\\{{');

/** Splits a string at its templates. `\{{` is a literal `{{` (in the file: `"\\{{"`), and so is a `{{` that is not closed. */
export function readTemplate(value: string): readonly Segment[] {
  const segments: Segment[] = [];
  let text = '';
  const flush = (): void => {
    if (text !== '') segments.push({ kind: 'text', text });
    text = '';
  };
  let end = 0;
  for (const { offset, length, content } of bracesIn(value)) {
    text += value.slice(end, offset);
    end = offset + length;
    if (content === undefined) text += '{{';
    else {
      flush();
      segments.push({ kind: 'expression', expression: readNested(content, offset + 2, false).expression, range: { offset, length } });
    }
  }
  text += value.slice(end);
  flush();
  return segments;
}

/** Yields each `{{…}}` with its content, and each `\{{` without content. Linear time. */
function* bracesIn(value: string): Iterable<TextRange & { readonly content?: string }> {
  for (let open = value.indexOf('{{'); open !== -1; ) {
    if (value[open - 1] === '\\') {
      yield { offset: open - 1, length: 3 };
      open = value.indexOf('{{', open + 2);
      continue;
    }
    const close = value.indexOf('}}', open + 2);
    if (close === -1) return;
    yield { offset: open, length: close + 2 - open, content: value.slice(open + 2, close) };
    open = value.indexOf('{{', close + 2);
  }
}

/** `offset`: of the text in the string. `mayBeLiteral`: numbers, `true`, `false`, `null` and texts in quotes are values there, and no names. */
function readNested(text: string, offset: number, mayBeLiteral: boolean): Nested {
  const trimmed = text.trim();
  const range = { offset: offset + text.length - text.trimStart().length, length: trimmed.length };
  return {
    range,
    expression: readAlternatives(trimmed, range.offset, mayBeLiteral) ?? readExpression(trimmed, range.offset, mayBeLiteral),
  };
}

const alternative = /"(?:[^"\\]|\\.)*"|'[^']*'|\?\?/g;

/** Undefined where the text is no list of alternatives: `??` may also be part of a question. */
function readAlternatives(text: string, offset: number, mayBeLiteral: boolean): Expression | undefined {
  if (!text.includes('??')) return undefined;
  const values: Nested[] = [];
  let start = 0;
  const add = (end: number): void =>
    void values.push(readNested(text.slice(start, end), offset + start, mayBeLiteral || values.length > 0));
  for (const { 0: found, index } of text.matchAll(alternative)) {
    if (found !== '??') continue;
    add(index);
    start = index + 2;
  }
  if (start === 0) return undefined;
  add(text.length);
  return values.some(({ expression }) => expression.kind === 'unreadable') ? undefined : { kind: 'either', values };
}

const literal = /^(?:"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|true|false|null)$/s;

function readLiteral(text: string): Expression | undefined {
  if (/^'[^']*'$/s.test(text)) return { kind: 'literal', value: text.slice(1, -1) };
  if (!literal.test(text)) return undefined;
  try {
    return { kind: 'literal', value: exactJson(text) };
  } catch {
    // Such as an escape that JSON does not have.
    return undefined;
  }
}

function readExpression(text: string, offset: number, mayBeLiteral: boolean): Expression {
  const written = mayBeLiteral ? readLiteral(text) : undefined;
  if (written !== undefined) return written;
  const call = functionCall.exec(text);
  if (call !== null) {
    const [, functionName = '', argument = ''] = call;
    return {
      kind: 'function',
      name: functionName,
      argument: argument.trim(),
      ...(functionsOfValues.includes(functionName) &&
        argument.trim() !== '' && { of: readNested(argument, offset + text.length - argument.length, true) }),
    };
  }
  const [, name, rest] = reference.exec(text) ?? [];
  const path = rest === undefined ? undefined : readPath(rest);
  return name === undefined || path === undefined ? { kind: 'unreadable', text } : { kind: 'reference', name, path };
}

/** All references of an expression, those within it as well. */
export function referencesOf(expression: Expression): readonly Reference[] {
  switch (expression.kind) {
    case 'reference':
      return [expression];
    case 'function':
      return expression.of === undefined ? [] : referencesOf(expression.of.expression);
    case 'either':
      return expression.values.flatMap(value => referencesOf(value.expression));
    default:
      return [];
  }
}

/** Offset of a `{{` without `}}`; undefined where all are closed. */
export function unclosedAt(value: string): number | undefined {
  if (value.lastIndexOf('{{') < value.lastIndexOf('}}')) return undefined;
  let end = 0;
  for (const { offset, length } of bracesIn(value)) end = offset + length;
  const index = value.indexOf('{{', end);
  return index === -1 ? undefined : index;
}

/** True where the string is a single expression, so that the value keeps its type. */
export function isWhole(segments: readonly Segment[]): boolean {
  return segments.length === 1 && segments[0]?.kind === 'expression';
}

/** True for a name that `{{name}}` can refer to. */
export function isReferable(name: string): boolean {
  return /^[\p{L}\p{N}_][\p{L}\p{N}_-]*$/u.test(name);
}
