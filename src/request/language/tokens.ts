import type { RequestFile } from '../file/requestFile.ts';
import { functionOf } from '../template/functions.ts';
import { endOf, type TextRange } from '../text/textRange.ts';
import { nameInBraces, templateUses } from './occurrences.ts';

const tokenKinds = ['brace', 'function', 'argument', 'variable', 'request', 'path', 'unknown'] as const;
export type TokenKind = (typeof tokenKinds)[number];

export interface Token {
  readonly kind: TokenKind;
  /** Within one line. */
  readonly range: TextRange;
}

/** The tokens inside `{{…}}`, in text order and without overlaps. */
export function tokens(file: RequestFile): readonly Token[] {
  return templateUses(file)
    .flatMap((use): Token[] => {
      const { expression, range } = use;
      const end = endOf(range) - 2;
      const braces: readonly Token[] = [
        { kind: 'brace', range: { offset: range.offset, length: 2 } },
        { kind: 'brace', range: { offset: end, length: 2 } },
      ];
      const written =
        expression.kind === 'unreadable' ? undefined : expression.kind === 'function' ? `$${expression.name}` : expression.name;
      const name = written === undefined ? undefined : nameInBraces(file.text, use, written);
      if (name === undefined) return [...braces];
      const rest = restOf(file.text, endOf(name), end);
      const after: Token[] = rest === undefined ? [] : [{ kind: expression.kind === 'function' ? 'argument' : 'path', range: rest }];
      return [braces[0]!, { kind: kindOf(file, expression.kind, written ?? ''), range: name }, ...after, braces[1]!];
    })
    .sort((one, other) => one.range.offset - other.range.offset);
}

function kindOf({ variables, known, byName }: RequestFile, kind: 'function' | 'reference' | 'unreadable', name: string): TokenKind {
  if (kind === 'function') return functionOf(name.slice(1)) === undefined ? 'unknown' : 'function';
  return variables.has(name) || known.has(name) ? 'variable' : byName.has(name) ? 'request' : 'unknown';
}

/** The range between two offsets without surrounding white space; undefined where that is empty. */
function restOf(text: string, start: number, end: number): TextRange | undefined {
  const rest = text.slice(start, end);
  const trimmed = rest.trim();
  return trimmed === '' ? undefined : { offset: start + rest.indexOf(trimmed), length: trimmed.length };
}
