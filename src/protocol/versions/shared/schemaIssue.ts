import type { RuleId } from '../../ruleId.ts';
import { quoted } from '../../quoted.ts';

/** A validation error, in the shape of zod's issues. */
interface Issue {
  readonly code?: string;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly expected?: string;
  readonly values?: readonly unknown[];
}

const kinds: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
};

/** Describes a schema violation in the templates of `findingSentence.ts` instead of the validator's words. */
export function schemaIssue({ code, path, message, expected, values }: Issue, root: unknown): string {
  const name = [...path].reverse().find(step => typeof step === 'string') ?? 'The card';
  const value = path.reduce<unknown>(
    (at, step) => (typeof at === 'object' && at !== null ? (at as Record<PropertyKey, unknown>)[step] : undefined),
    root,
  );
  const where = typeof path.at(-1) === 'number' ? `${String(name)}[${String(path.at(-1))}]` : String(name);
  const wanted =
    code === 'invalid_type' ? kinds[expected ?? ''] : code === 'invalid_value' ? values?.map(each => quoted(each)).join(' or ') : undefined;
  if (value === undefined && (wanted !== undefined || code === 'invalid_union')) return `${where} is missing.`;
  return wanted === undefined ? message : `${where} should be ${wanted}, not ${quoted(value)}.`;
}

/** The rule that a violation of a card's schema breaks, by where it is. */
export function cardRule(pointer: string): RuleId {
  if (pointer.startsWith('/supportedInterfaces/')) return 'CARD-05';
  return pointer.startsWith('/securitySchemes/') ? 'CARD-11' : 'CARD-03';
}
