import type { RequestFile } from '../file/requestFile.ts';
import { functionOf } from '../template/functions.ts';
import type { Expression } from '../template/template.ts';
import { endOf, type TextRange } from '../text/textRange.ts';
import { meaningOf, nameInBraces, templateUses } from './occurrences.ts';

const tokenKinds = ['brace', 'function', 'argument', 'variable', 'request', 'path', 'unknown'] as const;
export type TokenKind = (typeof tokenKinds)[number];

interface Token {
  readonly kind: TokenKind;
  /** Within one line. */
  readonly range: TextRange;
}

/** The tokens inside `{{…}}`, in text order and without overlaps. */
export function tokens(file: RequestFile): readonly Token[] {
  return templateUses(file)
    .flatMap((use): Token[] => {
      const { expression, range } = use;
      const end = endOf(range) - (use.inner === true ? 0 : 2);
      const braces: readonly Token[] =
        use.inner === true
          ? []
          : [
              { kind: 'brace', range: { offset: range.offset, length: 2 } },
              { kind: 'brace', range: { offset: end, length: 2 } },
            ];
      const written =
        expression.kind === 'function' ? `$${expression.name}` : expression.kind === 'reference' ? expression.name : undefined;
      const name = written === undefined ? undefined : nameInBraces(file.text, use, written);
      if (name === undefined) return [...braces];
      // What is in an argument that is an expression has tokens of its own.
      const rest = expression.kind === 'function' && expression.of !== undefined ? undefined : restOf(file.text, endOf(name), end);
      const after: Token[] = rest === undefined ? [] : [{ kind: expression.kind === 'function' ? 'argument' : 'path', range: rest }];
      return [...braces.slice(0, 1), { kind: kindOf(file, expression), range: name }, ...after, ...braces.slice(1)];
    })
    .sort((one, other) => one.range.offset - other.range.offset);
}

function kindOf(file: RequestFile, expression: Expression): TokenKind {
  if (expression.kind === 'function') return functionOf(expression.name) === undefined ? 'unknown' : 'function';
  return expression.kind === 'reference' ? meaningOf(file, expression.name) : 'unknown';
}

/** The range between two offsets without surrounding white space; undefined where that is empty. */
function restOf(text: string, start: number, end: number): TextRange | undefined {
  const rest = text.slice(start, end);
  const trimmed = rest.trim();
  return trimmed === '' ? undefined : { offset: start + rest.indexOf(trimmed), length: trimmed.length };
}
