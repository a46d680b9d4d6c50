import type { SignInStore } from '../../../src/auth/signInStore.ts';

/** Sign-ins of several windows in one process: each window has a store of its own over the same text. */
export class SharedSignIns {
  text: string | undefined;
  readonly #listeners = new Map<object, () => void>();
  readonly #last = new Map<string | undefined, Promise<unknown>>();

  window(): SignInStore {
    const me = {};
    return {
      read: () => Promise.resolve(this.text),
      write: text => {
        this.text = text;
        for (const [window, listener] of this.#listeners) if (window !== me) listener();
        return Promise.resolve();
      },
      exclusively: (work, about) => {
        const done = (this.#last.get(about) ?? Promise.resolve()).then(work);
        this.#last.set(
          about,
          done.catch(() => {}),
        );
        return done;
      },
      onDidChange: listener => {
        this.#listeners.set(me, listener);
        return () => this.#listeners.delete(me);
      },
    };
  }
}
