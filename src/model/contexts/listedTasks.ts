import { Problem } from '../../protocol/problem.ts';

interface ListedTasksOptions {
  /** The task is known only from the agent's list. */
  readonly isListed: (taskId: string) => boolean;
  /** Asks the agent for all of it and writes it to the history. Rejects with a `Problem`. */
  readonly read: (taskId: string) => Promise<void>;
  /** Shows in the transcript why a task could not be read. */
  readonly report: (problem: Problem, taskId: string) => void;
  /** `loading` changed. */
  readonly onDidChange: () => void;
}

/** Reads tasks of one context that are known only from the agent's list, each once if it succeeds. */
export class ListedTasks {
  readonly #options: ListedTasksOptions;
  readonly #reading = new Map<string, Promise<void>>();
  /** Tasks of which the agent sent nothing beyond its list. */
  readonly #read = new Set<string>();

  constructor(options: ListedTasksOptions) {
    this.#options = options;
  }

  get loading(): boolean {
    return this.#reading.size > 0;
  }

  /** Rejects with a `Problem`. */
  async load(taskId: string): Promise<void> {
    if (this.#read.has(taskId) || !this.#options.isListed(taskId)) return;
    const under = this.#reading.get(taskId);
    if (under !== undefined) return under;
    const reading = this.#load(taskId);
    this.#reading.set(taskId, reading);
    this.#options.onDidChange();
    try {
      await reading;
    } finally {
      this.#reading.delete(taskId);
      this.#options.onDidChange();
    }
  }

  /** One after the other, so that they are in the transcript in this order. Never rejects with a `Problem`. */
  async loadAll(taskIds: readonly string[]): Promise<void> {
    for (const taskId of taskIds) {
      try {
        await this.load(taskId);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        this.#options.report(error, taskId);
      }
    }
  }

  async #load(taskId: string): Promise<void> {
    await this.#options.read(taskId);
    this.#read.add(taskId);
  }
}
