import type { Frame } from '../../protocol/exchange.ts';
import type { Database, Query } from '../database/database.ts';
import { decode, encode } from '../texts/jsonText.ts';
import { isPackable, packed, rowLength, unpacking } from '../texts/packedText.ts';

/** The table `frames`: events of exchanges, which are given by their row ids. Writes are called inside a transaction. */
export class FrameRows {
  readonly #page: Query<FrameRow>;
  readonly #last: Query<{ last: number }>;
  readonly #put: Query;

  constructor(database: Database) {
    // Starts at the row that contains the first event asked for.
    this.#page = database.prepare(`SELECT seq, body, data FROM frames WHERE exchange = ?1
      AND seq >= coalesce((SELECT max(seq) FROM frames WHERE exchange = ?1 AND seq <= ?2), 0) ORDER BY seq`);
    this.#last = database.prepare('SELECT seq + count - 1 AS last FROM frames WHERE exchange = ? ORDER BY seq DESC LIMIT 1');
    this.#put = database.prepare('INSERT INTO frames (exchange, seq, count, body, data) VALUES (?, ?, ?, ?, ?)');
  }

  /** Writes those that are not there yet. */
  put(exchange: number, frames: readonly Frame[]): void {
    for (const { seq, count, body, data } of rowsOf(newer(frames, this.last(exchange)))) {
      this.#put.run(exchange, seq, count, body, data);
    }
  }

  /** Number of the last event; -1 if there is none. */
  last(exchange: number): number {
    return this.#last.get(exchange)?.last ?? -1;
  }

  /** In order, from that number on. The previous iteration must have ended before the next call. */
  *from(exchange: number, first: number): Generator<Frame> {
    for (const row of this.#page.iterate(exchange, first)) {
      for (const frame of framesIn(row)) if (frame.seq >= first) yield frame;
    }
  }
}

/** The events after that number, in order and each once: an import may have them in another order or twice. */
function newer(frames: readonly Frame[], last: number): readonly Frame[] {
  if (frames.every(({ seq }, index) => seq > (frames[index - 1]?.seq ?? last))) return frames;
  const known = new Map(frames.filter(({ seq }) => seq > last).map(frame => [frame.seq, frame]));
  return [...known.values()].sort((one, other) => one.seq - other.seq);
}

/** A row of `frames`: consecutive events of one exchange. */
interface FrameRow {
  /** Number of the first event. */
  readonly seq: number;
  /** The events without their data, as JSON. */
  readonly body: string;
  /** The data of all the events. */
  readonly data: Uint8Array;
}

/**
 * One event in a row's `body`: the length of its data, or the data itself if it cannot be packed. `around` stands where it is not that of the
 * event before in the row, null where there is none any more: nearly all events of a stream are written alike.
 */
type Facts = readonly [
  at: number,
  data: number | string,
  more?: Pick<Frame, 'bytes' | 'event' | 'id'> & { readonly around?: Frame['around'] | null },
];

/** The rows for consecutive events. `data` is valid until the next row is asked for. */
export function* rowsOf(frames: readonly Frame[]): Generator<FrameRow & { readonly count: number; readonly data: Uint8Array }> {
  for (let from = 0; from < frames.length; ) {
    const to = endOfRow(frames, from);
    const facts: Facts[] = [];
    const texts: string[] = [];
    for (let index = from; index < to; index++) {
      const frame = frames[index]!;
      const isPacked = isPackable(frame.data);
      if (isPacked) texts.push(frame.data);
      facts.push(factsOf(frame, isPacked, index === from ? undefined : frames[index - 1]!.around));
    }
    yield { seq: frames[from]!.seq, count: to - from, body: encode(facts), data: packed(texts) };
    from = to;
  }
}

function endOfRow(frames: readonly Frame[], from: number): number {
  const first = frames[from]!;
  let length = first.data.length;
  let to = from + 1;
  for (; to < frames.length; to++) {
    const { seq, data } = frames[to]!;
    length += data.length;
    if (length > rowLength || seq !== first.seq + to - from) break;
  }
  return to;
}

function factsOf({ at, data, bytes, event, id, around }: Frame, isPacked: boolean, before: Frame['around']): Facts {
  const shown = isPacked ? data.length : data;
  const isSame =
    around === before || (around?.length === before?.length && around?.every((text, index) => text === before?.[index]) === true);
  if (bytes === undefined && event === undefined && id === undefined && isSame) return [at, shown];
  return [
    at,
    shown,
    {
      ...(bytes !== undefined && { bytes }),
      ...(event !== undefined && { event }),
      ...(id !== undefined && { id }),
      ...(!isSame && { around: around ?? null }),
    },
  ];
}

/** The events of a row. */
export function framesIn({ seq, body, data }: FrameRow): Frame[] {
  const next = unpacking(data);
  let around: Frame['around'] | null;
  return decode<Facts[]>(body).map(([at, shown, { around: other, ...more } = {}], index) => {
    if (other !== undefined) around = other;
    return { seq: seq + index, at, data: typeof shown === 'number' ? next(shown) : shown, ...more, ...(around && { around }) };
  });
}
