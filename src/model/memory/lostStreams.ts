import { sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import type { Run } from '../run/run.ts';
import type { TaskConnection } from '../run/taskConnection.ts';

/** Called once for each run that has lost its stream and follows its task all the same. `status`: why, and how it is followed, as sentences. */
export type OnLostStream = (taskId: string, status: LocalizedMessage) => void;

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
      if (reason === undefined || !isDecided(connection)) continue;
      this.#reasons.set(run, undefined);
      this.#onLostStream(taskId, isPolled(connection) ? connection.reason : sentence('{0} Still following the task.', reason));
    }
  }
}

/** It is known how the task is followed: at the first attempt it may turn out to be over, and then the agent may refuse another stream. */
function isDecided(connection: TaskConnection): boolean {
  if (connection.kind === 'lost') return connection.attempt > 1;
  return connection.kind !== 'open' || connection.polled !== true || connection.reason !== undefined;
}

const isPolled = (connection: TaskConnection): connection is TaskConnection & { readonly reason: LocalizedMessage } =>
  connection.kind !== 'lost' && 'reason' in connection && connection.reason !== undefined;
