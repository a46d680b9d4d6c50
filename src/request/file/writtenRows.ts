import { membersOf, rangeOf, valueOf } from '../text/jsonNode.ts';
import { matrixCount, matrixTargets, type MatrixTarget } from './matrix.ts';
import type { RequestEntry } from './requestEntry.ts';
import type { TextRange } from '../text/textRange.ts';

/** Most times that one request is sent at once. */
export const maxRows = 1_000;

interface Labelled {
  /** Distinguishes it from the others, for people. */
  readonly label: string;
}

/** One of several times that a request is sent. */
export interface Numbered extends Labelled {
  /** Position among all, from 0. */
  readonly index: number;
}

/** True where a request is sent once per row of data, to several agents or interfaces, or repeated. */
export const hasRows = ({ members }: RequestEntry): boolean => members.has('each') || members.has('repeat') || members.has('matrix');

/** One time that a request is sent, as far as it is known from the text. */
interface WrittenRow extends Numbered {
  /** Range of its data, else of what makes the request be sent several times. */
  readonly range: TextRange;
}

/** All times that a request with rows is sent; undefined where the data is in a file and known only when it is read. */
export function writtenRows(entry: RequestEntry): readonly WrittenRow[] | undefined {
  const { members } = entry;
  const each = members.get('each')?.value;
  if (each !== undefined && each.type !== 'array') return undefined;
  const whole = each ?? members.get('repeat')?.value ?? members.get('matrix')?.value;
  const data =
    each === undefined
      ? [{ label: '', range: whole === undefined ? { offset: 0, length: 0 } : rangeOf(whole) }]
      : (each.children ?? [])
          .slice(0, maxRows)
          .flatMap((node, index) =>
            node.type === 'object' ? [{ label: labelOf(valueOf(node) as Record<string, unknown>, index), range: rangeOf(node) }] : [],
          );
  return repeated(
    combined(entry, data, (target, row) => ({
      label: labelIn(target, row.label),
      range: each === undefined ? target.range : row.range,
    })),
    timesOf(entry),
  );
}

/** Number of times a request is sent according to its text. Data in a file counts as one row. */
export function writtenCount(entry: RequestEntry): number {
  const each = entry.members.get('each')?.value;
  return (each?.type === 'array' ? (each.children ?? []).length : 1) * Math.max(1, matrixCount(entry)) * timesOf(entry);
}

/** The value of `repeat`; 1 where it is absent or not a positive integer. */
function timesOf({ members }: RequestEntry): number {
  const written: unknown = members.get('repeat')?.value?.value;
  return typeof written === 'number' && Number.isInteger(written) && written >= 1 ? written : 1;
}

/** Each row for each target of `matrix`, made when it is asked for; the rows alone without `matrix`. */
export function* combined<Of>(entry: RequestEntry, rows: readonly Of[], at: (target: MatrixTarget, row: Of) => Of): Generator<Of, void> {
  if (matrixCount(entry) === 0) yield* rows;
  for (const target of matrixTargets(entry)) for (const row of rows) yield at(target, row);
}

/** Names of variables that `each` provides; `any` where the data is in a file. */
export function rowNames({ members }: RequestEntry): ReadonlySet<string> | 'any' | undefined {
  const node = members.get('each')?.value;
  if (node === undefined) return undefined;
  const rows = node.children ?? [];
  if (node.type === 'string' || rows.some(({ type }) => type !== 'object')) return 'any';
  return new Set(rows.flatMap(row => membersOf(row).map(({ name }) => name)));
}

/** The label of a row that is sent to one of several targets. */
export const labelIn = ({ label }: MatrixTarget, row: string): string => [label, row].filter(Boolean).join(' · ');

const maxLabelLength = 60;

/** The row's name, else its values. */
export function labelOf(row: Readonly<Record<string, unknown>>, index: number): string {
  const own = row['name'] ?? row['title'];
  const text =
    typeof own === 'string' && own !== ''
      ? own
      : Object.values(row)
          .map(value => (typeof value === 'string' ? value : JSON.stringify(value)))
          .join(', ');
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line === '' ? `#${index + 1}` : line.length > maxLabelLength ? `${line.slice(0, maxLabelLength - 1)}…` : line;
}

/** The first rows that are sent at all, each repeated `times` times, numbered where that is more than once. */
export function repeated<T extends Labelled>(rows: Iterable<T>, times: number): (T & Pick<Numbered, 'index'>)[] {
  const all: (T & Pick<Numbered, 'index'>)[] = [];
  for (const row of rows)
    for (let time = 1; time <= times; time++) {
      all.push({ ...row, label: times === 1 ? row.label : `${row.label} #${time}`.trim(), index: all.length });
      if (all.length === maxRows) return all;
    }
  return all;
}
