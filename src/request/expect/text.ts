import { isObject } from '../../protocol/json.ts';
import * as z from 'zod';
import { sentence } from '../../protocol/problem.ts';
import { kindOf, type Check } from './check.ts';
import { Matcher, mayTurn, mismatches } from './matcher.ts';
import type { Comparison } from './matcherRow.ts';
import { textOfObserved } from './observed.ts';

/** The text of the answer, see `textOfObserved`. */
export const text = kindOf(
  z.union([z.string().min(1), z.array(z.string().min(1)).min(1), Matcher]).meta({
    description:
      "Text that the agent's answer contains, several such texts, or a matcher. The answer is the text of the artifacts and of the final message or status; if these are empty, everything the agent has said in the task since the user's last message.",
  }),
  (wanted, observed): Check[] => {
    const said = textOfObserved(observed);
    const matchers =
      typeof wanted === 'string'
        ? [{ path: [], matcher: { contains: wanted } }]
        : Array.isArray(wanted)
          ? wanted.map((contains, index) => ({ path: [index], matcher: { contains } }))
          : undefined;
    if (matchers === undefined) return checked([], wanted as Readonly<Record<string, unknown>>, said, true);
    return matchers.flatMap(({ path, matcher }) => checked(path, matcher, said, false));
  },
  wanted => isObject(wanted) && mayTurn(wanted, true),
);

/** Containment, as for a text without a matcher: any of several texts. The empty text is contained only in itself. */
export const isIn: Comparison = (wanted, said) =>
  Array.isArray(wanted)
    ? wanted.some(one => isIn(one, said))
    : typeof wanted === 'string' && typeof said === 'string' && (wanted === '' ? said === '' : said.includes(wanted));

function checked(path: Check['path'], matcher: Readonly<Record<string, unknown>>, said: string, named: boolean): Check[] {
  const wrong = mismatches(matcher, said, said !== '', isIn);
  if (wrong.length === 0) return [{ path }];
  return wrong.map(({ name, what, expected, actual }) => ({
    path: named ? [...path, name] : path,
    failure: { message: sentence("The agent's text {0}.", what), expected, actual },
  }));
}
