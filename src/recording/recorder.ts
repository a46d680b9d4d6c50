import type { WireLog } from '../client/wireLog/wireLog.ts';
import type { Exchange, Frame } from '../protocol/exchange.ts';
import type { RecordedExchange } from './recording.ts';

/** Most text that is kept, in UTF-16 code units: half of what is read, since JSON escapes some of it. */
const maxLength = 128 * 2 ** 20;

/** Keeps what passes on the wire until it is written. Beyond 128 MiB nothing more is kept, and the recording says so. */
export class Recorder implements WireLog {
  readonly #kept = new Map<string, { exchange: Exchange; readonly frames: Frame[] }>();
  #length = 0;

  /** True where something was not kept for its size. */
  get isFull(): boolean {
    return this.#length > maxLength;
  }

  /** In the order in which they began. */
  get exchanges(): readonly RecordedExchange[] {
    return [...this.#kept.values()];
  }

  exchange(exchange: Exchange): void {
    const known = this.#kept.get(exchange.id);
    if (known !== undefined) known.exchange = exchange;
    else if (!this.isFull) this.#kept.set(exchange.id, { exchange, frames: [] });
    else return;
    if (known === undefined) this.#length += exchange.request.body.length;
    if (exchange.endedAt !== undefined) this.#length += exchange.response?.body?.length ?? 0;
  }

  frames(exchangeId: string, frames: readonly Frame[]): void {
    const known = this.#kept.get(exchangeId);
    if (known === undefined) return;
    for (const frame of frames) {
      if (this.isFull) return;
      known.frames.push(frame);
      this.#length += frame.data.length;
    }
  }
}
