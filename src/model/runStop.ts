import type { Problem } from '../protocol/problem.ts';
import type { TaskState } from '../protocol/taskState.ts';
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
  /** Asks the agent to cancel and folds in what it answers. Rejects with a `Problem`. */
  readonly cancel: (taskId: string) => Promise<void>;
  /** Asks for the task and folds it in. Rejects with a `Problem`. */
  readonly ask: () => Promise<void>;
  /** Puts what went wrong where the person sees it. */
  readonly tell: (problem: Problem) => void;
  /** Resolves when it is so, when the run is over, or after so many milliseconds. */
  readonly until: (isSo: () => boolean, longest: number) => Promise<void>;
}

/** Cancels what a run has begun, as soon as the agent has named it; without a name there is nothing to cancel by. */
export async function stopRun(run: StoppedRun): Promise<StopOutcome> {
  if (!run.isTold() && !run.hasBegun()) return 'over';
  const { stop, naming } = run.timing;
  // Whoever leaves now leaves the agent at work: only a task with a name can be cancelled.
  await run.until(run.isTold, run.taskId() === undefined ? naming : stop);
  if (!run.running()) return 'over';
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
