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

/** Listens to a run until it is the client's turn, or until it is as it is wanted. When the time is up, that is the outcome's problem. */
export async function followed(run: FollowedRun, { context, limit, onDidChange }: RequestFollowingNeeds, isEnough: (outcome: RequestOutcome) => boolean = () => false): Promise<RequestOutcome> {
  const enough = Promise.withResolvers<RunResult>();
  const look = (): void => {
    onDidChange();
    if (isEnough(outcomeOf(run.result))) enough.resolve(run.result);
  };
  const listening = context.onDidUpdate(look);
  try {
    look();
    const signs = { heardAt: () => run.heardAt, isNamed: () => run.result.task !== undefined };
    return outcomeOf(await limit.within(Promise.race([run.done, enough.promise]), signs));
  } catch (error) {
    if (limit.problem === undefined || error !== limit.problem) throw error;
    return { ...outcomeOf(run.result), problem: limit.problem };
  } finally {
    listening.dispose();
  }
}

const outcomeOf = ({ task, ...result }: RunResult): RequestOutcome => (task === undefined ? result : { ...result, task: wholeTask(task) });
