import { Problem } from '../../protocol/problem.ts';
import type { TaskState } from '../../protocol/message/taskState.ts';
import { cancelTask, unnamed, type StopOutcome } from './cancellation.ts';
import type { RunTiming } from './runTiming.ts';

/** What stopping needs of a run. */
export interface StoppedRun {
  readonly timing: Pick<RunTiming, 'stop' | 'naming'>;
  /** It is the agent's turn. */
  readonly running: () => boolean;
  /** The task of the run, as soon as there is one. */
  readonly taskId: () => string | undefined;
  readonly state: () => TaskState | undefined;
  /** The agent has named the task in this run. */
  readonly isTold: () => boolean;
  /** Something was sent. */
  readonly hasBegun: () => boolean;
  /** Closes the answer to the message. */
  readonly leave: () => void;
  /** Looks among the agent's tasks for the one that the message began, and takes it in. Rejects with a `Problem` if the agent cannot be asked. */
  readonly find: () => Promise<void>;
  /** CancelTask; applies the answer to the task. Rejects with a `Problem`. */
  readonly cancel: (taskId: string) => Promise<void>;
  /** GetTask; applies the answer to the task. Rejects with a `Problem`. */
  readonly ask: () => Promise<void>;
  /** Shows the problem in the transcript. */
  readonly tell: (problem: Problem) => void;
  /** Resolves when the condition holds, when the run is over, or after so many milliseconds. */
  readonly until: (isSo: () => boolean, longest: number) => Promise<void>;
}

/**
 * Cancels what a run has begun. If the agent does not name its task soon, the connection is closed and the task is looked for in the agent's
 * list: without an id there is nothing to cancel.
 */
export async function stopRun(run: StoppedRun): Promise<StopOutcome> {
  if (!run.isTold() && !run.hasBegun()) return 'over';
  const { stop, naming } = run.timing;
  await run.until(run.isTold, run.taskId() === undefined ? naming : Math.min(stop, naming));
  if (!run.running()) return 'over';
  if (run.taskId() === undefined) {
    run.leave();
    await findQuietly(run.find);
  }
  const taskId = run.taskId();
  if (taskId === undefined) {
    run.tell(unnamed());
    return 'unknown';
  }
  return cancelTask({
    state: run.state,
    ask: run.ask,
    tell: run.tell,
    cancel: () => run.cancel(taskId),
    until: isSo => run.until(isSo, stop),
  });
}

/**
 * Calls `then` when nothing was heard for so many milliseconds, counted from now on, unless it is aborted first. `heardAt`: by
 * `performance.now()`.
 */
export function whenSilent(heardAt: () => number | undefined, ms: number, then: () => void): AbortController {
  const watching = new AbortController();
  const begun = performance.now();
  let timer: NodeJS.Timeout;
  const look = (): void => {
    const rest = Math.max(begun, heardAt() ?? begun) + ms - performance.now();
    if (rest <= 0) then();
    else timer = setTimeout(look, rest);
  };
  look();
  watching.signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  return watching;
}

/** If the agent cannot be asked, the answer is not known; the reason is in the exchange. */
async function findQuietly(find: () => Promise<void>): Promise<void> {
  try {
    await find();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
  }
}
