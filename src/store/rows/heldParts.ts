import type { Part } from '../../protocol/message/part.ts';
import { plainChunkIn } from '../../protocol/versions/shared/plainChunk.ts';
import type { Database, Query } from '../database/database.ts';
import type { FrameRows } from './frameRows.ts';

/** Consecutive frames of an exchange, each of them a plain chunk (`plainChunkIn`). */
export interface Holding {
  /** Row id. */
  readonly exchange: number;
  readonly first: number;
  readonly last: number;
}

/** Least length of parts, in code units, that are read from their frames: shorter ones are read faster from a row. */
const least = 8 * 1024;

/** Parts of artifacts that are stored only in the frames that brought them. */
export class HeldParts {
  readonly #frames: FrameRows;
  readonly #exchange: Query<{ id: number }>;

  constructor(database: Database, frames: FrameRows) {
    this.#frames = frames;
    this.#exchange = database.prepare('SELECT id FROM exchanges WHERE uid = ?');
  }

  /** Undefined if these parts should get a row of their own. `uid`: the exchange whose frames `first` to `last` brought them. */
  holding(parts: readonly Part[], uid: string, first: number, last: number): Holding | undefined {
    if (lengthOf(parts) < least) return undefined;
    const row = this.#exchange.get(uid);
    // Frames may be missing, such as after a window has closed its log.
    return row === undefined || this.#frames.last(row.id) < last ? undefined : { exchange: row.id, first, last };
  }

  /** Text that its frame has lost shows as U+FFFD. */
  *parts({ exchange, first, last }: Holding): Generator<Part> {
    for (const { seq, data } of this.#frames.from(exchange, first)) {
      if (seq > last) return;
      yield* partsOf(data);
    }
  }
}

function partsOf(data: string): readonly Part[] {
  try {
    const chunk = plainChunkIn(JSON.parse(data));
    if (chunk !== undefined) return chunk.artifactUpdate.artifact.parts;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return [{ text: '\uFFFD' }];
}

const lengthOf = (parts: readonly Part[]): number => parts.reduce((length, part) => length + ('text' in part ? part.text.length : 0), 0);
