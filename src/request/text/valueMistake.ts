import type * as z from 'zod';
import { english, sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import type { Path } from './path.ts';
import { anyOfTypes, listed, typeWords } from './typeWords.ts';

/** A mistake in a value, worded for people instead of by the schema library. */
interface ValueMistake {
  /** Where in the value. */
  readonly path: Path;
  /** Goes on after "… is invalid:" and has no full stop. */
  readonly what: LocalizedMessage;
}

type Issue = z.core.$ZodIssue;

/** Wording for issues that none of our schemas cause. */
const unexpected = sentence('it is not valid here');

/** Types of JSON by the library's names for them. */
const types: Readonly<Record<string, string>> = { int: 'integer', record: 'object' };

/**
 * All mistakes of a value that does not fit its schema, one for each issue. @param value what was checked
 *
 * A message of a schema of ours (zod's `error`) is the template of a sentence that begins with "it": it is printed after "… is invalid:".
 */
export const valueMistakes = ({ issues }: z.ZodError, value: unknown): readonly ValueMistake[] =>
  issues.map(issue => mistakeOf(issue, value));

/** The mistakes as lines of English, as evidence. @param placeOf the place of a path, for people */
export const mistakeLines = (mistakes: readonly ValueMistake[], placeOf: (path: Path) => string): string =>
  mistakes.map(({ path, what }) => `${placeOf(path)}: ${english(what)}.`).join('\n');

function mistakeOf(issue: Issue, value: unknown): ValueMistake {
  const path = issue.path.map(step => (typeof step === 'symbol' ? String(step) : step));
  const given = at(value, path);
  if (issue.code === 'invalid_union' && given !== undefined) return ofAlternatives(issue.errors, path, given);
  // A wrong member name is reported at the member.
  if (issue.code === 'invalid_key') {
    const [inner] = issue.issues;
    return { path, what: inner === undefined ? unexpected : wordsOf(inner, path.at(-1)) };
  }
  return { path, what: wordsOf(issue, given) };
}

function wordsOf(issue: Issue, given: unknown): LocalizedMessage {
  if (given === undefined) return sentence('it is missing');
  switch (issue.code) {
    case 'invalid_type':
      return ofType([typeOf(issue)], given);
    case 'invalid_value':
      return issue.values.length === 1
        ? sentence('it must be {0}', JSON.stringify(issue.values[0]))
        : sentence('it must be one of {0}', listed(issue.values.map(String)));
    case 'invalid_format':
      return sentence('it does not match {0}', issue.pattern ?? issue.format);
    case 'unrecognized_keys':
      return sentence('unknown key {0}', listed(issue.keys.map(key => JSON.stringify(key))));
    case 'too_small':
      return issue.origin === 'number' || issue.origin === 'int'
        ? sentence('it must be at least {0}', Number(issue.minimum))
        : sentence('it must not be empty');
    case 'too_big':
      return issue.origin === 'string'
        ? sentence('it has more than {0} characters', Number(issue.maximum))
        : sentence('it must be at most {0}', Number(issue.maximum));
    case 'custom':
      // The schemas of ours say these in sentences of ours.
      return { template: issue.message, args: [] };
    default:
      return unexpected;
  }
}

/** The mistake in the alternative that was most likely meant. */
function ofAlternatives(shapes: readonly (readonly Issue[])[], path: Path, given: unknown): ValueMistake {
  const meant = shapes.filter(issues => !issues.some(issue => isOfOtherType(issue, given)));
  if (meant.length === 0) {
    const possible = shapes.flatMap(issues => issues.flatMap(issue => (issue.path.length === 0 ? typesOf(issue) : [])));
    return { path, what: ofType([...new Set(possible)], given) };
  }
  const lacking = meant.map(issues => missingMember(issues, given));
  if (meant.length > 1 && lacking.every(name => name !== undefined))
    return { path, what: sentence('it has none of the members {0}', listed(lacking)) };
  const [issue] = meant.reduce((best, one) => (one.length < best.length ? one : best));
  if (issue === undefined) return { path, what: unexpected };
  const inner = mistakeOf(issue, given);
  return { path: [...path, ...inner.path], what: inner.what };
}

/** True where a shape is of another JSON type than the value. */
function isOfOtherType(issue: Issue, given: unknown): boolean {
  if (issue.path.length > 0) return false;
  if (issue.code === 'invalid_type') return !(issue.expected === 'int' && typeof given === 'number');
  if (issue.code === 'invalid_value') return !issue.values.some(value => typeof value === typeof given);
  return issue.code === 'invalid_union' && issue.errors.every(issues => issues.some(one => isOfOtherType(one, given)));
}

function typesOf(issue: Issue): readonly string[] {
  if (issue.code === 'invalid_type') return [typeOf(issue)];
  if (issue.code === 'invalid_value') return issue.values.map(value => jsonType(value));
  return issue.code === 'invalid_union' ? issue.errors.flatMap(issues => issues.flatMap(typesOf)) : [];
}

const typeOf = ({ expected }: z.core.$ZodIssueInvalidType): string => types[expected] ?? expected;

/** The member without which a shape is not recognised at all. */
function missingMember(issues: readonly Issue[], given: unknown): string | undefined {
  const issue = issues.find(({ code, path }) => code === 'invalid_type' && path.length === 1 && at(given, path) === undefined);
  return issue === undefined ? undefined : String(issue.path[0]);
}

function ofType(wanted: readonly string[], given: unknown): LocalizedMessage {
  const type = jsonType(given);
  // 1.5 where a whole number is expected: "not a number" would be wrong.
  return wanted.some(one => one === type || (one === 'integer' && type === 'number'))
    ? sentence('it must be {0}', anyOfTypes(wanted))
    : sentence('it must be {0}, not {1}', anyOfTypes(wanted), typeWords[type] ?? type);
}

const jsonType = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);

const at = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((inside, step) => (inside as Readonly<Record<PropertyKey, unknown>> | null | undefined)?.[step], value);
