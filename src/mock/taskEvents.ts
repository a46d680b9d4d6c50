import type { StreamResponse } from '../protocol/message/streamResponse.ts';

/** The events of one task until it ends, for any number of listeners: each gets all events in order. */
export class TaskEvents {
  readonly #events: StreamResponse[] = [];
  readonly #over = new AbortController();
  /** Resolves when there is more; undefined where no listener waits. */
  #next: PromiseWithResolvers<void> | undefined;

  get length(): number {
    return this.#events.length;
  }

  /** Aborted when there will be no more events. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  add(event: StreamResponse): void {
    this.#events.push(event);
    this.#wake();
  }

  end(): void {
    this.#over.abort();
    this.#wake();
  }

  /** Past events from index `start` on, then new ones. Ends with the task, or with the signal once all events so far were delivered. */
  async *from(start: number, signal: AbortSignal): AsyncGenerator<StreamResponse> {
    const wake = (): void => this.#wake();
    signal.addEventListener('abort', wake, { once: true });
    try {
      for (let index = start; ; index++) {
        while (index >= this.#events.length) {
          if (this.#over.signal.aborted || signal.aborted) return;
          await (this.#next ??= Promise.withResolvers()).promise;
        }
        yield this.#events[index]!;
      }
    } finally {
      signal.removeEventListener('abort', wake);
    }
  }

  #wake(): void {
    this.#next?.resolve();
    this.#next = undefined;
  }
}
