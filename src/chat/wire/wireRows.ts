import type { Exchange, WireLine } from '../../protocol/exchange.ts';
import type { ListedExchange } from '../host/messages.ts';
import type { ReadEvents } from '../panel/wireLog.ts';
import { localized, t } from '../text/strings.ts';

/** Which way a line went: from this program (`out`), to it (`in`); `end` is the end of a stream, `more` stands for events that are not read yet. */
export type Direction = 'out' | 'in' | 'end' | 'more';

/** One line of the table: a request, an answer, an event, the end of a stream, or a push notification with its answer. */
interface WireRow {
  /** Unique and lasting. */
  readonly key: string;
  /** Number of its exchange in the context, and of an event the number in that: `12.3`. */
  readonly number: string;
  readonly exchange: ListedExchange;
  readonly direction: Direction;
  /** Number of the event in its stream, from 0. */
  readonly seq?: number;
  /** Milliseconds since the epoch. */
  readonly at?: number;
  /** Milliseconds since the line before; absent for the first. */
  readonly gap?: number;
  readonly line: WireLine;
  /** Why it failed. */
  readonly isBad: boolean;
  /** Number of findings about it. */
  readonly findings: number;
}

/** A line as it is drawn: alone, or standing for neighbours that are alike. */
export interface ShownRow extends WireRow {
  /** The lines it stands for, 1 for itself. */
  readonly count: number;
  /** Bytes of all of them. */
  readonly size: number;
  /** It can be unfolded, or is. */
  readonly folds: 'closed' | 'open' | undefined;
  /** It belongs to an unfolded row above. */
  readonly inside: boolean;
}

/** `Exchange.failure` of those that were under way when their window closed, and of all that this program ended. */
const closedWithWindow = 'Cut off when the window closed.';
const endedHere: readonly (string | undefined)[] = ['Closed by the client.', 'The request was canceled.', closedWithWindow];

export type WireKind = 'request' | 'answer' | 'task' | 'status' | 'artifact' | 'message' | 'error' | 'end';
export const wireKinds: readonly WireKind[] = ['request', 'answer', 'task', 'status', 'artifact', 'message', 'error', 'end'];

export interface WireFilter {
  /** Words that the type, the preview or the address has, in either case. */
  readonly text: string;
  readonly kind: WireKind | undefined;
  /** Only lines in which the agent departed from its protocol. */
  readonly findings: boolean;
}

export const noFilter: WireFilter = { text: '', kind: undefined, findings: false };

type RowOfExchange = Omit<WireRow, 'number' | 'gap'>;

const ofExchange = new WeakMap<ListedExchange, { readonly read: ReadEvents | undefined; readonly rows: readonly RowOfExchange[] }>();

/** All lines in the order of their time, also of exchanges at the same time. `countBefore`: the number of exchanges before the oldest of these. */
export function wireRows(
  newestFirst: readonly ListedExchange[],
  events: ReadonlyMap<string, ReadEvents>,
  countBefore = 0,
): readonly WireRow[] {
  const timed: { readonly row: RowOfExchange; readonly at: number; readonly exchange: number }[] = [];
  for (const [index, exchange] of newestFirst.toReversed().entries()) {
    const read = events.get(exchange.id);
    let known = ofExchange.get(exchange);
    if (known === undefined || known.read !== read) {
      known = { read, rows: rowsOf(exchange, read) };
      ofExchange.set(exchange, known);
    }
    // The clock may have been set back: the lines of an exchange keep their order.
    let at = exchange.startedAt;
    for (const row of known.rows) {
      at = Math.max(at, row.at ?? at);
      timed.push({ row, at, exchange: countBefore + index + 1 });
    }
  }
  timed.sort((one, other) => one.at - other.at);
  return timed.map(({ row, at, exchange }, index) => ({
    ...row,
    number: row.seq === undefined ? String(exchange) : `${exchange}.${row.seq + 1}`,
    ...(index > 0 && row.at !== undefined && { gap: at - timed[index - 1]!.at }),
  }));
}

function rowsOf(exchange: ListedExchange, read: ReadEvents | undefined): RowOfExchange[] {
  const { id, startedAt, headersAt, endedAt, status, failure, error, frames, received, answered } = exchange;
  const isBad =
    (failure !== undefined && !endedHere.includes(failure)) ||
    error !== undefined ||
    (received === undefined ? (status ?? 0) >= 400 : received.outcome === 'refused' || received.outcome === 'unreadable');
  const row = (key: string, direction: Direction, line: WireLine, more: Partial<WireRow> = {}): RowOfExchange => ({
    key: `${id} ${key}`,
    exchange,
    direction,
    line,
    isBad: false,
    findings: 0,
    ...more,
  });
  const known = read?.events ?? [];
  const isOver = endedAt !== undefined;
  const isAll = known.length >= frames;
  const endsEarly = isAll && failure === undefined && known.findLast(({ active }) => active !== undefined)?.active === true;
  const counts = findingsPerFrame(exchange.findings);
  const about = (frame: number | undefined): number => counts.get(frame) ?? 0;
  const lastRead = known.at(-1)?.seq ?? -1;
  const unread = [...counts].reduce((sum, [frame = -1, count]) => (frame > lastRead ? sum + count : sum), 0);
  /** Findings of the body, or of an unknown event. */
  const findings = about(undefined) + (isAll ? unread : 0);
  const last: Partial<WireRow> = { isBad, findings, ...(isOver && { at: endedAt }) };
  if (received !== undefined) {
    const alike = ['push', received.outcome, received.rehearsed?.kind, status].join(' ');
    return [row('push', 'in', { ...exchange.sent, alike }, { isBad, findings, at: startedAt })];
  }
  return [
    row('request', 'out', exchange.sent, {
      at: startedAt,
      ...(answered === undefined && !isOver && { findings }),
    }),
    ...known.map(event =>
      row(`event ${event.seq}`, 'in', event, {
        seq: event.seq,
        at: event.at,
        isBad: event.type.startsWith('error'),
        findings: about(event.seq),
      }),
    ),
    ...(isAll ? [] : [row('more', 'more', { size: 0, type: '', preview: String(frames - known.length) }, { findings: unread })]),
    ...(answered !== undefined
      ? [row('answer', 'in', answered, { ...last, at: headersAt ?? endedAt ?? startedAt })]
      : isOver
        ? [
            row(
              'end',
              'end',
              {
                size: 0,
                type: failure === undefined ? 'end' : isBad ? 'failed' : 'closed',
                preview:
                  isBad || failure === closedWithWindow
                    ? (failureText(exchange) ?? '')
                    : endsEarly
                      ? t('The agent ended the stream before the task finished.')
                      : '',
              },
              last,
            ),
          ]
        : []),
  ];
}

/** Why an exchange ended early, in the display language where that is known. */
export const failureText = ({ failure, failureSentence }: Pick<Exchange, 'failure' | 'failureSentence'>): string | undefined =>
  failureSentence === undefined ? failure : localized(failureSentence);

/** Number of findings by event; those of the body, or of an unknown event, under undefined. */
function findingsPerFrame(findings: ListedExchange['findings']): ReadonlyMap<number | undefined, number> {
  const counts = new Map<number | undefined, number>();
  const add = (frame: number | undefined, count: number): void => void counts.set(frame, (counts.get(frame) ?? 0) + count);
  for (const { frame, times = 1, alsoIn = [] } of findings) {
    add(frame, times - alsoIn.length);
    for (const other of alsoIn) add(other, 1);
  }
  return counts;
}

/** The kind by which a row is filtered. */
export function kindOf({ direction, line, exchange, seq }: WireRow): WireKind | undefined {
  if (direction === 'end') return 'end';
  if (direction === 'more') return undefined;
  if (direction === 'out' || exchange.received !== undefined) return 'request';
  const word = line.type.split(/[ ▸×]/, 1)[0];
  const kind = wireKinds.find(each => each === word);
  return kind ?? (seq === undefined ? 'answer' : undefined);
}

/** The rows that a filter lets through, with neighbours of one kind as one row, unless its key is among the unfolded. */
export function shownRows(rows: readonly WireRow[], filter: WireFilter, unfolded: ReadonlySet<string>): readonly ShownRow[] {
  const passes = passing(filter);
  const shown: ShownRow[] = [];
  for (let index = 0; index < rows.length; index++) {
    const first = rows[index]!;
    if (!passes(first)) continue;
    const group = [first];
    let { size } = first.line;
    let { findings } = first;
    for (let next = index + 1; next < rows.length; next++) {
      const row = rows[next]!;
      if (first.line.alike === undefined || row.line.alike !== first.line.alike) break;
      if (row.exchange.id !== first.exchange.id && first.exchange.received === undefined) break;
      index = next;
      if (!passes(row)) continue;
      group.push(row);
      size += row.line.size;
      findings += row.findings;
    }
    const isOpen = group.length > 1 && unfolded.has(first.key);
    shown.push({
      ...first,
      line: { ...first.line, preview: previewOf(group) },
      count: group.length,
      size,
      findings,
      folds: group.length === 1 ? undefined : isOpen ? 'open' : 'closed',
      inside: false,
    });
    if (isOpen)
      for (const row of group)
        shown.push({
          ...row,
          key: `${row.key} alone`,
          count: 1,
          size: row.line.size,
          folds: undefined,
          inside: true,
        });
  }
  return shown;
}

/** Longest beginning of the first text of a group, in UTF-16 code units: the last one needs room beside it. */
const maxFirst = 24;

/** The first and the last text of a group; for notifications of several kinds, the first and the last kind. */
function previewOf(group: readonly WireRow[]): string {
  const [first, last] = [group[0]!.line, group.at(-1)!.line];
  if (first.type !== last.type) return `${first.type} → ${last.type}`;
  if (first.preview === last.preview) return last.preview;
  return `${first.preview.length > maxFirst ? `${first.preview.slice(0, maxFirst)}…` : first.preview} → ${last.preview}`;
}

function passing({ text, kind, findings }: WireFilter): (row: WireRow) => boolean {
  const words = text.trim().toLowerCase();
  return row => {
    if (findings && row.findings === 0) return false;
    if (row.direction === 'more') return words === '' && kind === undefined;
    if (kind !== undefined && kindOf(row) !== kind) return false;
    if (words === '') return true;
    const { operation, url, method, status } = row.exchange;
    return [row.line.type, row.line.preview, ...(row.seq === undefined ? [operation, method, url, String(status ?? '')] : [])].some(each =>
      each.toLowerCase().includes(words),
    );
  };
}

/** The index of the row of an exchange that is nearest to a time, or of its request without one; -1 where it is not among the rows. */
export function indexOfWanted(rows: readonly ShownRow[], exchangeId: string, at: number | undefined): number {
  let found = -1;
  let least = Infinity;
  for (const [index, row] of rows.entries()) {
    if (row.exchange.id !== exchangeId || row.direction === 'more') continue;
    const distance = at === undefined || row.at === undefined ? (found < 0 ? 1e15 : Infinity) : Math.abs(row.at - at);
    if (distance >= least) continue;
    found = index;
    least = distance;
  }
  return found;
}
