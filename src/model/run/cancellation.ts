import { ConnectionProblem } from '../../client/http/connectionProblem.ts';
import { A2AError } from '../../protocol/errors.ts';
import { hint, Problem, sentence } from '../../protocol/problem.ts';
import { isTerminal, type ShownState } from '../../protocol/message/taskState.ts';

/**
 * The result of a stop. `canceled`: the agent confirmed it; `over`: the task was over already, or nothing was sent; `not-cancelable`: the
 * agent refused (its reason is in the transcript); `not-sent`: the agent could not be reached; `unknown`: no confirmation came. Both are in
 * the transcript. A task that is not over
 * continues to be followed, unless its agent was silent.
 */
export type StopOutcome = 'canceled' | 'over' | 'not-cancelable' | 'not-sent' | 'unknown';

/** The run's part of a cancellation. */
interface CancellationOptions {
  readonly state: () => ShownState | undefined;
  /** CancelTask; applies the answer to the task. Rejects with a `Problem`. */
  readonly cancel: () => Promise<void>;
  /** GetTask; applies the answer to the task. Rejects with a `Problem`. */
  readonly ask: () => Promise<void>;
  /** Shows the problem in the transcript. */
  readonly report: (problem: Problem) => void;
  /** Resolves when the condition holds, when nothing more will come, or after a while. */
  readonly until: (isSo: () => boolean) => Promise<void>;
}

/** Cancels a task of the agent (CancelTask, A2A 1.0 §3.1.5) and finds out whether it was canceled. */
export async function cancelTask({ state, cancel, ask, report, until }: CancellationOptions): Promise<StopOutcome> {
  const isEnded = (): boolean => isTerminal(state() ?? 'TASK_STATE_UNSPECIFIED');
  try {
    await cancel();
    // Some agents answer before they have canceled the task.
    if (!isEnded()) await until(isEnded);
    if (!isEnded()) await askQuietly(ask);
    if (state() === 'TASK_STATE_CANCELED') return 'canceled';
    if (isEnded()) return 'over';
    report(notConfirmed());
    return 'unknown';
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    // The task may have ended at that very moment.
    if (error instanceof A2AError) await askQuietly(ask);
    if (isEnded()) return 'over';
    if (error instanceof A2AError) {
      report(error);
      return 'not-cancelable';
    }
    const isUnsent = error instanceof ConnectionProblem && error.reached === 'no';
    report(isUnsent ? unsent(error) : unanswered(error));
    return isUnsent ? 'not-sent' : 'unknown';
  }
}

/** The result of several stops: the worst one. */
export async function outcomeOf(stops: readonly Promise<StopOutcome>[]): Promise<StopOutcome> {
  const outcomes = await Promise.all(stops);
  return outcomes.find(outcome => outcome !== 'canceled' && outcome !== 'over') ?? outcomes[0] ?? 'over';
}

const lookAgain = hint(
  sentence('Refresh the task to see its state, and cancel it again if it is still working.'),
  'a2a task get shows its state, and a2a task cancel tries again if it is still working.',
);

/** The agent did not refuse, and the task has not ended. */
const notConfirmed = (): Problem =>
  new Problem('stop-unknown', sentence('The agent was asked to cancel the task and has not confirmed it.'), {
    nextStep: lookAgain,
  });

/** The problem of a cancellation that never left: the task goes on. */
const unsent = (problem: Problem): Problem =>
  new Problem('stop-unsent', sentence('The request to cancel the task was not sent: {0}', problem.sentence), {
    nextStep: problem.nextStep,
    details: problem.details,
    cause: problem,
  });

/** The problem of a cancellation that may or may not have reached the agent. */
const unanswered = (problem: Problem): Problem =>
  new Problem('stop-unknown', sentence('Unknown whether the task was canceled: {0}', problem.sentence), {
    nextStep: lookAgain,
    details: problem.details,
    cause: problem,
  });

/** There was no task id to cancel with. */
export const noTaskId = (): Problem =>
  new Problem('stop-unknown', sentence('The agent returned no task id, so nothing was canceled; it may still be running.'), {
    nextStep: hint(
      sentence("List the tasks of the agent to find out, or look at the agent's own log."),
      "a2a task list finds out, or look at the agent's own log.",
    ),
  });

/** The person sees the agent's first answer; a second problem is in its exchange. */
export async function askQuietly(ask: () => Promise<void>): Promise<void> {
  try {
    await ask();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
  }
}
