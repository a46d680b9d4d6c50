import { isNumber } from '../../exactNumber.ts';
import type { Note } from '../../finding.ts';
import { quoted } from '../../quoted.ts';
import { sentence } from '../../problem.ts';

/** ISO 8601 with any number of fractional digits; the second group is the time zone. */
const iso = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(?::\d{2}(\.\d+)?)?([Zz]|[+-]\d{2}:?\d{2})?$/;

/** By how much the clock of an agent may be ahead of this machine's, in milliseconds. */
const maxAhead = 60_000;

/**
 * A timestamp as ISO 8601 with a time zone (A2A 1.0 §5.6.1). A missing zone counts as UTC; a number is milliseconds since the epoch
 * (seconds where it is too small for that); other readable dates are converted to UTC. Anything else is returned unchanged.
 * One in the future is noted, and returned as it is.
 * @param zoned whether the version requires a time zone; 0.3 and earlier only recommend it.
 */
export function readTimestamp(value: unknown, pointer: string, note: Note, zoned: boolean): string | undefined {
  const timestamp = readIso(value, pointer, note, zoned);
  if (timestamp !== undefined && Date.parse(timestamp) > Date.now() + maxAhead)
    note('DATA-09', pointer, sentence("The timestamp {0} is in the future by this machine's clock.", quoted(value)));
  return timestamp;
}

function readIso(value: unknown, pointer: string, note: Note, zoned: boolean): string | undefined {
  if (value === undefined || value === null) return undefined;
  const found = typeof value === 'string' ? iso.exec(value) : null;
  if (typeof value === 'string' && found !== null) {
    if (!isDay(value.slice(0, 10))) note('DATA-04', pointer, sentence('{0} is not an ISO 8601 timestamp.', quoted(value)));
    if (found[2] !== undefined) {
      if (zoned && /[1-9]/.test(found[2])) note('DATA-04', pointer, sentence('The timestamp {0} is not in UTC.', quoted(value)));
      return value;
    }
    if (zoned) note('DATA-04', pointer, sentence('The timestamp {0} has no time zone; UTC is assumed.', quoted(value)));
    return `${value}Z`;
  }
  note('DATA-04', pointer, sentence('{0} is not an ISO 8601 timestamp.', quoted(value)));
  const time = isNumber(value) ? epoch(Number(value)) : typeof value === 'string' ? Date.parse(value) : NaN;
  if (Number.isNaN(new Date(time).getTime())) return typeof value === 'string' ? value : undefined;
  return new Date(time).toISOString();
}

const epoch = (value: number): number => (Math.abs(value) < 1e11 ? value * 1000 : value);

/** False for a day that its month does not have: such dates are counted on into the next one. */
function isDay(day: string): boolean {
  const time = Date.parse(day);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}
