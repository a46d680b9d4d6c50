import type { Frame } from '../../protocol/exchange.ts';
import type { Database, Query } from '../database/database.ts';
import { frameRows, framesIn, type FrameRow } from './frameBatches.ts';

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
    for (const { seq, count, body, data } of frameRows(newer(frames, this.last(exchange)))) {
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
