import { isShallow, maxNesting } from '../../protocol/json/depth.ts';
import { sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import { quoted } from '../../protocol/quoted.ts';
import { schemaKeywords } from '../keywords.ts';
import { departures, type Departure } from '../schemaCheck.ts';
import { formatWords, isOfFormat, limitWords } from './schemaLimits.ts';

/** Where a value departs from a schema, with an RFC 6901 pointer into the value; what is there is the subject of the words, which quote the schema. */
export interface SchemaFault {
  readonly pointer: string;
  readonly what: LocalizedMessage;
}

/** A search for a regular expression in a text; undefined if it did not end in time. */
export type Matches = (pattern: string, text: string) => boolean | undefined;

/** Most faults that are reported, and most values that are looked at: a schema comes from a stranger. */
const maxFaults = 100;
const maxChecks = 20_000;

/**
 * The faults of a value under a schema of an agent. The agent has the last word, so what is unclear, such as a keyword that is not known or
 * a reference to another document, is not checked. Patterns are checked with `matches` alone, since a stranger's expression can take for
 * ever.
 */
export function schemaFaults(schema: unknown, value: unknown, matches: Matches = () => undefined): readonly SchemaFault[] {
  if (!isShallow(value)) return [{ pointer: '', what: sentence('is nested more than {0} levels deep', maxNesting) }];
  const found = departures(schema, value, schemaKeywords, { most: maxFaults, steps: maxChecks, matches, isOfFormat, onUnclear: () => {} });
  return found.flatMap(faultsOf).slice(0, maxFaults);
}

/** A branch whose kinds all fit is the one that was meant, where there is only one such: its faults are reported instead. */
function faultsOf(departure: Departure): readonly SchemaFault[] {
  const { keyword, branches = [], path, member } = departure;
  const meant = keyword === 'propertyNames' ? [] : branches.filter(faults => !faults.some(({ tellsKind }) => tellsKind));
  if (meant.length === 1) return meant[0]!.flatMap(faultsOf);
  return [{ pointer: [...path, ...(member === undefined ? [] : [member])].map(step).join(''), what: wordsOf(departure) }];
}

function wordsOf({ keyword, wanted, value, fitting, member }: Departure): LocalizedMessage {
  switch (keyword) {
    case 'type':
      return sentence('should be {0}, not {1}', [wanted].flat().join(' | '), quoted(value, 60));
    case 'const':
      return sentence('should be {0}', quoted(wanted, 60));
    case 'enum':
      return sentence('should be one of {0}', quoted(wanted));
    case 'format':
      return formatWords(String(wanted));
    case 'pattern':
      return sentence('should match /{0}/', String(wanted).slice(0, 200));
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return sentence('is not a member that the agent accepts');
    case 'propertyNames':
      return sentence('should not have this name');
    case 'uniqueItems':
      return sentence('occurs twice');
    case 'contains':
      return sentence('has too few items that match "contains"');
    case 'maxContains':
      return sentence('has too many items that match "contains"');
    case 'anyOf':
    case 'oneOf':
      return fitting === undefined
        ? sentence('matches none of the {0} forms that the agent accepts', (wanted as readonly unknown[]).length)
        : sentence('matches {0} forms instead of one', fitting);
    case 'not':
      return sentence('is not accepted by the agent');
    default: {
      const limit = Object.hasOwn(limitWords, keyword) ? limitWords[keyword] : undefined;
      if (limit !== undefined) return limit(wanted as number);
      // Items, and a schema that takes nothing, are refused; members are missing.
      return typeof member === 'string' ? sentence('is missing') : sentence('is not allowed');
    }
  }
}

const step = (name: string | number): string => `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
