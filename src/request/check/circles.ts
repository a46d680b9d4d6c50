import { sentence } from '../../protocol/problem.ts';
import type { RequestFileContent } from '../file/requestFile.ts';
import { cyclesIn, type Cycle } from '../text/cycles.ts';
import type { RequestProblem } from '../text/requestProblem.ts';
import type { TextRange } from '../text/textRange.ts';

type Named = { readonly name?: string | undefined };

/** Requests that need each other's answers. */
export function* circles({ needs }: RequestFileContent): Iterable<RequestProblem> {
  const found = cyclesIn(needs.keys(), entry => (needs.get(entry) ?? []).map(({ entry: to, range }) => ({ to, why: range })));
  for (const { nodes, why } of found)
    yield {
      code: 'circle',
      range: why,
      severity: 'error',
      sentence: sentence('These requests need each other in a circle: {0}.', roundTrip(nodes)),
    };
}

/** Variables of a file whose templates use each other. */
export function* variableCircles({ variables, known }: RequestFileContent): Iterable<RequestProblem> {
  yield* problemsOfVariables(
    cyclesIn(variables.values(), variable =>
      variable.templates.flatMap(({ expression, range }) => {
        const to = expression.kind === 'reference' && !known.has(expression.name) ? variables.get(expression.name) : undefined;
        return to === undefined ? [] : [{ to, why: range }];
      }),
    ),
  );
}

/** The problems of variables that use each other, one for each circle. */
export function* problemsOfVariables(found: readonly Cycle<Named, TextRange>[]): Iterable<RequestProblem> {
  for (const { nodes, why } of found)
    yield {
      code: 'variable-circle',
      range: why,
      severity: 'error',
      sentence: sentence('These variables hold each other in a circle: {0}.', roundTrip(nodes)),
    };
}

/** The names on the way round, the first one again at the end. */
const roundTrip = (nodes: readonly Named[]): string => [...nodes, nodes[0]].map(node => node?.name ?? '').join(' → ');
