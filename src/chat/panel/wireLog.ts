import { batch, signal } from '@preact/signals';
import type { ExchangeSummary, Frame } from '../../protocol/exchange.ts';
import type { Channel } from '../host/channel.ts';
import type { ShownExchange } from '../host/messages.ts';

/** Maximum number of exchanges with head, bodies and events in memory. */
const maxOpen = 10;
/** Maximum number of events shown per exchange; older ones are read again when it is opened again. */
const maxFrames = 1_000;
/** Maximum number of pages read to find an exchange. */
const maxPages = 20;

/** An expanded exchange. */
export interface OpenExchange extends ShownExchange {
  readonly frames: readonly Frame[];
  readonly more: boolean;
}

/** The exchanges read from the host so far: a list that grows at both ends, and expanded exchanges. */
export class WireLog {
  /** Newest first. */
  readonly list = signal<readonly ExchangeSummary[]>([]);
  readonly more = signal(false);
  readonly open = signal<ReadonlyMap<string, OpenExchange>>(new Map());
  readonly #channel: Channel;
  readonly #fail: (error: unknown) => void;

  constructor(channel: Channel, fail: (error: unknown) => void) {
    this.#channel = channel;
    this.#fail = fail;
  }

  /** Reads the newest exchanges again, and new events of expanded ones. */
  refresh(): Promise<void> {
    return this.#try(async () => {
      const { exchanges, more } = await this.#channel.request('exchanges', {});
      const known = new Set(exchanges.map(({ id }) => id));
      const before = this.list.peek();
      const overlap = before.some(({ id }) => known.has(id));
      batch(() => {
        this.list.value = overlap ? [...exchanges, ...before.filter(({ id }) => !known.has(id))] : exchanges;
        if (!overlap || before.length === 0) this.more.value = more;
      });
      for (const [id, { frames, more: unread }] of this.open.peek()) {
        const summary = exchanges.find(exchange => exchange.id === id);
        if (
          summary !== undefined &&
          !unread &&
          (summary.frames > frames.length || summary.endedAt !== this.open.peek().get(id)?.exchange.endedAt)
        )
          await this.#read(id);
      }
    });
  }

  older(): Promise<void> {
    return this.#try(async () => {
      const { exchanges, more } = await this.#channel.request('exchanges', { before: this.list.peek().at(-1)?.id });
      const known = new Set(this.list.peek().map(({ id }) => id));
      batch(() => {
        this.list.value = [...this.list.peek(), ...exchanges.filter(({ id }) => !known.has(id))];
        this.more.value = more;
      });
    });
  }

  /** Reads pages until the exchange is listed, then expands it. Resolves to false where it is not in the history. */
  async find(id: string): Promise<boolean> {
    await this.refresh();
    const isThere = (): boolean => this.list.peek().some(exchange => exchange.id === id);
    for (let page = 0; page < maxPages && !isThere() && this.more.peek(); page++) await this.older();
    if (!isThere()) return false;
    if (!this.open.peek().has(id)) await this.#try(() => this.#read(id));
    return true;
  }

  /** Expands or collapses an exchange. */
  async toggle(id: string): Promise<void> {
    if (!this.open.peek().has(id)) return this.#try(() => this.#read(id));
    const open = new Map(this.open.peek());
    open.delete(id);
    this.open.value = open;
  }

  moreFrames(id: string): Promise<void> {
    return this.#try(() => this.#read(id));
  }

  async #read(id: string): Promise<void> {
    const known = this.open.peek().get(id)?.frames ?? [];
    const [shown, { frames, more }] = await Promise.all([
      this.#channel.request('exchange', { exchangeId: id }),
      this.#channel.request('frames', known.length === 0 ? { exchangeId: id } : { exchangeId: id, after: known.at(-1)?.seq }),
    ]);
    const open = [...this.open.peek()].filter(([other]) => other !== id).slice(1 - maxOpen);
    this.open.value = new Map([...open, [id, { ...shown, frames: [...known, ...frames].slice(-maxFrames), more }]]);
  }

  async #try(run: () => Promise<void>): Promise<void> {
    try {
      await run();
    } catch (error) {
      this.#fail(error);
    }
  }
}
