import { EventEmitter as NodeEvents } from 'node:events';

// As much of VS Code's API as the host's side of the chat panel touches, so that it runs outside of VS Code.

export class Disposable {
  readonly #dispose: () => void;
  constructor(dispose: () => void) {
    this.#dispose = dispose;
  }

  static from(...all: readonly { dispose(): void }[]): Disposable {
    return new Disposable(() => { for (const each of all) each.dispose(); });
  }

  dispose(): void {
    this.#dispose();
  }
}

export class EventEmitter<T> {
  readonly #events = new NodeEvents();
  readonly event = (listener: (value: T) => void): Disposable => {
    this.#events.on('fired', listener);
    return new Disposable(() => this.#events.off('fired', listener));
  };

  fire(value: T): void {
    this.#events.emit('fired', value);
  }
}

export const Uri = {
  file: (path: string) => ({ scheme: 'file', path, toString: () => `file://${path}` }),
  joinPath: (base: { path: string }, ...names: string[]) => Uri.file([base.path, ...names].join('/')),
};
export const ConfigurationTarget = { Global: 1, Workspace: 2, WorkspaceFolder: 3 };
export const env = { language: 'en' };
export const l10n = { bundle: undefined, t: (template: string, ...args: unknown[]) => template.replace(/\{(\d+)\}/g, (_, index: string) => String(args[Number(index)])) };
export const commands = {};
const quiet = new EventEmitter<unknown>();
export const workspace = {
  isTrusted: true,
  getConfiguration: () => ({ get: () => undefined, inspect: () => undefined }),
  onDidChangeConfiguration: quiet.event,
  onDidGrantWorkspaceTrust: quiet.event,
};
export const window = { createOutputChannel: () => ({ error: console.error, warn: console.warn, info: () => undefined, debug: () => undefined, trace: () => undefined }) };
