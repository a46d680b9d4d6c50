import { isInterrupted, isTerminal } from '../../protocol/message/taskState.ts';
import type { ComparedTurn } from '../../recording/compare/comparedRun.ts';
import type { SaidMessage } from '../../recording/saidMessage.ts';
import type { WantedConnection } from '../agents/wantedConnection.ts';
import { followRun } from '../requests/requestFollowing.ts';
import { RequestLimit } from '../requests/requestLimit.ts';
import { problemOf, type RequestOutcome } from '../requests/requestOutcome.ts';
import type { FollowedRun, RequestContext } from '../requests/requestPorts.ts';
import type { SendOptions } from '../run/sendOptions.ts';

/** A turn of a conversation that is run again. */
export interface AgainTurn extends ComparedTurn {
  readonly outcome: RequestOutcome;
}

interface RunAgainNeeds {
  /** A new context of the agent. */
  readonly context: RequestContext;
  readonly said: readonly SaidMessage[];
  /** The interface to use instead of that of the agent's settings or card. */
  readonly interface?: WantedConnection | undefined;
  /** True to stream, false to block; the agent's card decides if it is left out. */
  readonly streaming?: boolean | undefined;
  /** How long each message may take, in milliseconds; see `RequestLimit`. */
  readonly timeoutMs?: number | undefined;
  /** Stops the message under way; none comes after it. */
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
}

/**
 * Sends the messages of a conversation again in a new context, in order, each when the one before is over or waits. A message that answered a
 * question goes into the task that its turn has now. Ends early at a problem, and where a task asks a question that no message answers: the
 * last turn then has the task that waits.
 */
export async function* runAgain({
  context,
  said,
  interface: wanted,
  streaming,
  timeoutMs,
  signal,
  onError,
}: RunAgainNeeds): AsyncGenerator<AgainTurn> {
  const turns: AgainTurn[] = [];
  for (const [index, message] of said.entries()) {
    if (signal.aborted) return;
    const outcome = await send(optionsFor(message, turns));
    const turn = { said: message, outcome };
    turns.push(turn);
    yield turn;
    if (outcome.problem !== undefined || asksMore(turn, said[index + 1], index)) return;
  }

  async function send(options: SendOptions): Promise<RequestOutcome> {
    const startedAt = performance.timeOrigin + performance.now();
    const limit = new RequestLimit(timeoutMs);
    let run: FollowedRun | undefined;
    const stop = (): void => void run?.stop().catch(onError);
    signal.addEventListener('abort', stop, { once: true });
    try {
      run = context.send({ ...options, interface: wanted, streaming });
      const outcome = await followRun(run, { context, limit, onDidChange: () => {} });
      if (outcome.problem !== undefined && outcome.problem === limit.problem) stop();
      return outcome;
    } catch (error) {
      return {
        problem: problemOf(error, onError),
        startedAt,
        endedAt: performance.timeOrigin + performance.now(),
        exchangeIds: [],
      };
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }
}

/** True where the task of a turn waits, and the next message is no answer to it. */
const asksMore = ({ outcome: { task } }: AgainTurn, next: SaidMessage | undefined, index: number): boolean =>
  task !== undefined && isInterrupted(task.status.state) && next?.answers !== index;

function optionsFor({ parts, metadata, extensions, answers, refersTo }: SaidMessage, turns: readonly AgainTurn[]): SendOptions {
  const answered = answers === undefined ? undefined : turns[answers]?.outcome.task;
  const referenceTaskIds = refersTo.flatMap(index => turns[index]?.outcome.task?.id ?? []);
  return {
    parts,
    target: answered === undefined || isTerminal(answered.status.state) ? 'new-task' : { taskId: answered.id },
    ...(referenceTaskIds.length > 0 && { referenceTaskIds }),
    message: {
      ...(metadata !== undefined && { metadata: { ...metadata } }),
      ...(extensions !== undefined && { extensions: [...extensions] }),
    },
  };
}
