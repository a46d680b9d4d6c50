import type { StopOutcome } from './cancellation.ts';
import type { Run } from './run.ts';

/** The runs of one context that are not over. */
export class ContextRuns {
  readonly #runs = new Set<Run>();

  /** It is the agent's turn: at least one has not come to its end. */
  get running(): boolean {
    return [...this.#runs].some(run => run.running);
  }

  /** Stop was asked and has not come out. */
  get stopping(): boolean {
    return [...this.#runs].some(run => run.stopping);
  }

  add(run: Run): void {
    this.#runs.add(run);
  }

  delete(run: Run): void {
    this.#runs.delete(run);
  }

  /** All that have to do with the task. */
  of(taskId: string): readonly Run[] {
    return [...this.#runs].filter(run => run.taskId === taskId);
  }

  /** The one that still listens to the task. */
  listenerOf(taskId: string): Run | undefined {
    return this.of(taskId).find(run => !run.over);
  }

  /** The one that sends the message of this entry. */
  senderOf(seq: number): Run | undefined {
    return [...this.#runs].find(run => run.seq === seq);
  }

  /** Cancels what all of them do at the agent. */
  async stop(): Promise<StopOutcome> {
    const outcomes = await Promise.all([...this.#runs].filter(run => run.running).map(run => run.stop()));
    return outcomes.find(outcome => outcome !== 'canceled' && outcome !== 'over') ?? outcomes[0] ?? 'over';
  }

  /** The machine has slept. */
  wake(): void {
    for (const run of this.#runs) run.wake();
  }

  /** Stops listening; cancels nothing. */
  detach(): void {
    for (const run of this.#runs) run.detach();
  }
}
