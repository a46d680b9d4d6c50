import { schemaKeywords } from '../../schema/keywords.ts';
import { type Departure, departures, type Unclear } from '../../schema/schemaCheck.ts';
import { Problem, sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import { showPath, type Path } from '../text/path.ts';
import { brief } from './check.ts';
import { matches } from './pattern.ts';

/** Where and how a value does not fit a schema. */
interface SchemaFault {
  /** In the value, as people write it; `$` is the whole. */
  readonly place: string;
  /** A verb with what follows: the place is its subject. */
  readonly what: LocalizedMessage;
  /** The keyword's value. */
  readonly wanted: unknown;
  /** The value at the place. */
  readonly found: unknown;
  readonly schemaPath: Path;
}

/** Work that a small value is worth: a quarter of a second at most. */
const maxSteps = 100_000;

/** Keywords that are checked. */
export const checkedKeywords: readonly string[] = [...schemaKeywords.keys()].filter(
  keyword => keyword !== 'format' && keyword !== '$dynamicRef',
);

/**
 * The first way in which a value does not fit a JSON schema; undefined where it fits. References lead within the schema, and formats say
 * nothing.
 * @throws Problem `bad-schema` where the schema cannot be checked, which must not count as a fit; those of `matches`.
 */
export function faultOf(value: unknown, schema: unknown): SchemaFault | undefined {
  const [first] = departures(schema, value, schemaKeywords, { most: 1, steps: maxSteps, matches, onUnclear: refuse });
  return first === undefined ? undefined : faultFrom(first, value);
}

function faultFrom(departure: Departure, value: unknown): SchemaFault {
  const { keyword, branches, path, wanted, schemaPath } = departure;
  if (keyword === 'propertyNames') return faultFrom(branches![0]![0]!, value);
  const found = path.reduce<unknown>((inside, step) => (inside as Readonly<Record<string | number, unknown>> | undefined)?.[step], value);
  return { place: `$${showPath(path)}`, what: wordsOf(departure), wanted, found, schemaPath };
}

const limits: Readonly<Record<string, (limit: string) => LocalizedMessage>> = {
  const: limit => sentence('is not {0}', limit),
  enum: limit => sentence('is none of {0}', limit),
  minimum: limit => sentence('is not at least {0}', limit),
  maximum: limit => sentence('is not at most {0}', limit),
  exclusiveMinimum: limit => sentence('is not more than {0}', limit),
  exclusiveMaximum: limit => sentence('is not less than {0}', limit),
  multipleOf: limit => sentence('is not a multiple of {0}', limit),
  minLength: limit => sentence('is shorter than {0}', limit),
  maxLength: limit => sentence('is longer than {0}', limit),
  pattern: limit => sentence('does not match {0}', limit),
  minItems: limit => sentence('has fewer items than {0}', limit),
  maxItems: limit => sentence('has more items than {0}', limit),
  minProperties: limit => sentence('has fewer members than {0}', limit),
  maxProperties: limit => sentence('has more members than {0}', limit),
};

function wordsOf({ keyword, wanted, fitting, member = '' }: Departure): LocalizedMessage {
  switch (keyword) {
    case 'type':
      return sentence('is not of type {0}', brief(wanted));
    case 'uniqueItems':
      return sentence('has an item twice');
    case 'required':
    case 'dependentRequired':
    case 'dependencies':
      return sentence('has no member {0}', member);
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return sentence('has a member {0} that is not allowed', member);
    case 'items':
    case 'additionalItems':
    case 'unevaluatedItems':
      return sentence('has more items than {0}', member);
    case 'contains':
    case 'maxContains':
      return fitting === 0
        ? sentence('does not contain {0}', brief(wanted))
        : sentence('has {0} items that match "contains"', fitting ?? 0);
    case 'anyOf':
    case 'oneOf':
      return fitting === undefined
        ? sentence('matches none of the alternatives of {0}', keyword)
        : sentence('matches {0} alternatives of {1} instead of one', fitting, keyword);
    case 'not':
      return sentence('matches what it must not match');
    default:
      return limits[keyword]?.(brief(wanted)) ?? sentence('must not be present');
  }
}

/** A schema that cannot be checked would accept every value. */
function refuse(unclear: Unclear): never {
  throw new Problem('bad-schema', unclearWords(unclear));
}

function unclearWords(unclear: Unclear): LocalizedMessage {
  switch (unclear.kind) {
    case 'deep':
      return sentence('The schema is nested more than {0} levels deep, perhaps in a circle.', unclear.levels);
    case 'work':
      return sentence('Checking the data against the schema takes too long: it has too many references, alternatives or patterns.');
    case 'keyword':
      return sentence('{0} in the schema cannot be {1}.', unclear.keyword, brief(unclear.wanted));
    case 'reference':
      return sentence('The schema refers to {0}, which is not under its "$defs" or "definitions".', unclear.reference);
    case 'dynamic-reference':
      return sentence('The schema uses {0}, which is not checked here.', '$dynamicRef');
  }
}
