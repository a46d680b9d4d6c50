import { membersOf, rangeOf, valueOf } from '../text/jsonNode.ts';
import { matrixTargets, type MatrixTarget } from './matrix.ts';
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
export interface WrittenRow extends Numbered {
  /** Range of its data, else of what makes the request be sent several times. */
  readonly range: TextRange;
}

/** All times that a request with rows is sent; undefined where the data is in a file and known only when it is read. */
export function writtenRows(entry: RequestEntry): readonly WrittenRow[] | undefined {
  const { members } = entry;
  const each = members.get('each')?.value;
  const repeat = members.get('repeat')?.value;
  if (each !== undefined && each.type !== 'array') return undefined;
  const written: unknown = repeat?.value;
  const times = typeof written === 'number' && Number.isInteger(written) && written >= 1 ? Math.min(written, maxRows) : 1;
  const whole = each ?? repeat ?? members.get('matrix')?.value;
  const data =
    each === undefined
      ? [{ label: '', range: whole === undefined ? { offset: 0, length: 0 } : rangeOf(whole) }]
      : (each.children ?? [])
          .slice(0, maxRows)
          .flatMap((node, index) =>
            node.type === 'object' ? [{ label: labelOf(valueOf(node) as Record<string, unknown>, index), range: rangeOf(node) }] : [],
          );
  const targets = matrixTargets(entry)?.slice(0, maxRows);
  const all =
    targets === undefined
      ? data
      : targets.flatMap(target =>
          data
            .slice(0, Math.ceil(maxRows / targets.length))
            .map(row => ({ label: labelIn(target, row.label), range: each === undefined ? target.range : row.range })),
        );
  return repeated(all, times).slice(0, maxRows);
}

/** Names of variables that `each` provides; `any` where the data is in a file. */
export function rowNames(entry: RequestEntry): ReadonlySet<string> | 'any' | undefined {
  const node = entry.members.get('each')?.value;
  if (node === undefined) return undefined;
  if (node.type === 'string') return 'any';
  const rows = node.children ?? [];
  if (rows.some(({ type }) => type !== 'object')) return 'any';
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

/** Repeats each row `times` times, numbered where that is more than once. */
export function repeated<T extends Labelled>(rows: readonly T[], times: number): (T & Pick<Numbered, 'index'>)[] {
  return rows
    .flatMap(row =>
      Array.from({ length: times }, (_, index) => ({ ...row, label: times === 1 ? row.label : `${row.label} #${index + 1}`.trim() })),
    )
    .map((row, index) => ({ ...row, index }));
}
