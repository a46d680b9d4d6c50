import type { RuleId } from '../../ruleId.ts';
import { quoted } from '../../quoted.ts';
import { type LocalizedMessage, sentence } from '../../problem.ts';

/** A validation error, in the shape of zod's issues. */
interface Issue {
  readonly code?: string;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly expected?: string;
  readonly values?: readonly unknown[];
  readonly origin?: string;
  readonly minimum?: number | bigint;
}

const kinds: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
};

/** Describes a schema violation in sentences of our own where there is one, else in the validator's words. */
export function schemaIssue({ code, path, message, expected, values, origin, minimum }: Issue, root: unknown): LocalizedMessage {
  const name = [...path].reverse().find(step => typeof step === 'string') ?? 'The card';
  const value = path.reduce<unknown>(
    (at, step) => (typeof at === 'object' && at !== null ? (at as Record<PropertyKey, unknown>)[step] : undefined),
    root,
  );
  const where = typeof path.at(-1) === 'number' ? `${String(name)}[${String(path.at(-1))}]` : String(name);
  const wanted =
    code === 'invalid_type' ? kinds[expected ?? ''] : code === 'invalid_value' ? values?.map(each => quoted(each)).join(' or ') : undefined;
  if (value === undefined && (wanted !== undefined || code === 'invalid_union')) return sentence('{0} is missing.', where);
  if (code === 'too_small') return sentence('Too small: expected {0} to have {1} items', String(origin), `>=${String(minimum)}`);
  return wanted === undefined ? sentence('{0}', message) : sentence('{0} should be {1}, not {2}.', where, wanted, quoted(value));
}

/** The rule that a violation of a card's schema breaks, by where it is. */
export function cardRule(pointer: string): RuleId {
  if (pointer.startsWith('/supportedInterfaces/')) return 'CARD-05';
  return pointer.startsWith('/securitySchemes/') ? 'CARD-11' : 'CARD-03';
}
