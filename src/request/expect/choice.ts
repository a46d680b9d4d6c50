import * as z from 'zod';
import { isObject } from '../../protocol/json.ts';
import { sentence } from '../../protocol/problem.ts';

/** Said of a matcher without members. */
export const noMatcher = sentence('it names no matcher');

const isEmpty = (matcher: object): boolean => Object.keys(matcher).length === 0;

/**
 * A matcher with these members alone, and `not` of a value, of several or of such a matcher. For values that are no text or tree, where
 * most matchers would be useless.
 * @param not description of `not`, for people
 */
export function narrowMatcher<Shape extends z.ZodRawShape>(shape: Shape, value: z.ZodType, not: string) {
  const inner = z
    .strictObject(shape)
    .partial()
    .refine(matcher => !isEmpty(matcher), { error: noMatcher.template })
    .meta({ minProperties: 1 });
  return z
    .strictObject({ ...shape, not: z.union([value, z.array(value).min(1), inner]).meta({ description: not }) })
    .partial()
    .refine(matcher => !isEmpty(matcher), { error: noMatcher.template })
    .meta({ minProperties: 1 });
}

/** Members of a matcher of something that is one of several known ones. */
export const choiceShape = <Value extends z.ZodType>(value: Value) => ({
  equals: value.meta({ description: 'The value is exactly this.' }),
  in: z.array(value).min(1).meta({ description: 'The value is one of these.' }),
});

export const notChosen = 'The value is none of these: a value, several, or a matcher that must not hold.';

type Choice = Readonly<Record<string, unknown>>;

/** Values that an expectation allows or, where `negated`, forbids. */
interface Chosen {
  /** Where in the expectation it is written. */
  readonly path: readonly string[];
  /** Any of these will do, or none of them, where `negated`. */
  readonly any: readonly unknown[];
  readonly negated: boolean;
  readonly holds: boolean;
}

/** Holds a value, several or a matcher, each of whose members must hold, against something. `is`: whether that is the same as a value. */
export function chosen(wanted: unknown, is: (value: unknown) => boolean): readonly Chosen[] {
  if (!isObject(wanted)) return [one([], [wanted].flat(), false, is)];
  const { equals, in: any, not } = wanted;
  return [
    ...(equals === undefined ? [] : [one(['equals'], [equals], false, is)]),
    ...(any === undefined ? [] : [one(['in'], [any].flat(), false, is)]),
    ...(not === undefined ? [] : [isObject(not) ? negated(not, is) : one(['not'], [not].flat(), true, is)]),
  ];
}

const one = (path: readonly string[], any: readonly unknown[], without: boolean, is: (value: unknown) => boolean): Chosen => ({
  path,
  any,
  negated: without,
  holds: any.some(is) !== without,
});

/** `not` fails only if every condition holds. */
function negated({ equals, in: any }: Choice, is: (value: unknown) => boolean): Chosen {
  const listed = any === undefined ? [equals] : equals === undefined ? [any].flat() : [any].flat().filter(item => item === equals);
  return one(['not'], listed, true, is);
}
