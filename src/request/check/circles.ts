import { sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import type { RequestFileContent } from '../file/requestFile.ts';
import { visited, type Cycle } from '../text/cycles.ts';
import { errorAt, type RequestProblem } from '../text/requestProblem.ts';
import type { TextRange } from '../text/textRange.ts';

type Named = { readonly name?: string | undefined };

/** Requests that need each other's answers. */
export const circles = ({ needs, requests }: RequestFileContent): Iterable<RequestProblem> =>
  circleProblems(
    'circle',
    visited(requests, entry => (needs.get(entry) ?? []).map(({ entry: to, range }) => ({ to, why: range }))).cycles,
    names => sentence('These requests depend on each other in a circle: {0}.', names),
  );

/** Variables of a file whose templates use each other. */
export const variableCircles = ({ variables, known }: RequestFileContent): Iterable<RequestProblem> =>
  problemsOfVariables(
    visited(variables.values(), variable =>
      variable.templates.flatMap(({ expression, range }) => {
        const to = expression.kind === 'reference' && !known.has(expression.name) ? variables.get(expression.name) : undefined;
        return to === undefined ? [] : [{ to, why: range }];
      }),
    ).cycles,
  );

/** The problems of variables that use each other, one for each circle. */
export const problemsOfVariables = (found: readonly Cycle<Named, TextRange>[]): Iterable<RequestProblem> =>
  circleProblems('variable-circle', found, names => sentence('These variables refer to each other in a circle: {0}.', names));

/** The names stand in the order of the circle, the first one again at the end. */
function* circleProblems(
  code: string,
  found: readonly Cycle<Named, TextRange>[],
  words: (names: string) => LocalizedMessage,
): Iterable<RequestProblem> {
  for (const { nodes, why } of found) {
    const names = [...nodes, nodes[0]].map(node => node?.name ?? '').join(' → ');
    yield errorAt(code, why, words(names));
  }
}
