import type { WireLog } from '../client/wireLog/wireLog.ts';
import type { Exchange, Frame } from '../protocol/exchange.ts';
import { beginningOf } from '../protocol/ownText.ts';
import { maxChecked } from './rules/rule/answerView.ts';
import type { CheckExchange } from './checkReport.ts';

/** Longest body and longest data of an event that a report keeps, in UTF-16 code units. */
const maxKept = 64 * 1024;
/** Most events of one stream that are kept. */
const maxFrames = 100;
/** Longest name and id of an event that are kept, in UTF-16 code units. */
const maxName = 1024;
/** Bodies and data of events that a run remembers, together in UTF-16 code units; once it is so much, little of each. */
const maxTogether = 64 * 1024 * 1024;
const little = 4 * 1024;

/**
 * Keeps the latest record of each exchange of a run: without the bytes of binary bodies, whose JSON has the same content, and the text
 * around the data of events, and of bodies that are too long to be checked the beginning, so that an agent cannot fill the memory with
 * them.
 */
export class ExchangeRecorder implements WireLog {
  readonly #exchanges = new Map<string, Exchange>();
  readonly #frames = new Map<string, Frame[]>();
  readonly #counts = new Map<string, number>();
  #length = 0;
  readonly #next: WireLog | undefined;

  /** @param next hears of everything, too */
  constructor(next?: WireLog) {
    this.#next = next;
  }

  exchange(exchange: Exchange): void {
    this.#length -= lengthOf(this.#exchanges.get(exchange.id));
    const kept = cut(exchange, this.#mostOf(lengthOf(exchange), maxChecked));
    this.#exchanges.set(exchange.id, kept);
    this.#length += lengthOf(kept);
    this.#next?.exchange(exchange);
  }

  frames(exchangeId: string, frames: readonly Frame[]): void {
    const kept = this.#frames.get(exchangeId) ?? [];
    this.#frames.set(exchangeId, kept);
    for (const frame of frames.slice(0, Math.max(0, maxFrames - kept.length))) {
      const own = cutFrame(frame, this.#mostOf(frame.data.length, maxKept));
      kept.push(own);
      this.#length += own.data.length;
    }
    this.#counts.set(exchangeId, this.eventsOf(exchangeId) + frames.length);
    this.#next?.frames(exchangeId, frames);
  }

  /** How much is kept of something of that length. */
  #mostOf(length: number, most: number): number {
    return this.#length + Math.min(length, most) > maxTogether ? little : most;
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

  /** The exchange as a report keeps it; undefined if it was not recorded. */
  kept(id: string): CheckExchange | undefined {
    const exchange = this.#exchanges.get(id);
    return exchange === undefined ? undefined : { exchange: cut(exchange, maxKept), frames: this.#frames.get(id) ?? [] };
  }
}

const lengthOf = (exchange: Exchange | undefined): number => (exchange?.request.body.length ?? 0) + (exchange?.response?.body?.length ?? 0);

function cutFrame({ bytes: _bytes, around: _around, data, event, id, ...frame }: Frame, most: number): Frame {
  return {
    ...frame,
    data: beginningOf(data, most),
    ...(event !== undefined && { event: beginningOf(event, maxName) }),
    ...(id !== undefined && { id: beginningOf(id, maxName) }),
  };
}

/** Without bytes, and with bodies of at most `most` code units: of a longer one what a report keeps. */
function cut({ request: { bytes: _sent, ...request }, response, ...exchange }: Exchange, most: number): Exchange {
  const { bytes: _came, ...answer } = response ?? {};
  const body = response?.body;
  const cutText = (text: string): string => (text.length > most ? beginningOf(text, Math.min(most, maxKept)) : text);
  return {
    ...exchange,
    request: { ...request, body: cutText(request.body) },
    ...(response !== undefined && {
      response: {
        ...(answer as typeof response),
        ...(body !== undefined && { body: cutText(body) }),
        ...(body !== undefined && body.length > most && { truncated: true }),
      },
    }),
  };
}
