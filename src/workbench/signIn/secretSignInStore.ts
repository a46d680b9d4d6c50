import type * as vscode from 'vscode';
import type { SignInStore } from '../../auth/signInStore.ts';

/** Sign-ins in VS Code's secret storage, which all windows share. */
const key = 'signIns';

/** The sign-ins of all windows in VS Code's secret storage: in the system's keychain, and never in a file of ours. */
export class SecretSignInStore {
  readonly #storage: vscode.SecretStorage;
  readonly #registration: vscode.Disposable;
  readonly #listeners = new Set<() => void>();
  #known: Promise<string | undefined> | undefined;

  constructor(storage: vscode.SecretStorage) {
    this.#storage = storage;
    this.#registration = storage.onDidChange(event => {
      if (event.key !== key) return;
      this.#known = undefined;
      for (const listener of this.#listeners) listener();
    });
  }

  /** True if anything is kept; asks the storage once. */
  async isUsed(): Promise<boolean> {
    return (await (this.#known ??= Promise.resolve(this.#storage.get(key)))) !== undefined;
  }

  with(exclusively: SignInStore['exclusively']): SignInStore {
    return {
      read: async () => this.#storage.get(key),
      write: async text => {
        await this.#storage.store(key, text);
        this.#known = undefined;
      },
      exclusively,
      onDidChange: listener => {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
      },
    };
  }

  dispose(): void {
    this.#registration.dispose();
  }
}
