import { Problem, sentence } from '../protocol/problem.ts';

/** One check of an agent at a time: two side by side would send everything twice, and each would see the tasks of the other. */
export class CheckTurns {
  readonly #last = new Map<string, Promise<void>>();

  /** True while a check of the agent is under way. */
  isTaken(agent: string): boolean {
    return this.#last.has(agent);
  }

  /**
   * Waits until those that came before are over. Resolves with what ends the turn, which may be called twice. Rejects with a `Problem` once the
   * signal is aborted.
   */
  async take(agent: string, signal: AbortSignal): Promise<() => void> {
    const before = this.#last.get(agent);
    const { promise, resolve } = Promise.withResolvers<void>();
    const own = Promise.all([before, promise]).then(() => {
      if (this.#last.get(agent) === own) this.#last.delete(agent);
    });
    this.#last.set(agent, own);
    const stopped = Promise.withResolvers<void>();
    signal.addEventListener('abort', () => stopped.resolve(), { once: true });
    await Promise.race([before, ...(signal.aborted ? [] : [stopped.promise])]);
    if (signal.aborted) {
      resolve();
      throw new Problem('cancelled', sentence('The request was canceled.'));
    }
    return resolve;
  }
}

/** Those of this window. */
export const checkTurns = new CheckTurns();
