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

const kinds: Readonly<Record<string, LocalizedMessage>> = {
  string: sentence('a string'),
  number: sentence('a number'),
  boolean: sentence('true or false'),
  array: sentence('an array'),
  object: sentence('an object'),
  record: sentence('an object'),
};

/** Describes a schema violation in sentences of our own where there is one, else in the validator's words. */
export function schemaIssue({ code, path, message, expected, values, origin, minimum }: Issue, root: unknown): LocalizedMessage {
  const name = path.findLast(step => typeof step === 'string');
  const last = path.at(-1);
  const value = path.reduce<unknown>(
    (at, step) => (typeof at === 'object' && at !== null ? (at as Record<PropertyKey, unknown>)[step] : undefined),
    root,
  );
  const where = name === undefined ? sentence('The card') : typeof last === 'number' ? `${name}[${last}]` : name;
  const wanted =
    code === 'invalid_type'
      ? kinds[expected ?? '']
      : code === 'invalid_value'
        ? values?.map(each => sentence('{0}', quoted(each))).reduce((all, one) => sentence('{0} or {1}', all, one))
        : undefined;
  if (value === undefined && (wanted !== undefined || code === 'invalid_union')) return sentence('{0} is missing.', where);
  if (code === 'too_small') return sentence('Too small: expected {0} to have {1} items', String(origin), `>=${String(minimum)}`);
  return wanted === undefined ? sentence('{0}', message) : sentence('{0} should be {1}, not {2}.', where, wanted, quoted(value));
}

/** The rule that a violation of a card's schema breaks, by where it is. */
export function cardRule(pointer: string): RuleId {
  if (pointer.startsWith('/supportedInterfaces/')) return 'CARD-05';
  return pointer.startsWith('/securitySchemes/') ? 'CARD-11' : 'CARD-03';
}
