import type { LocalizedMessage } from '../../protocol/problem.ts';
import type { Run } from '../run/run.ts';

/** Called once for each run whose stream is gone, and whose task goes on all the same. `reason`: what became of the stream. */
export type OnLostStream = (taskId: string, reason: LocalizedMessage) => void;

/** Notices which runs go on without the stream that they began with. */
export class LostStreams {
  readonly #onLostStream: OnLostStream;
  /** Undefined once it was reported. */
  readonly #reasons = new WeakMap<Run, LocalizedMessage | undefined>();

  constructor(tell: OnLostStream) {
    this.#onLostStream = tell;
  }

  /** Looks at the runs that wait for their agents, whenever something of them has changed. */
  look(runs: readonly Run[]): void {
    for (const run of runs) {
      const { connection, taskId, result } = run;
      // An error of the agent is the answer, and ends the wait.
      if (taskId === undefined || result.problem !== undefined) continue;
      if (connection.kind === 'lost' && !this.#reasons.has(run)) this.#reasons.set(run, connection.reason);
      const reason = this.#reasons.get(run);
      // At the first attempt the task may turn out to be over.
      if (reason === undefined || (connection.kind === 'lost' && connection.attempt < 2)) continue;
      this.#reasons.set(run, undefined);
      this.#onLostStream(taskId, reason);
    }
  }
}
