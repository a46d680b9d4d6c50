import { A2AError } from '../protocol/errors.ts';
import { Problem } from '../protocol/problem.ts';
import { isTerminal, type TaskState } from '../protocol/taskState.ts';

/**
 * What became of a stop. `canceled`: the agent says so; `over`: the task was over already or nothing was sent;
 * `not-cancelable`: the agent refused (its words are in the transcript); `unknown`: nobody answered.
 */
export type StopOutcome = 'canceled' | 'over' | 'not-cancelable' | 'unknown';

/** What cancelling needs of a run. */
export interface CancellationOptions {
  readonly state: () => TaskState | undefined;
  /** Asks the agent to cancel and folds in what it answers. Rejects with a `Problem`. */
  readonly cancel: () => Promise<void>;
  /** Asks for the task and folds it in. Rejects with a `Problem`. */
  readonly ask: () => Promise<void>;
  /** Puts the agent's refusal where the person sees it. */
  readonly tell: (problem: Problem) => void;
  /** Resolves when it is so, or when nothing more will come, or after a while. */
  readonly until: (isSo: () => boolean) => Promise<void>;
}

/** Cancels a task of the agent (CancelTask, A2A 1.0 §3.1.5) and finds out whether it was. */
export async function cancelTask({ state, cancel, ask, tell, until }: CancellationOptions): Promise<StopOutcome> {
  const isEnded = (): boolean => isTerminal(state() ?? 'TASK_STATE_UNSPECIFIED');
  try {
    await cancel();
    // Some agents say that they will, and then do.
    if (!isEnded()) await until(isEnded);
    if (state() === 'TASK_STATE_CANCELED') return 'canceled';
    return isEnded() ? 'over' : 'unknown';
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    // It may have come to its end at that very moment.
    if (error instanceof A2AError) await askQuietly(ask);
    if (isEnded()) return 'over';
    tell(error);
    return error instanceof A2AError ? 'not-cancelable' : 'unknown';
  }
}

/** The person is told what the agent said first; a second problem is in its exchange. */
async function askQuietly(ask: () => Promise<void>): Promise<void> {
  try {
    await ask();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
  }
}
