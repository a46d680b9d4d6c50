import { membersOf, rangeOf, valueOf } from '../text/jsonNode.ts';
import type { RequestEntry } from './requestEntry.ts';
import type { TextRange } from '../text/textRange.ts';

/** Most times that one request of a file is sent by one send. */
export const mostRows = 1_000;

interface Labelled {
  /** What tells it from the others, for people. */
  readonly label: string;
}

/** One of several sendings of a request. */
export interface Numbered extends Labelled {
  /** Position among all, from 0. */
  readonly index: number;
}

/** True where a request is sent for each row of data, or repeated. */
export const hasRows = ({ members }: RequestEntry): boolean => members.has('each') || members.has('repeat');

/** A sending as far as the text tells of it. */
export interface WrittenRow extends Numbered {
  /** Its data, else what says that there is more than one. */
  readonly range: TextRange;
}

/** The sendings of a request that has rows; undefined where the data lies elsewhere and is known when it is read. */
export function writtenRows({ members }: RequestEntry): readonly WrittenRow[] | undefined {
  const each = members.get('each')?.value;
  const repeat = members.get('repeat')?.value;
  if (each !== undefined && each.type !== 'array') return undefined;
  const written: unknown = repeat?.value;
  const times = typeof written === 'number' && Number.isInteger(written) && written >= 1 ? Math.min(written, mostRows) : 1;
  const whole = each ?? repeat;
  const data =
    each === undefined
      ? [{ label: '', range: whole === undefined ? { offset: 0, length: 0 } : rangeOf(whole) }]
      : (each.children ?? [])
          .slice(0, mostRows)
          .flatMap((node, index) =>
            node.type === 'object' ? [{ label: labelOf(valueOf(node) as Record<string, unknown>, index), range: rangeOf(node) }] : [],
          );
  return repeated(data, times).slice(0, mostRows);
}

/** Names of variables that `each` gives, as far as the text tells; `any` where the data lies elsewhere. */
export function rowNames(entry: RequestEntry): ReadonlySet<string> | 'any' | undefined {
  const node = entry.members.get('each')?.value;
  if (node === undefined) return undefined;
  if (node.type === 'string') return 'any';
  const rows = node.children ?? [];
  if (rows.some(({ type }) => type !== 'object')) return 'any';
  return new Set(rows.flatMap(row => membersOf(row).map(({ name }) => name)));
}

const longestLabel = 60;

/** Its name where the row has one, else its values. */
export function labelOf(row: Readonly<Record<string, unknown>>, index: number): string {
  const own = row['name'] ?? row['title'];
  const text =
    typeof own === 'string' && own !== ''
      ? own
      : Object.values(row)
          .map(value => (typeof value === 'string' ? value : JSON.stringify(value)))
          .join(', ');
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line === '' ? `#${index + 1}` : line.length > longestLabel ? `${line.slice(0, longestLabel - 1)}…` : line;
}

/** Each so many times, numbered where it is more than once. */
export function repeated<T extends Labelled>(rows: readonly T[], times: number): (T & Pick<Numbered, 'index'>)[] {
  return rows
    .flatMap(row =>
      Array.from({ length: times }, (_, index) => ({ ...row, label: times === 1 ? row.label : `${row.label} #${index + 1}`.trim() })),
    )
    .map((row, index) => ({ ...row, index }));
}
