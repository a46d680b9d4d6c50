export interface Disposable {
  dispose(): void;
}

/** The shape of `vscode.Event`, so that views take it as it is. */
export type Event<T> = (listener: (value: T) => unknown, thisArg?: unknown, disposables?: Disposable[]) => Disposable;

/** Calls listeners in the order they were added. A listener that throws is reported and does not stop the others. */
export class Emitter<T> implements Disposable {
  #listeners: readonly ((value: T) => unknown)[] = [];
  readonly #onError: (error: unknown) => void;

  constructor(
    onError: (error: unknown) => void = error =>
      queueMicrotask(() => {
        throw error;
      }),
  ) {
    this.#onError = onError;
  }

  readonly event: Event<T> = (listener, thisArg, disposables) => {
    const bound = (value: T): unknown => listener.call(thisArg, value);
    this.#listeners = [...this.#listeners, bound];
    const registration = {
      dispose: () => {
        this.#listeners = this.#listeners.filter(other => other !== bound);
      },
    };
    disposables?.push(registration);
    return registration;
  };

  fire(value: T): void {
    for (const listener of this.#listeners) {
      try {
        listener(value);
      } catch (error) {
        this.#onError(error);
      }
    }
  }

  dispose(): void {
    this.#listeners = [];
  }
}
