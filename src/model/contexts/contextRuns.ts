import { outcomeOf, type StopOutcome } from '../run/cancellation.ts';
import type { Run } from '../run/run.ts';

/** The runs of one context that are not over. */
export class ContextRuns {
  readonly #runs = new Set<Run>();

  /** It is the agent's turn: at least one run has not ended. */
  get running(): boolean {
    return this.waiting.length > 0;
  }

  /** At least one sends or listens. */
  get isActive(): boolean {
    return this.#runs.size > 0;
  }

  /** Stop was asked and has no result yet. */
  get stopping(): boolean {
    return [...this.#runs].some(run => run.stopping);
  }

  add(run: Run): void {
    this.#runs.add(run);
  }

  delete(run: Run): void {
    this.#runs.delete(run);
  }

  /** All runs that work on the task. */
  of(taskId: string): readonly Run[] {
    return [...this.#runs].filter(run => run.taskId === taskId);
  }

  /** The one that still listens to the task. */
  listenerOf(taskId: string): Run | undefined {
    return this.of(taskId).find(run => !run.over);
  }

  /** Runs that wait for the agent. */
  get waiting(): readonly Run[] {
    return [...this.#runs].filter(run => run.running);
  }

  /** The one that sends the message of this entry. */
  senderOf(seq: number): Run | undefined {
    return [...this.#runs].find(run => run.seq === seq);
  }

  /** The newest of those that run. */
  get newest(): Run | undefined {
    return this.waiting.at(-1);
  }

  /** Cancels all of them at the agent. */
  stop(): Promise<StopOutcome> {
    return outcomeOf(this.waiting.map(run => run.stop()));
  }

  /** See `Run.rewrite`. */
  rewrite(): void {
    for (const run of this.#runs) run.rewrite();
  }

  /** The machine has slept. */
  wake(): void {
    for (const run of this.#runs) run.wake();
  }

  /** Every run that has lost its connection begins the next attempt at once. */
  retry(): void {
    for (const run of this.#runs) if (run.connection.kind === 'lost') run.tryNow();
  }

  /** Stops listening; cancels nothing. */
  detach(): void {
    for (const run of this.#runs) run.detach();
  }
}
