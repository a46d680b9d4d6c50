import { sentence } from '../../protocol/problem.ts';
import { functionOf, functions } from './functions.ts';
import type { JsonNode } from '../text/jsonNode.ts';
import { closestMatch } from '../../protocol/closestMatch.ts';
import { showPath } from '../text/path.ts';
import type { RequestProblem } from '../text/requestProblem.ts';
import { resultMembers } from '../values/requestResult.ts';
import { sourceRange } from '../text/sourceString.ts';
import { unclosedAt } from './template.ts';
import { templatedStrings, type TemplateUse } from './templateUse.ts';

interface Names {
  has(name: string): boolean;
  /** Where they can be told: what a name may have been meant to be. */
  keys?(): Iterable<string>;
}

/** Whatever a template may name. */
export interface KnownNames {
  readonly variables: Names;
  /** Variables from outside. */
  readonly known: Names;
  /** Requests. */
  readonly byName: Names;
}

/** What is wrong with one `{{…}}` of a text that knows these names; undefined where nothing is. */
export function templateProblem(
  { expression, range }: TemplateUse,
  { variables, known: outside, byName }: KnownNames,
): RequestProblem | undefined {
  switch (expression.kind) {
    case 'unreadable':
      return {
        code: 'unreadable-template',
        range,
        severity: 'error',
        sentence:
          expression.text === ''
            ? sentence('Nothing stands between the braces. For braces as text, write \\\\{{ in the file.')
            : sentence(
                '"{0}" is neither a name with a path nor a function. For braces as text, write \\\\{{ in the file.',
                expression.text,
              ),
      };
    case 'function': {
      const known = functionOf(expression.name);
      if (known === undefined) {
        const names = Object.keys(functions)
          .map(name => `$${name}`)
          .join(', ');
        const like = closestMatch(expression.name, Object.keys(functions));
        return {
          code: 'unknown-function',
          range,
          severity: 'error',
          sentence:
            like === undefined
              ? sentence('There is no function "{0}". There are: {1}.', `$${expression.name}`, names)
              : sentence('There is no function "{0}". Did you mean "{1}"? There are: {2}.', `$${expression.name}`, `$${like}`, names),
        };
      }
      if (known.argument === undefined && expression.argument !== '') {
        return {
          code: 'unexpected-argument',
          range,
          severity: 'error',
          sentence: sentence('{0} takes no argument.', `$${expression.name}`),
        };
      }
      if (known.argument !== undefined && expression.argument === '') {
        return {
          code: 'missing-argument',
          range,
          severity: 'error',
          sentence: sentence('{0} needs an argument: {1}.', `$${expression.name}`, known.argument),
        };
      }
      return undefined;
    }
    case 'reference': {
      const { name, path } = expression;
      if (variables.has(name) || outside.has(name)) return undefined;
      if (!byName.has(name)) {
        const like = closestMatch(name, namesOf(variables, outside, byName));
        return {
          code: 'unknown-name',
          range,
          severity: 'error',
          sentence:
            like === undefined
              ? sentence('Unknown variable or request "{0}".', name)
              : sentence('Unknown variable or request "{0}". Did you mean "{1}"?', name, like),
        };
      }
      const [first] = path;
      if (first === undefined || Object.hasOwn(resultMembers, first)) return undefined;
      return {
        code: 'unknown-result',
        range,
        severity: 'error',
        sentence: sentence('The result of "{0}" has no {1}. It has: {2}.', name, showPath([first]), Object.keys(resultMembers).join(', ')),
      };
    }
  }
}

/** One after the other: a list of them all would be made for each template that is wrong. */
function* namesOf(...all: readonly Names[]): Iterable<string> {
  for (const names of all) yield* names.keys?.() ?? [];
}

/** Braces in the strings under a node that are opened and never closed. */
export function* unclosedIn(text: string, node: JsonNode): Iterable<RequestProblem> {
  for (const string of templatedStrings(text, node)) {
    const index = unclosedAt(String(string.value));
    if (index === undefined) continue;
    yield {
      code: 'unclosed-template',
      range: sourceRange(text, string, { offset: index, length: 2 }),
      severity: 'warning',
      sentence: sentence('These braces are never closed, so they are sent as text. To say so, write \\\\{{ in the file.'),
    };
  }
}
