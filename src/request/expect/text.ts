import * as z from 'zod';
import { sentence } from '../../protocol/problem.ts';
import { kindOf, type Check } from './check.ts';
import { Matcher, mismatches } from './matcher.ts';
import { textOfObserved } from './observed.ts';

/** What the agent said in text: artifacts and the words of the status, or the message. */
export const text = kindOf(
  z.union([z.string(), z.array(z.string()), Matcher])
    .meta({ description: 'Text that the agent\'s words contain (artifacts, status and message together), several such texts, or a matcher.' }),
  (wanted, observed): Check[] => {
    const said = textOfObserved(observed);
    const matchers = typeof wanted === 'string' ? [{ path: [], matcher: { contains: wanted } }]
      : Array.isArray(wanted) ? wanted.map((contains, index) => ({ path: [index], matcher: { contains } })) : undefined;
    if (matchers === undefined) return checked([], wanted as Readonly<Record<string, unknown>>, said, true);
    return matchers.flatMap(({ path, matcher }) => checked(path, matcher, said, false));
  },
);

function checked(path: Check['path'], matcher: Readonly<Record<string, unknown>>, said: string, named: boolean): Check[] {
  const wrong = mismatches(matcher, said);
  if (wrong.length === 0) return [{ path }];
  return wrong.map(({ name, what, expected, actual }) => ({
    path: named ? [...path, name] : path,
    failure: { message: sentence('The agent\'s text {0}.', what), expected, actual },
  }));
}
