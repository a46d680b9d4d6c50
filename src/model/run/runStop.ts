import { Problem } from '../../protocol/problem.ts';
import type { TaskState } from '../../protocol/message/taskState.ts';
import { cancelTask, unnamed, type StopOutcome } from './cancellation.ts';
import type { RunTiming } from './runTiming.ts';

/** What stopping needs of a run. */
export interface StoppedRun {
  readonly timing: Pick<RunTiming, 'stop' | 'naming'>;
  /** It is the agent's turn. */
  readonly running: () => boolean;
  /** The task that the run is about, as soon as there is one. */
  readonly taskId: () => string | undefined;
  readonly state: () => TaskState | undefined;
  /** The agent has named the task in this run. */
  readonly isTold: () => boolean;
  /** Something went over the wire. */
  readonly hasBegun: () => boolean;
  /** Closes the answer to what was sent. */
  readonly leave: () => void;
  /** Looks among the agent's tasks for the one that the message began, and folds it in. Rejects with a `Problem` where it cannot be asked. */
  readonly find: () => Promise<void>;
  /** Asks the agent to cancel and folds in what it answers. Rejects with a `Problem`. */
  readonly cancel: (taskId: string) => Promise<void>;
  /** Asks for the task and folds it in. Rejects with a `Problem`. */
  readonly ask: () => Promise<void>;
  /** Puts what went wrong where the person sees it. */
  readonly tell: (problem: Problem) => void;
  /** Resolves when it is so, when the run is over, or after so many milliseconds. */
  readonly until: (isSo: () => boolean, longest: number) => Promise<void>;
}

/**
 * Cancels what a run has begun. An agent that has not named its task soon is waited for no longer: the connection is closed, and the task is
 * looked for in the agent's list; without a name there is nothing to cancel by.
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
    state: run.state, ask: run.ask, tell: run.tell,
    cancel: () => run.cancel(taskId),
    until: isSo => run.until(isSo, stop),
  });
}

/** Calls `then` once nothing was heard for so many milliseconds, counted from now on, until it is aborted. `heardAt`: by `performance.now()`. */
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

/** What the agent cannot be asked is not known; why is in the exchange. */
async function findQuietly(find: () => Promise<void>): Promise<void> {
  try {
    await find();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
  }
}
