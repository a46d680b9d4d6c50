import type { TextRange } from './textRange.ts';
import { readPath, type Path } from './path.ts';

/** A piece of a string: text as it is, or what stands between `{{` and `}}`. Ranges are inside the string's value. */
export type Segment =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'expression'; readonly expression: Expression; readonly range: TextRange };

export type Expression =
  /** `{{$uuid}}`, `{{$name an argument}}`. */
  | { readonly kind: 'function'; readonly name: string; readonly argument: string }
  /** `{{color}}`, `{{draw.task.id}}`: a variable or an earlier request, and a path into its value. */
  | { readonly kind: 'reference'; readonly name: string; readonly path: Path }
  | { readonly kind: 'unreadable'; readonly text: string };

const braces = /\\\{\{|\{\{(.*?)\}\}/gs;
const functionCall = /^\$([\p{L}_][\p{L}\p{N}_]*)(?:\s+(.*))?$/su;
const reference = /^([\p{L}\p{N}_][\p{L}\p{N}_-]*)(.*)$/su;

/**
 * Takes a string apart. `\{{` is a literal `{{` (in the file: `"\\{{"`), and so is a `{{` that is never closed.
 */
export function readTemplate(value: string): readonly Segment[] {
  if (!value.includes('{{')) return value === '' ? [] : [{ kind: 'text', text: value }];
  const segments: Segment[] = [];
  let text = '';
  const flush = (): void => {
    if (text !== '') segments.push({ kind: 'text', text });
    text = '';
  };
  let end = 0;
  for (const match of value.matchAll(braces)) {
    text += value.slice(end, match.index);
    end = match.index + match[0].length;
    if (match[1] === undefined) text += '{{';
    else {
      flush();
      segments.push({ kind: 'expression', expression: readExpression(match[1].trim()), range: { offset: match.index, length: match[0].length } });
    }
  }
  text += value.slice(end);
  flush();
  return segments;
}

function readExpression(text: string): Expression {
  const call = functionCall.exec(text);
  if (call !== null) return { kind: 'function', name: call[1] ?? '', argument: call[2]?.trim() ?? '' };
  const [, name, rest] = reference.exec(text) ?? [];
  const path = rest === undefined ? undefined : readPath(rest);
  return name === undefined || path === undefined ? { kind: 'unreadable', text } : { kind: 'reference', name, path };
}

/** Where a `{{` stands that has no `}}`, if one does. */
export function unclosedAt(value: string): number | undefined {
  if (!value.includes('{{')) return undefined;
  const index = value.replaceAll(braces, whole => ' '.repeat(whole.length)).indexOf('{{');
  return index === -1 ? undefined : index;
}

/** True where the string is one expression and nothing else, so that the value keeps its type. */
export function isWhole(segments: readonly Segment[]): boolean {
  return segments.length === 1 && segments[0]?.kind === 'expression';
}

/** What a name must be like so that `{{name}}` can refer to it. */
export function isReferable(name: string): boolean {
  return /^[\p{L}\p{N}_][\p{L}\p{N}_-]*$/u.test(name);
}
