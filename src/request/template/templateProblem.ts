import { listOf, sentence } from '../../protocol/problem.ts';
import { functionOf, functions } from './functions.ts';
import type { JsonNode } from '../text/jsonNode.ts';
import { closestMatch } from '../../protocol/closestMatch.ts';
import { showPath } from '../text/path.ts';
import { errorAt, warningAt, type RequestProblem } from '../text/requestProblem.ts';
import { resultMembers } from '../values/requestResult.ts';
import { sourceRange } from '../text/sourceString.ts';
import { unclosedAt } from './template.ts';
import { templatedStrings, type TemplateUse } from './templateUse.ts';

interface Names {
  has(name: string): boolean;
  /** All names, where they can be listed: for suggesting what a wrong name was meant to be. */
  keys?(): Iterable<string>;
}

/** All names that a template may use. */
interface KnownNames {
  readonly variables: Names;
  /** Variables from outside. */
  readonly known: Names;
  /** Requests. */
  readonly byName: Names;
  /** Values that requests capture. */
  readonly captures?: Names;
  /** Names from other files, with the request where one means such. */
  readonly imported?: Names & { get(name: string): { readonly request?: unknown } | undefined };
}

const every: Names = { has: () => true };
/** For a file of which is not known what names are defined where it is used. */
export const anyNames: KnownNames = { variables: every, known: every, byName: every };

/**
 * The problem of one `{{…}}` in a file with these names; undefined where there is none.
 * @param suggests whether it suggests a similar name
 */
export function templateProblem(
  { expression, range, optional }: TemplateUse,
  { variables, known: outside, byName, captures, imported }: KnownNames,
  suggests = true,
): RequestProblem | undefined {
  switch (expression.kind) {
    case 'unreadable':
      return errorAt(
        'unreadable-template',
        range,
        expression.text === ''
          ? sentence('The braces are empty. For braces as text, write \\\\{{ in the file.')
          : sentence('"{0}" is neither a name with a path nor a function. For braces as text, write \\\\{{ in the file.', expression.text),
      );
    case 'function': {
      const known = functionOf(expression.name);
      if (known === undefined) {
        const names = listOf(Object.keys(functions).map(name => `$${name}`));
        const like = closestMatch(expression.name, Object.keys(functions));
        return errorAt(
          'unknown-function',
          range,
          like === undefined
            ? sentence('Unknown function "{0}". Available: {1}.', `$${expression.name}`, names)
            : sentence('Unknown function "{0}". Did you mean "{1}"? Available: {2}.', `$${expression.name}`, `$${like}`, names),
        );
      }
      if (known.argument === undefined && expression.argument !== '') {
        return errorAt('unexpected-argument', range, sentence('{0} takes no argument.', `$${expression.name}`));
      }
      const wrong = expression.argument === '' ? undefined : known.problem?.(expression.argument);
      if (wrong !== undefined) return errorAt('bad-argument', range, wrong);
      if (known.argument !== undefined && known.optional !== true && expression.argument === '') {
        return errorAt('missing-argument', range, sentence('{0} needs an argument: {1}.', `$${expression.name}`, known.argument));
      }
      return undefined;
    }
    case 'literal':
    case 'either':
      return undefined;
    case 'reference': {
      const { name, path: written } = expression;
      if (variables.has(name) || outside.has(name) || captures?.has(name) === true) return undefined;
      const meant = byName.has(name) ? undefined : imported?.get(name);
      if (meant !== undefined && meant.request === undefined) return undefined;
      if (!byName.has(name) && meant === undefined) {
        // Whatever it means, something else is taken.
        if (optional === true) return undefined;
        const others = [
          variables,
          outside,
          byName,
          ...(captures === undefined ? [] : [captures]),
          ...(imported === undefined ? [] : [imported]),
        ];
        const like = suggests ? closestMatch(name, namesOf(...others)) : undefined;
        return errorAt(
          'unknown-name',
          range,
          like === undefined
            ? sentence('Unknown variable or request "{0}".', name)
            : sentence('Unknown variable or request "{0}". Did you mean "{1}"?', name, like),
        );
      }
      // Of a request that is sent several times, the position of the row comes first.
      const [first] = typeof written[0] === 'number' ? written.slice(1) : written;
      if (first === undefined || Object.hasOwn(resultMembers, first)) return undefined;
      return errorAt(
        'unknown-result',
        range,
        sentence('The result of "{0}" has no {1}. It has: {2}.', name, showPath([first]), listOf(Object.keys(resultMembers))),
      );
    }
  }
}

/** Lazy: an array of all names would be created for each wrong template. */
function* namesOf(...all: readonly Names[]): Iterable<string> {
  for (const names of all) yield* names.keys?.() ?? [];
}

/** Problems for `{{` without `}}` in the strings under a node. */
export function* unclosedIn(text: string, node: JsonNode): Iterable<RequestProblem> {
  for (const string of templatedStrings(text, node)) {
    const index = unclosedAt(String(string.value));
    if (index === undefined) continue;
    yield warningAt(
      'unclosed-template',
      sourceRange(text, string, { offset: index, length: 2 }),
      sentence('These braces are never closed, so they are sent as text. For braces as text, write \\\\{{ in the file.'),
    );
  }
}
