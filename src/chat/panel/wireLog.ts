import { batch, signal } from '@preact/signals';
import type { WireEvent } from '../../protocol/exchange.ts';
import type { HostRequests } from '../host/hostRequests.ts';
import type { ListedExchange, ShownEvent, ShownExchange } from '../host/messages.ts';

/** Maximum number of events in memory, of all exchanges together: those read without a request of the person's, and all. */
const maxUnasked = 20_000;
const maxEvents = 100_000;
/** Maximum number of pages read to find an exchange. */
const maxPages = 20;
/** Maximum number of exchanges whose head and bodies are in memory. */
const maxDetails = 10;

/** The events of an exchange as far as they are read, in order from the first. */
export interface ReadEvents {
  readonly events: readonly WireEvent[];
  readonly more: boolean;
}

/** A line to be in sight: an exchange, or with `at` the event of it that came at that time. */
interface WantedLine {
  readonly exchangeId: string;
  readonly at?: number | undefined;
}

/** The exchanges read from the host so far: a list that grows at both ends, and lines of their events. */
export class WireLog {
  /** Newest first. */
  readonly list = signal<readonly ListedExchange[]>([]);
  readonly more = signal(false);
  /** Number of exchanges before the oldest of the list. */
  readonly countBefore = signal(0);
  /** Events by the id of their exchange. */
  readonly events = signal<ReadonlyMap<string, ReadEvents>>(new Map());
  readonly wanted = signal<WantedLine | undefined>(undefined);
  /** Counts wishes to filter. */
  readonly filterWanted = signal(0);
  readonly #host: HostRequests;
  readonly #details = new Map<string, { readonly shown: ShownExchange; readonly isOver: boolean }>();
  #reading: Promise<void> | undefined;

  constructor(host: HostRequests) {
    this.#host = host;
  }

  /** Reads the newest exchanges again, and new events. */
  refresh(): Promise<void> {
    this.#reading ??= this.#try(async () => {
      const { exchanges, more, older = 0 } = await this.#host.request('exchanges', {});
      const known = new Set(exchanges.map(({ id }) => id));
      const before = this.list.peek();
      const overlap = before.some(({ id }) => known.has(id));
      batch(() => {
        this.list.value = overlap ? [...exchanges, ...before.filter(({ id }) => !known.has(id))] : exchanges;
        if (!overlap) this.more.value = more;
        if (this.list.value.length === exchanges.length) this.countBefore.value = older;
      });
      for (const exchange of exchanges) await this.#readUnasked(exchange);
    }).finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  older(): Promise<void> {
    return this.#try(async () => {
      const { exchanges, more, older = 0 } = await this.#host.request('exchanges', { before: this.list.peek().at(-1)?.id });
      const known = new Set(this.list.peek().map(({ id }) => id));
      const added = exchanges.filter(({ id }) => !known.has(id));
      batch(() => {
        this.list.value = [...this.list.peek(), ...added];
        this.more.value = more;
        this.countBefore.value = older;
      });
      for (const exchange of added) await this.#readUnasked(exchange);
    });
  }

  /** Reads pages until the exchange is listed, and its events. Resolves to false where it is not in the history. */
  async find(id: string): Promise<boolean> {
    await this.refresh();
    const listed = (): ListedExchange | undefined => this.list.peek().find(exchange => exchange.id === id);
    for (let page = 0; page < maxPages && listed() === undefined && this.more.peek(); page++) await this.older();
    const found = listed();
    if (found !== undefined && found.frames > 0 && !this.events.peek().has(id)) await this.moreEvents(id);
    return found !== undefined;
  }

  /** Reads the next page of events of an exchange. */
  moreEvents(id: string): Promise<void> {
    return this.#try(() => this.#readEvents(id));
  }

  /** Arrival times of the events of an exchange, in order. Rejects with a `HostError`. */
  async times(id: string): Promise<readonly number[]> {
    while (this.events.peek().get(id)?.more ?? true) await this.#readEvents(id);
    return (
      this.events
        .peek()
        .get(id)
        ?.events.map(({ at }) => at) ?? []
    );
  }

  /** Head and bodies of an exchange; undefined where they could not be had, which is then on show. */
  async exchange(id: string): Promise<ShownExchange | undefined> {
    const known = this.#details.get(id);
    if (known?.isOver === true) return known.shown;
    const shown = await this.#host.answer('exchange', { exchangeId: id });
    if (shown === undefined) return undefined;
    this.#details.delete(id);
    this.#details.set(id, { shown, isOver: shown.exchange.endedAt !== undefined });
    for (const oldest of [...this.#details.keys()].slice(0, -maxDetails)) this.#details.delete(oldest);
    return shown;
  }

  /** One event as it came; undefined where it could not be had. */
  async event(id: string, event: number): Promise<ShownEvent | undefined> {
    return (await this.#host.answer('wireEvent', { exchangeId: id, event })) ?? undefined;
  }

  get #count(): number {
    return [...this.events.peek().values()].reduce((sum, { events }) => sum + events.length, 0);
  }

  /** Reads all new events of an exchange, as long as few are in memory. */
  async #readUnasked({ id, frames }: ListedExchange): Promise<void> {
    for (;;) {
      const read = this.events.peek().get(id)?.events.length ?? 0;
      if (read >= frames || this.#count >= maxUnasked) return;
      await this.#readEvents(id);
      if ((this.events.peek().get(id)?.events.length ?? 0) === read) return;
    }
  }

  async #readEvents(id: string): Promise<void> {
    const known = this.events.peek().get(id)?.events ?? [];
    const after = known.at(-1)?.seq;
    const page = await this.#host.request('wireEvents', after === undefined ? { exchangeId: id } : { exchangeId: id, after });
    const all = new Map(this.events.peek());
    all.delete(id);
    for (const [oldest, { events }] of all) {
      if (this.#count + page.events.length <= maxEvents || events.length === 0) break;
      all.delete(oldest);
      this.events.value = all;
    }
    this.events.value = new Map([...all, [id, { events: [...known, ...page.events], more: page.more }]]);
  }

  async #try(run: () => Promise<void>): Promise<void> {
    try {
      await run();
    } catch (error) {
      this.#host.fail(error);
    }
  }
}
