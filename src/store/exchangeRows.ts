import type { Exchange, Frame } from '../protocol/exchange.ts';
import type { Database, Query } from './database.ts';
import { decode, encode } from './jsonText.ts';

/** How many exchanges outside any context (card fetches) are kept. */
const keptOutside = 200;

/** What went over the wire: exchanges as far as they are known, and frames of these or of earlier ones by exchange id. */
export interface Wire {
  readonly exchanges: readonly Exchange[];
  readonly frames: ReadonlyMap<string, readonly Frame[]>;
}

/** The tables `exchanges` and `frames`. Writes are called inside a transaction. */
export class ExchangeRows {
  readonly #get: Query<{ id: number; body: string }>;
  readonly #idOf: Query<{ id: number }>;
  readonly #frames: Query<{ body: string }>;
  readonly #put: Query;
  readonly #prune: Query;
  readonly #release: Query;
  readonly #putFrame: Query;

  constructor(database: Database) {
    this.#get = database.prepare('SELECT id, body FROM exchanges WHERE uid = ?');
    this.#idOf = database.prepare('SELECT id FROM exchanges WHERE uid = ?');
    this.#frames = database.prepare('SELECT body FROM frames WHERE exchange = ? ORDER BY seq');
    this.#put = database.prepare(`INSERT INTO exchanges (uid, context, body) VALUES (?, ?, ?)
      ON CONFLICT (uid) DO UPDATE SET body = excluded.body`);
    this.#prune = database.prepare(`DELETE FROM exchanges WHERE context IS NULL AND id <=
      (SELECT id FROM exchanges WHERE context IS NULL ORDER BY id DESC LIMIT 1 OFFSET ${keptOutside})`);
    this.#release = database.prepare('UPDATE exchanges SET context = NULL WHERE context = ?');
    this.#putFrame = database.prepare('INSERT OR IGNORE INTO frames (exchange, seq, body) VALUES (?, ?, ?)');
  }

  get(uid: string): { readonly exchange: Exchange; readonly frames: readonly Frame[] } | undefined {
    const row = this.#get.get(uid);
    return row && { exchange: decode<Exchange>(row.body), frames: this.#frames.all(row.id).map(frame => decode<Frame>(frame.body)) };
  }

  putWire(context: number | undefined, { exchanges, frames }: Wire): void {
    for (const exchange of exchanges) this.#put.run(exchange.id, context ?? null, encode(exchange));
    if (context === undefined) this.#prune.run();
    for (const [uid, some] of frames) this.#putFrames(uid, some);
  }

  /** What belonged to this context belongs to none from now on. */
  release(context: number): void {
    this.#release.run(context);
    this.#prune.run();
  }

  #putFrames(uid: string, frames: readonly Frame[]): void {
    const row = this.#idOf.get(uid);
    if (row === undefined) throw new Error(`frames of an exchange that was not written: ${uid}`);
    for (const frame of frames) this.#putFrame.run(row.id, frame.seq, encode(frame));
  }
}
