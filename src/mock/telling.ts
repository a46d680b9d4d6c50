import type { StreamResponse } from '../protocol/message/streamResponse.ts';

/** What is said of one task while it is not over, for as many as listen: each hears all of it, in its order. */
export class Telling {
  readonly #said: StreamResponse[] = [];
  readonly #over = new AbortController();
  #next = Promise.withResolvers<void>();

  get length(): number {
    return this.#said.length;
  }

  /** Aborted when nothing more will be said. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  say(event: StreamResponse): void {
    this.#said.push(event);
    this.#wake();
  }

  end(): void {
    this.#over.abort();
    this.#wake();
  }

  /** What was said from there on, and what will be. Ends with the task, or, once all is told that was said until then, with the signal. */
  async *from(start: number, signal: AbortSignal): AsyncGenerator<StreamResponse> {
    const wake = (): void => this.#wake();
    signal.addEventListener('abort', wake, { once: true });
    try {
      for (let index = start; ; index++) {
        while (index >= this.#said.length) {
          if (this.#over.signal.aborted || signal.aborted) return;
          await this.#next.promise;
        }
        yield this.#said[index]!;
      }
    } finally {
      signal.removeEventListener('abort', wake);
    }
  }

  #wake(): void {
    this.#next.resolve();
    this.#next = Promise.withResolvers();
  }
}
