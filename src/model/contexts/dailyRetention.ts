import type { RetentionOptions, RetentionOutcome } from '../../store/changes/retention.ts';
import type { AgentContexts } from './agentContexts.ts';
import type { Disposable } from '../emitter.ts';

export interface DailyRetentionOptions {
  readonly contexts: Pick<AgentContexts, 'running'> & { readonly history: Pick<AgentContexts['history'], 'retain'> };
  /** The retention settings; undefined keeps everything. */
  readonly wanted: () => RetentionOptions | undefined;
  /** When one of the windows did it last, in milliseconds since the epoch; 0: never. Shared by all windows. */
  readonly last: { readonly get: () => number; readonly set: (at: number) => Thenable<void> };
  readonly onDone: (gone: RetentionOutcome) => void;
  readonly onError: (error: unknown) => void;
  /** The time until the first check, and between checks; milliseconds. */
  readonly timing?: { readonly first: number; readonly again: number };
  readonly now?: () => number;
}

const day = 24 * 60 * 60_000;

/** Applies the retention settings once a day, in one of the windows and when nothing runs there. */
export class DailyRetention implements Disposable {
  readonly #options: DailyRetentionOptions;
  readonly #again: number;
  #timer: NodeJS.Timeout;
  #disposed = false;

  constructor(options: DailyRetentionOptions) {
    const { timing: { first, again } = { first: 5 * 60_000, again: 30 * 60_000 } } = options;
    this.#options = options;
    this.#again = again;
    this.#timer = setTimeout(() => void this.#look(), first).unref();
  }

  dispose(): void {
    this.#disposed = true;
    clearTimeout(this.#timer);
  }

  async #look(): Promise<void> {
    const { contexts, wanted, last, onDone, onError, now = Date.now } = this.#options;
    const options = wanted();
    if (options !== undefined && !contexts.running && now() - last.get() >= day) {
      try {
        // Before the work: other windows read this, too.
        await last.set(now());
        onDone(await contexts.history.retain(options));
      } catch (error) {
        // Tried again tomorrow; no caller waits for it.
        onError(error);
      }
    }
    if (!this.#disposed) this.#timer = setTimeout(() => void this.#look(), this.#again).unref();
  }
}
