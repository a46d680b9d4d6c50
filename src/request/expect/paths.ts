import * as z from 'zod';
import { isObject } from '../../protocol/json.ts';
import { sentence } from '../../protocol/problem.ts';
import { follow, readPath, type Path } from '../text/path.ts';
import { referenceValues } from '../values/requestResult.ts';
import { kindOf, shown, type Check } from './check.ts';
import { asksExistence, mayTurn, meantAsMatcher, mismatches, refuseStrangers } from './matcher.ts';

const eachItem = '[*]';

/** Paths whose values never change during a task. */
const settled: readonly string[] = ['task.id', 'task.contextId', 'context.id'];

/** True for a path into a result. */
export const readable = (path: string): boolean => readListPath(stepped(path)) !== undefined;

/** Values anywhere in the result, by the paths that templates use too. */
export const paths = kindOf(
  z
    .record(
      z.string().refine(readable, { error: sentence('it is not a path such as task.artifacts[0].name').template }),
      z.unknown().superRefine(refuseStrangers),
    )
    .refine(wanted => Object.keys(wanted).length > 0, { error: sentence('it names no path').template })
    .meta({
      minProperties: 1,
      description:
        'Values of the result by path, such as `"task.artifacts[0].name": "boat.png"`; `[*]` gives the list of the values of all items, such as `"task.artifacts[*].name": { "contains": "boat.png" }`. An object of matchers describes the value; to compare with an object that has members of the same names, write it under `equals`.',
    }),
  (wanted, observed): Check[] =>
    Object.entries(wanted).flatMap(([written, one]): Check[] => {
      const values = referenceValues(observed);
      const value = valueOf(values, stepped(written));
      const matcher = meantAsMatcher(one) ? one : { equals: one };
      // A value is required even for `not`: a misspelt path would always hold.
      if (value === undefined && !asksExistence(matcher)) {
        const inValue = valueOf(values, stepped(`value${stepped(written)}`)) === undefined ? undefined : `value${stepped(written)}`;
        const message =
          inValue === undefined
            ? sentence('The result has no {0}.', written)
            : sentence('The result has no {0}. Did you mean {1}?', written, inValue);
        return [
          {
            path: [written],
            failure: { message, expected: shown('equals' in matcher ? matcher['equals'] : one), actual: around(values, written) },
          },
        ];
      }
      const wrong = mismatches(matcher, value);
      if (wrong.length === 0) return [{ path: [written] }];
      return wrong.map(({ name, what, expected, actual }) => ({
        path: matcher === one ? [written, name] : [written],
        failure:
          value === undefined
            ? { message: sentence('The result has no {0}.', written), expected, actual: around(values, written) }
            : { message: sentence('{0} {1}.', written, what), expected, actual },
      }));
    }),
  wanted =>
    isObject(wanted) &&
    Object.entries(wanted).some(([path, one]) =>
      path.includes(eachItem) ? !meantAsMatcher(one) || mayTurn(one, true) : isObject(one) && !settled.includes(path) && mayTurn(one),
    ),
);

const valueOf = (values: unknown, path: string): unknown => {
  const read = readListPath(path);
  return read && valueAt(values, read);
};

/** The nearest existing value around a missing one, so that a misspelt step is seen. */
function around(values: unknown, written: string): string {
  const steps = [...stepped(written).matchAll(/\[\*\]|\.[^.[]+|\[[^\]]*\]/g)].map(({ index }) => index).reverse();
  for (const end of steps) {
    const before = stepped(written).slice(0, end);
    const value = before === '' ? undefined : valueOf(values, before);
    if (value !== undefined) return shown(value);
  }
  return shown(values);
}

/** The path of a member starts without a dot. */
const stepped = (path: string): string => (path === '' || path.startsWith('[') ? path : `.${path}`);

/** A path in which `[*]` stands for each item of a list: the pieces between them. One piece alone leads to a single value. */
type ListPath = readonly [Path, ...Path[]];

/** Parses what `readPath` does, and `[*]` between its steps. Undefined where the text is no such path. */
function readListPath(text: string): ListPath | undefined {
  const pieces: Path[] = [];
  let start = 0;
  for (let at = text.indexOf(eachItem); at !== -1; at = text.indexOf(eachItem, at + eachItem.length)) {
    // Inside of a quoted name it means itself.
    const piece = readPath(text.slice(start, at));
    if (piece === undefined) continue;
    pieces.push(piece);
    start = at + eachItem.length;
  }
  const last = readPath(text.slice(start));
  return last === undefined ? undefined : ([...pieces, last] as unknown as ListPath);
}

/**
 * The value at the path; with `[*]` a list of what is there for each item, one level deep however many `[*]` there are. Items without it
 * are left out. Undefined where there is nothing: no list where one should be, or a list of which no item has it.
 */
function valueAt(value: unknown, path: ListPath): unknown {
  const [first, ...rest] = path;
  const start = follow(value, first).value;
  if (rest.length === 0) return start;
  let found: readonly unknown[] = [start];
  for (const piece of rest) {
    const lists = found.filter(one => Array.isArray(one)) as readonly (readonly unknown[])[];
    if (lists.length === 0) return found.length === 0 ? [] : undefined;
    const items = lists.flat();
    found = items.map(item => follow(item, piece).value).filter(one => one !== undefined);
    if (found.length === 0) return items.length === 0 ? [] : undefined;
  }
  return found;
}
