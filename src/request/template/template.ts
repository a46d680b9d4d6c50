import type { TextRange } from '../text/textRange.ts';
import { readPath, type Path } from '../text/path.ts';

/** A segment of a string: literal text, or the content of `{{…}}`. Ranges are relative to the string's value. */
export type Segment =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'expression'; readonly expression: Expression; readonly range: TextRange };

export type Expression =
  /** `{{$uuid}}`, `{{$name an argument}}`. */
  | { readonly kind: 'function'; readonly name: string; readonly argument: string }
  /** `{{color}}`, `{{draw.task.id}}`: a variable or an earlier request, and a path into its value. */
  | { readonly kind: 'reference'; readonly name: string; readonly path: Path }
  | { readonly kind: 'unreadable'; readonly text: string };

const functionCall = /^\$([\p{L}_][\p{L}\p{N}_]*)(?:\s+(.*))?$/su;
const reference = /^([\p{L}\p{N}_][\p{L}\p{N}_-]*)(.*)$/su;

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
      segments.push({ kind: 'expression', expression: readExpression(content.trim()), range: { offset, length } });
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

function readExpression(text: string): Expression {
  const call = functionCall.exec(text);
  if (call !== null) return { kind: 'function', name: call[1] ?? '', argument: call[2]?.trim() ?? '' };
  const [, name, rest] = reference.exec(text) ?? [];
  const path = rest === undefined ? undefined : readPath(rest);
  return name === undefined || path === undefined ? { kind: 'unreadable', text } : { kind: 'reference', name, path };
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
