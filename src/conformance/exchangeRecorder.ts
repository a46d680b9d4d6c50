import type { WireLog } from '../client/wireLog/wireLog.ts';
import type { Exchange, Frame } from '../protocol/exchange.ts';
import { maxChecked } from '../protocol/rules/rule/answerView.ts';
import type { CheckExchange } from './checkReport.ts';

/** Longest body and longest data of an event that a report keeps, in UTF-16 code units. */
const maxKept = 64 * 1024;
/** Most events of one stream that are kept. */
const maxFrames = 100;

/** Remembers the exchanges of a run, each as it was told last. */
export class ExchangeRecorder implements WireLog {
  readonly #exchanges = new Map<string, Exchange>();
  readonly #frames = new Map<string, Frame[]>();
  readonly #counts = new Map<string, number>();
  readonly #next: WireLog | undefined;

  /** @param next hears of everything, too */
  constructor(next?: WireLog) {
    this.#next = next;
  }

  exchange(exchange: Exchange): void {
    this.#exchanges.set(exchange.id, withoutLongBodies(exchange));
    this.#next?.exchange(exchange);
  }

  frames(exchangeId: string, frames: readonly Frame[]): void {
    const kept = this.#frames.get(exchangeId) ?? [];
    this.#frames.set(exchangeId, kept);
    kept.push(...frames.slice(0, Math.max(0, maxFrames - kept.length)).map(cutFrame));
    this.#counts.set(exchangeId, this.eventsOf(exchangeId) + frames.length);
    this.#next?.frames(exchangeId, frames);
  }

  received(bytes?: number): void {
    this.#next?.received?.(bytes);
  }

  /** All of them, in the order in which they began. */
  get all(): readonly Exchange[] {
    return [...this.#exchanges.values()];
  }

  /** How many events a stream had. */
  eventsOf(exchangeId: string): number {
    return this.#counts.get(exchangeId) ?? 0;
  }

  /** As a report keeps it; undefined for an exchange that nobody told of. */
  kept(id: string): CheckExchange | undefined {
    const exchange = this.#exchanges.get(id);
    return exchange === undefined ? undefined : { exchange: cut(exchange), frames: this.#frames.get(id) ?? [] };
  }
}

/** The exchange as a run remembers it: bodies that are too long to be checked are cut, so that an agent cannot fill the memory with them. */
export const withoutLongBodies = (exchange: Exchange): Exchange =>
  exchange.request.body.length > maxChecked || (exchange.response?.body?.length ?? 0) > maxChecked ? cut(exchange) : exchange;

const cutText = (text: string): string => (text.length > maxKept ? text.slice(0, maxKept).toWellFormed() : text);

const cutFrame = ({ bytes: _bytes, ...frame }: Frame): Frame => ({ ...frame, data: cutText(frame.data) });

/** Bytes of what is no text are left out: their JSON says the same. */
function cut({ request: { bytes: _sent, ...request }, response, ...exchange }: Exchange): Exchange {
  const { bytes: _came, ...answer } = response ?? {};
  const body = response?.body;
  return {
    ...exchange,
    request: { ...request, body: cutText(request.body) },
    ...(response !== undefined && {
      response: {
        ...(answer as typeof response),
        ...(body !== undefined && { body: cutText(body) }),
        ...(body !== undefined && body.length > maxKept && { truncated: true }),
      },
    }),
  };
}
