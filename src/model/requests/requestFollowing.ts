import { Problem } from '../../protocol/problem.ts';
import { isTerminal } from '../../protocol/message/taskState.ts';
import type { TurnOutcome } from '../../recording/compare/comparedRun.ts';
import type { RequestOutcome } from './requestOutcome.ts';
import type { FollowedRun, RequestContext } from './requestPorts.ts';
import type { RequestLimit } from './requestLimit.ts';
import type { RunResult } from '../run/sendOptions.ts';
import { foreignStateIn } from '../../protocol/finding.ts';
import { fingerprintOf, UnknownState, type unknownWaits } from './unknownState.ts';

/** Dependencies on the request of the run. */
interface RequestFollowingNeeds {
  readonly context: RequestContext;
  readonly limit: RequestLimit;
  /** Something that is shown changed. */
  readonly onDidChange: () => void;
  /** Longest waits in an unknown state; `unknownWaits` if left out. */
  readonly unknownWaits?: typeof unknownWaits;
}

/**
 * How long a stream is still read after its task's end, in milliseconds: later events may contradict it. A sound stream is closed at once.
 */
export const afterEnd = 2_000;

/** So long a task may still end after the agent has answered its message with an error, in milliseconds. Then the error is the answer. */
const afterError = 2_000;

/** Listens to a run until it is the client's turn, or until it is as it is wanted. When the time is up, that is the outcome's problem. */
export async function followRun(
  run: FollowedRun,
  { context, limit, onDidChange, unknownWaits: waits }: RequestFollowingNeeds,
  isEnough?: (outcome: RequestOutcome) => boolean,
): Promise<RequestOutcome> {
  const enough = Promise.withResolvers<RunResult>();
  const stranded = Promise.withResolvers<Problem>();
  const failed = Promise.withResolvers<RunResult>();
  let failing: NodeJS.Timeout | undefined;
  const snapshot = (): string => (run.result.task === undefined ? '' : fingerprintOf(run.result.task));
  const unknown = new UnknownState({ onStranded: stranded.resolve, snapshot, hasLimit: limit.isSet, waits });
  const look = (): void => {
    onDidChange();
    const { result } = run;
    unknown.look(result.task?.status.state, stateNameIn(result));
    if (isEnough?.(result) === true) enough.resolve(result);
    // Whatever the agent ended its stream with; a connection that broke is no answer, and is none of the run's problems as long as it goes on.
    if (result.problem !== undefined) failing ??= setTimeout(() => failed.resolve(run.result), afterError);
  };
  const listening = context.onDidUpdate(look);
  const watching = context.onDidChangeState(onDidChange);
  try {
    look();
    const signs = {
      lastReceivedAt: () => run.lastReceivedAt,
      provisional: () => run.provisional,
    };
    const done = await limit.within(Promise.race([run.done, enough.promise, stranded.promise, failed.promise]), signs);
    if (done instanceof Problem) return { ...run.result, problem: done };
    if (!isOver(done)) return done;
    await withinMs(run.ended, afterEnd);
    return { ...run.result, endedAt: done.endedAt };
  } catch (error) {
    if (limit.problem === undefined || error !== limit.problem) throw error;
    return { ...run.result, problem: limit.problem };
  } finally {
    clearTimeout(failing);
    unknown.dispose();
    listening.dispose();
    watching.dispose();
  }
}

/** The state that the agent tells, where A2A has none of that name. */
export function stateNameIn({ task, findings = [] }: Pick<RequestOutcome, 'task' | 'findings'>): string | undefined {
  if (task?.status.state !== 'TASK_STATE_UNSPECIFIED') return undefined;
  return foreignStateIn(findings);
}

/** The answer is a message, or its task has ended. */
export const isOver = ({ task, message }: Pick<TurnOutcome, 'task' | 'message'>): boolean =>
  task === undefined ? message !== undefined : isTerminal(task.status.state);

/** Resolves with the work, or after so many milliseconds. */
export async function withinMs(work: Promise<unknown>, ms: number): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, ms);
  await Promise.race([work, late.promise]);
  clearTimeout(timer);
}
