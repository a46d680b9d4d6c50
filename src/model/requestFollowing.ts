import { setTimeout as waiting } from 'node:timers/promises';
import { Problem, sentence } from '../protocol/problem.ts';
import { isTerminal } from '../protocol/taskState.ts';
import type { RequestOutcome } from './requestOutcome.ts';
import type { FollowedRun, RequestContext } from './requestPeer.ts';
import type { RequestLimit } from './requestLimit.ts';
import type { RunResult } from './sendOptions.ts';
import { wholeTask } from './wholeTask.ts';

/** What following a run needs of the request that it belongs to. */
export interface RequestFollowingNeeds {
  readonly context: RequestContext;
  readonly limit: RequestLimit;
  /** Something that is shown changed. */
  readonly onDidChange: () => void;
}

/** So long a stream is still listened to after the end that it told, in milliseconds: what it says then may be at odds with that. A sound one is closed at once. */
const afterEnd = 2_000;

/** So long a task may be in a state that A2A does not have, in milliseconds: it may be on its way to another one. */
const unknownMs = 10_000;

/** Listens to a run until it is the client's turn, or until it is as it is wanted. When the time is up, that is the outcome's problem. */
export async function followed(run: FollowedRun, { context, limit, onDidChange }: RequestFollowingNeeds, isEnough: (outcome: RequestOutcome) => boolean = () => false): Promise<RequestOutcome> {
  const enough = Promise.withResolvers<RunResult>();
  const stranded = Promise.withResolvers<undefined>();
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    onDidChange();
    if (stateNameIn(run.result) !== undefined) timer ??= setTimeout(() => stranded.resolve(undefined), unknownMs);
    else {
      clearTimeout(timer);
      timer = undefined;
    }
    if (isEnough(outcomeOf(run.result))) enough.resolve(run.result);
  };
  const listening = context.onDidUpdate(look);
  try {
    look();
    const signs = { heardAt: () => run.heardAt, isNamed: () => run.result.task !== undefined || run.result.message !== undefined, provisional: () => run.provisional };
    const done = await limit.within(Promise.race([run.done, enough.promise, stranded.promise]), signs);
    if (done === undefined) return { ...outcomeOf(run.result), problem: inUnknownState(stateNameIn(run.result) ?? '') };
    if (!isOver(done)) return outcomeOf(done);
    await withinMs(run.ended, afterEnd);
    return { ...outcomeOf(run.result), endedAt: done.endedAt };
  } catch (error) {
    if (limit.problem === undefined || error !== limit.problem) throw error;
    return { ...outcomeOf(run.result), problem: limit.problem };
  } finally {
    clearTimeout(timer);
    listening.dispose();
  }
}

/** The state that the agent tells, where A2A has none of that name. */
export function stateNameIn({ task, findings = [] }: Pick<RequestOutcome, 'task' | 'findings'>): string | undefined {
  if (task?.status.state !== 'TASK_STATE_UNSPECIFIED') return undefined;
  return findings.map(({ message }) => /^(.*) is no task state\.$/s.exec(message)?.[1]).findLast(name => name !== undefined);
}

const inUnknownState = (name: string): Problem => new Problem('unknown-state', sentence('The task is in the state {0}, which A2A does not have, so nobody can say whether it is over.', name), {
  nextStep: sentence('Look at the agent\'s own log at this time.'),
});

const isOver = ({ task, message }: RunResult): boolean => (task === undefined ? message !== undefined : isTerminal(task.status.state));

/** Resolves with the work, or after so many milliseconds. */
async function withinMs(work: Promise<void>, ms: number): Promise<void> {
  const enough = new AbortController();
  await Promise.race([work, waiting(ms, undefined, { signal: enough.signal }).catch(() => {})]);
  enough.abort();
}

const outcomeOf = ({ task, ...result }: RunResult): RequestOutcome => (task === undefined ? result : { ...result, task: wholeTask(task) });
