import type { WireLog } from '../../../src/client/wireLog/wireLog.ts';
import type { Exchange, Frame } from '../../../src/protocol/exchange.ts';

/** A wire log that records the last state of each exchange, and how often each was reported. */
export class WireRecording implements WireLog {
  readonly told: Exchange[] = [];
  readonly #frames = new Map<string, Frame[]>();

  exchange(exchange: Exchange): void {
    this.told.push(exchange);
  }

  frames(exchangeId: string, frames: readonly Frame[]): void {
    this.#frames.set(exchangeId, [...(this.#frames.get(exchangeId) ?? []), ...frames]);
  }

  /** Every exchange in the order they began, as far as it is known. */
  get exchanges(): Exchange[] {
    return [...new Map(this.told.map(exchange => [exchange.id, exchange])).values()];
  }

  get last(): Exchange {
    const last = this.exchanges.at(-1);
    if (last === undefined) throw new Error('no exchange was recorded');
    return last;
  }

  framesOf(exchangeId: string): readonly Frame[] {
    return this.#frames.get(exchangeId) ?? [];
  }
}
