import type { Task } from '../../protocol/message/task.ts';
import { isInterrupted, isTerminal } from '../../protocol/message/taskState.ts';
import type { ComparedTurn } from '../../recording/compare/comparedRun.ts';
import type { SaidMessage } from '../../recording/saidMessage.ts';
import type { WantedConnection } from '../agents/wantedConnection.ts';
import { followRun, isOver } from '../requests/requestFollowing.ts';
import { RequestLimit } from '../requests/requestLimit.ts';
import { problemOf, type RequestOutcome } from '../requests/requestOutcome.ts';
import type { FollowedRun, RequestContext } from '../requests/requestPorts.ts';
import type { SendOptions } from '../run/sendOptions.ts';

/** A turn of a conversation that is run again. */
export interface AgainTurn extends ComparedTurn {
  readonly outcome: RequestOutcome;
  /** The task that waits for something that none of the messages has: an answer to a new question, or a password that was not kept. */
  readonly waitingTask?: string;
  /** Resolves when nothing of the turn is read any more: later events may contradict its end. Left out for one that is not over. */
  readonly ended?: Promise<void>;
}

interface RunAgainNeeds {
  /** A new context of the agent. */
  readonly context: RequestContext;
  readonly said: readonly SaidMessage[];
  /** The same turns as they went before: neither a question that was left open then nor a message that failed then ends the run. */
  readonly before?: readonly ComparedTurn[] | undefined;
  /** Resolves once the person has answered for a turn with a `waitingTask`: false ends the run, as it does where this is left out. */
  readonly answered?: ((turn: AgainTurn & { readonly waitingTask: string }) => Promise<boolean>) | undefined;
  /** The interface to use instead of that of the agent's settings or card. */
  readonly interface?: WantedConnection | undefined;
  /** True to stream, false to block; the agent's card decides if it is left out. */
  readonly streaming?: boolean | undefined;
  /** How long each message may take, in milliseconds; see `RequestLimit`. */
  readonly timeoutMs?: number | undefined;
  /** Stops the message under way; none comes after it. */
  readonly signal: AbortSignal;
  /** See `AgentContexts.patiently`. */
  readonly patiently?: (<T>(work: () => T) => Promise<T>) | undefined;
  readonly onError: (error: unknown) => void;
}

/**
 * Sends the messages of a conversation again in a new context, in order, each when the one before is over or waits. A message that answered a
 * question goes into the task that its turn has now. Ends early at a problem, and at a turn with a `waitingTask` that is not answered.
 */
export async function* runAgain({
  context,
  said,
  before = [],
  answered,
  interface: wanted,
  streaming,
  timeoutMs,
  signal,
  patiently = async work => work(),
  onError,
}: RunAgainNeeds): AsyncGenerator<AgainTurn> {
  /** The tasks that came of the messages so far. */
  const taskIds: (string | undefined)[] = [];
  const taskOf = (index: number | undefined): Task | undefined => {
    const taskId = index === undefined ? undefined : taskIds[index];
    return taskId === undefined ? undefined : context.task(taskId);
  };
  for (const [index, message] of said.entries()) {
    if (signal.aborted) return;
    const answers = taskOf(message.answers);
    const referenceTaskIds = message.refersTo.flatMap(turn => taskIds[turn] ?? []);
    const { outcome, ended } = await send(optionsFor(message, answers, referenceTaskIds));
    taskIds[index] = outcome.task?.id ?? answers?.id;
    const lacksPassword = outcome.problem?.code === 'password-not-kept' && waits(answers);
    const waitingTask = lacksPassword ? answers?.id : asksMore(outcome, index) ? outcome.task?.id : undefined;
    const turn = { said: message, outcome, ...(ended !== undefined && isOver(outcome) && { ended }) };
    if (waitingTask === undefined) {
      yield turn;
      if (outcome.problem !== undefined && before[index]?.outcome?.problem === undefined) return;
    } else {
      yield { ...turn, waitingTask };
      if (signal.aborted || (await answered?.({ ...turn, waitingTask })) !== true) return;
    }
  }

  /** True where the task of a turn waits, as it did not before, and no later message is an answer to it. */
  function asksMore({ task, problem }: RequestOutcome, index: number): boolean {
    if (problem !== undefined || !waits(task) || waits(before[index]?.outcome?.task)) return false;
    return !said.some(({ answers }) => answers === index);
  }

  async function send(options: SendOptions): Promise<Pick<AgainTurn, 'outcome' | 'ended'>> {
    const startedAt = performance.timeOrigin + performance.now();
    const limit = new RequestLimit(timeoutMs);
    let run: FollowedRun | undefined;
    const stopped = Promise.withResolvers<RequestOutcome>();
    // A task that its agent does not cancel goes on, and is not waited for here.
    const stop = (): void => void run?.stop().then(() => stopped.resolve(run!.result), onError);
    signal.addEventListener('abort', stop, { once: true });
    try {
      run = await patiently(() => context.send({ ...options, interface: wanted, streaming }));
      if (signal.aborted) stop();
      const outcome = await Promise.race([followRun(run, { context, limit, onDidChange: () => {} }), stopped.promise]);
      if (outcome.problem !== undefined && outcome.problem === limit.problem) stop();
      return { outcome, ended: run.ended };
    } catch (error) {
      const endedAt = performance.timeOrigin + performance.now();
      return { outcome: { problem: problemOf(error, onError), startedAt, endedAt, exchangeIds: [] } };
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }
}

const waits = (task: Task | undefined): boolean => task !== undefined && isInterrupted(task.status.state);

const optionsFor = (
  { parts, metadata, extensions }: SaidMessage,
  answers: Task | undefined,
  referenceTaskIds: readonly string[],
): SendOptions => ({
  parts,
  target: answers === undefined || isTerminal(answers.status.state) ? 'new-task' : { taskId: answers.id },
  ...(referenceTaskIds.length > 0 && { referenceTaskIds }),
  message: {
    ...(metadata !== undefined && { metadata: { ...metadata } }),
    ...(extensions !== undefined && { extensions: [...extensions] }),
  },
});
