import { listOf, sentence, type LocalizedMessage } from '../../protocol/problem.ts';

/** A duration that is added to a time, in its unit. */
interface Offset {
  readonly count: number;
  readonly unit: string;
}

const offset = /^([+-]\d{1,9})(ms|y|M|w|d|h|m|s)(?:\s+|$)/;

const milliseconds: Readonly<Record<string, number>> = { w: 7 * 86_400_000, d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000, ms: 1 };

function read(argument: string): { readonly offsets: readonly Offset[]; readonly format: string } {
  const offsets: Offset[] = [];
  let rest = argument.trim();
  for (let found = offset.exec(rest); found !== null; found = offset.exec(rest)) {
    offsets.push({ count: Number(found[1]), unit: found[2] ?? '' });
    rest = rest.slice(found[0].length);
  }
  return { offsets, format: rest };
}

/** Most that a date of JavaScript can be from 1970, in milliseconds (ECMA-262 §21.4.1.1). */
const maxTime = 8.64e15;
const named = ['iso', 'http', 'unix', 'ms'] as const;
const pattern = /yyyy|MM|dd|HH|mm|ss|SSS/g;

export function dateProblem(argument: string): LocalizedMessage | undefined {
  const { offsets, format } = read(argument);
  const far = offsets.some(({ count, unit }) => Math.abs(count) * (milliseconds[unit] ?? 31 * 86_400_000) > maxTime / 10);
  if (!far && (format === '' || (named as readonly string[]).includes(format) || /yyyy|MM|dd|HH|mm|ss/.test(format))) return undefined;
  return far
    ? sentence('"{0}" is too far away for a date.', argument)
    : sentence(
        '"{0}" is not a date format: write {1}, or a pattern such as {2}, after the offset, such as {3}.',
        format,
        listOf(named),
        'dd.MM.yyyy HH:mm',
        '+1d',
      );
}

/** The time in the format of the argument, in UTC; undefined where there is no such date. */
export function dateText(argument: string, now: Date): string | number | undefined {
  const { offsets, format } = read(argument);
  const date = new Date(now);
  for (const { count, unit } of offsets) {
    if (unit === 'y' || unit === 'M') addMonths(date, unit === 'y' ? 12 * count : count);
    else date.setTime(date.getTime() + count * (milliseconds[unit] ?? 0));
  }
  if (Number.isNaN(date.getTime())) return undefined;
  switch (format) {
    case '':
      return date.toISOString().slice(0, -'T00:00:00.000Z'.length);
    case 'iso':
      return date.toISOString();
    case 'http':
      return date.toUTCString();
    case 'unix':
      return Math.floor(date.getTime() / 1000);
    case 'ms':
      return date.getTime();
    default:
      return format.replaceAll(pattern, piece => pieces[piece]?.(date) ?? piece);
  }
}

/** The same day of another month, or its last one: a month after January 31 is February 28. */
function addMonths(date: Date, months: number): void {
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, last));
}

const padded = (value: number, length = 2): string => String(value).padStart(length, '0');

const pieces: Readonly<Record<string, (date: Date) => string>> = {
  yyyy: date => padded(date.getUTCFullYear(), 4),
  MM: date => padded(date.getUTCMonth() + 1),
  dd: date => padded(date.getUTCDate()),
  HH: date => padded(date.getUTCHours()),
  mm: date => padded(date.getUTCMinutes()),
  ss: date => padded(date.getUTCSeconds()),
  SSS: date => padded(date.getUTCMilliseconds(), 3),
};
