import { setTimeout as sleep } from 'node:timers/promises';
import { exactJson } from '../../protocol/json/exactJson.ts';
import type { Answer, RawBatch } from '../../client/transport/transport.ts';
import { isTaskNotFound } from '../../protocol/errors.ts';
import {
  isOfPushNotifications,
  subjectTask,
  type OperationParams,
  type UnaryOperation,
  type UnaryResults,
} from '../../protocol/message/operations.ts';
import type { Exchange } from '../../protocol/exchange.ts';
import { findingOf } from '../../protocol/finding.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { contextIdOf, taskIdOf, type StreamResponse } from '../../protocol/message/streamResponse.ts';
import type { Task } from '../../protocol/message/task.ts';
import type { WantedConnection } from '../agents/wantedConnection.ts';
import type { TaskChange } from '../../protocol/message/taskChange.ts';
import { type ShownState, taskStates } from '../../protocol/message/taskState.ts';
import { historyLength } from '../run/agentStream.ts';
import { cancelTask, type StopOutcome } from '../run/cancellation.ts';
import { onlyKeptAlive } from '../run/gap.ts';
import { runTiming } from '../run/runTiming.ts';
import { TaskReducer } from '../fold/taskReducer.ts';
import type { Journal } from '../run/journal.ts';
import type { Run } from '../run/run.ts';
import type { RunAgent } from '../run/runScope.ts';
import { StreamReducer } from '../fold/streamReducer.ts';
import { TaskLog, type TaskLogOptions } from '../run/taskLog.ts';

/** The tasks of one context as far as they are known. */
export interface KnownTasks {
  /** `updatedAt` in milliseconds since the epoch. */
  summary(taskId: string): { readonly state: ShownState; readonly updatedAt: number } | undefined;
  /** See `TaskStore.taskDocument`. */
  document(taskId: string): { readonly task: Task; readonly complete: ReadonlySet<string>; readonly lost: boolean } | undefined;
  /** It is known from the agent's list alone. */
  isListed(taskId: string): boolean;
}

/** The context that the calls belong to. */
interface ContextCallsOptions {
  readonly tasks: KnownTasks;
  readonly journal: Journal;
  /** How much is kept of one task, in bytes. */
  readonly maxTaskBytes: () => number;
  /** Throws a `Problem` `unknown-agent`. */
  readonly agent: () => RunAgent;
  /** The agent's id of the context, once it is known. */
  readonly contextId: () => string | undefined;
  readonly listenerOf: (taskId: string) => Run | undefined;
  /** Takes in a listed task in the context that has it, and in no other. */
  readonly onListed: (task: Task, exchangeId: string) => void;
}

/** Operations of one context that are not runs: they have one answer, which is kept and applied. */
export class ContextCalls {
  readonly #options: ContextCallsOptions;
  #closed = false;

  constructor(options: ContextCallsOptions) {
    this.#options = options;
  }

  /** See `AgentContext.call`. */
  async call<O extends UnaryOperation>(
    operation: O,
    params: OperationParams[O],
    signal?: AbortSignal,
    wanted?: WantedConnection,
  ): Promise<Answer<UnaryResults[O]>> {
    const answer = await this.ask(operation, params, signal, wanted);
    const { result, exchangeId } = answer;
    const late = operation === 'GetTask';
    if ('tasks' in result) for (const task of result.tasks) this.#options.onListed(task, exchangeId);
    else if ('task' in result || 'message' in result) this.applyEvents([result], exchangeId);
    else if ('status' in result) this.applyEvents([{ task: result }], exchangeId, { late });
    return answer;
  }

  /** The same, but nothing is applied. */
  async ask<O extends UnaryOperation>(
    operation: O,
    params: OperationParams[O],
    signal?: AbortSignal,
    wanted?: WantedConnection,
  ): Promise<Answer<UnaryResults[O]>> {
    const { journal, agent } = this.#options;
    const client = await agent().connect({ wanted });
    // A person asked for it and sees the answer, however much of the task is stored.
    const taskId = subjectTask(params);
    const log = this.#logOf({ taskId: () => taskId });
    try {
      return await client.call(operation, params, { signal, log });
    } catch (error) {
      // Agents answer the same where they do not know the configuration.
      const isGone = isTaskNotFound(error) && taskId !== undefined && !isOfPushNotifications(operation);
      if (isGone && !this.#closed && this.#options.listenerOf(taskId) === undefined) {
        journal.flush();
        journal.loseTask(taskId, error.exchangeId);
      }
      throw error;
    } finally {
      journal.flush();
    }
  }

  /** See `AgentContext.extendedCard`. */
  async extendedCard(
    params: { readonly tenant?: string | undefined },
    signal?: AbortSignal,
    wanted?: WantedConnection,
  ): Promise<Answer<unknown>> {
    const { journal, agent } = this.#options;
    const client = await agent().connect({ wanted });
    const log = this.#logOf();
    try {
      const { source, exchangeId, findings } = await client.extendedCard({ ...params, log, ...(signal !== undefined && { signal }) });
      return { result: exactJson(source), exchangeId, findings };
    } finally {
      journal.flush();
    }
  }

  /** See `AgentContext.trySubscription`. */
  async trySubscription(taskId: string, signal?: AbortSignal, wanted?: WantedConnection): Promise<void> {
    const { journal, agent } = this.#options;
    const client = await agent().connect({ wanted });
    const log = this.#logOf({ taskId: () => taskId });
    try {
      for await (const { events } of client.stream('SubscribeToTask', { id: taskId }, { signal, log })) if (events.length > 0) return;
    } finally {
      log.settle();
      journal.flush();
    }
  }

  /** See `AgentContext.sendRaw`. */
  async *sendRaw(body: string, signal?: AbortSignal, wanted?: WantedConnection, onHeard?: () => void): AsyncGenerator<RawBatch> {
    const { journal, agent } = this.#options;
    const { answerTimeoutMs = runTiming.keptAlive } = agent();
    const client = await agent().connect({ wanted });
    let taskId: string | undefined;
    const stop = new AbortController();
    let keptAlive: NodeJS.Timeout | undefined;
    const log: TaskLog = this.#logOf({
      taskId: () => taskId,
      onFull: () => stop.abort(log.problem),
      onReceived: bytes => {
        onHeard?.();
        if (bytes !== undefined) keptAlive ??= setTimeout(() => stop.abort(onlyKeptAlive(answerTimeoutMs)), answerTimeoutMs);
      },
    });
    try {
      for await (const batch of client.sendRaw(body, {
        signal: signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal]),
        log,
      })) {
        if (batch.events.length > 0 || batch.results.length > 0) {
          clearTimeout(keptAlive);
          keptAlive = undefined;
        }
        this.applyEvents(batch.events, batch.exchangeId, { joins: batch.subscribes });
        for (const event of batch.events) taskId ??= taskIdOf(event);
        await journal.written;
        yield batch;
      }
    } catch (error) {
      throw stop.signal.aborted ? stop.signal.reason : error;
    } finally {
      clearTimeout(keptAlive);
      log.settle();
      journal.flush();
    }
  }

  /** Cancels a task without a run; its state is asked for during so many milliseconds. Problems are in the transcript. */
  cancel(taskId: string, longest: number): Promise<StopOutcome> {
    const { tasks, journal } = this.#options;
    return cancelTask({
      state: () => tasks.summary(taskId)?.state,
      cancel: async () => void (await this.call('CancelTask', { id: taskId })),
      ask: async () => void (await this.call('GetTask', { id: taskId })),
      report: problem => journal.problem(problem, { taskId }),
      until: isSo => this.#askUntil(taskId, isSo, longest),
    });
  }

  /** See `AgentContext.receive`. */
  receive(exchange: Exchange, taskId: string | undefined, events: readonly StreamResponse[]): void {
    if (this.#closed) return;
    const { journal } = this.#options;
    const log = this.#logOf({ taskId: () => taskId });
    log.exchange(exchange);
    log.received(exchange.request.body.length);
    if (taskId !== undefined) this.#options.listenerOf(taskId)?.received();
    this.applyEvents(events, exchange.id);
    journal.flush();
  }

  /** Takes in what no run asked for. If a run listens to the task, it goes through that run. */
  applyEvents(
    events: readonly StreamResponse[],
    exchangeId: string,
    { joins = false, late = false }: { readonly joins?: boolean; readonly late?: boolean } = {},
  ): void {
    if (this.#closed) return;
    const { journal, listenerOf } = this.#options;
    for (const event of events) {
      const taskId = taskIdOf(event);
      const listener = taskId === undefined ? undefined : listenerOf(taskId);
      if (listener !== undefined && 'task' in event) listener.merge(event.task, exchangeId);
      if (listener !== undefined) continue;
      // Earlier events may still have to be written.
      journal.inTurn(() => {
        if (!this.#isOurs(event)) return;
        const answer = 'message' in event && taskId !== undefined && !this.load(taskId).isKnown;
        const fold = new StreamReducer(id => this.load(id), answer ? undefined : taskId || undefined);
        if (joins) fold.task?.joinMidway();
        journal.record(fold.task !== undefined && 'task' in event ? fold.task.merge(event.task) : fold.apply([event], true), {
          exchangeId,
          late,
        });
      });
    }
  }

  /** The task as far as the history has it. */
  load(taskId: string): TaskReducer {
    const { tasks } = this.#options;
    return new TaskReducer(taskId, tasks.isListed(taskId) ? undefined : tasks.document(taskId));
  }

  /**
   * Asks for all of a task that is known only from the agent's list, and writes it into the transcript in its own order, with its own times.
   * Rejects with a `Problem`.
   */
  async readListed(taskId: string): Promise<void> {
    const { result: task, exchangeId } = await this.ask('GetTask', { id: taskId, historyLength });
    const { journal, tasks, listenerOf } = this.#options;
    const summary = tasks.summary(taskId);
    if (this.#closed || summary === undefined) return;
    if (listenerOf(taskId) !== undefined) {
      this.applyEvents([{ task }], exchangeId);
      return;
    }
    const reportedAt = Date.parse(task.status.timestamp ?? '');
    journal.record([...this.load(taskId).merge(task), ...contradictionOf(summary.state, task)], {
      exchangeId,
      at: Math.min(Number.isNaN(reportedAt) ? summary.updatedAt : reportedAt, Date.now()),
    });
  }

  /** Takes in nothing any more. */
  close(): void {
    this.#closed = true;
  }

  /** Asks for a task a few times. Never rejects with a `Problem`: if the agent cannot be asked, the condition counts as not met. */
  async #askUntil(taskId: string, isSo: () => boolean, longest: number): Promise<void> {
    try {
      for (const end = Date.now() + longest; !isSo() && Date.now() < end; ) {
        await sleep(longest / 3);
        await this.call('GetTask', { id: taskId });
      }
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
    }
  }

  /** Unless `onFull` says otherwise, an answer is taken in however much of the task is kept. */
  #logOf({ taskId = () => undefined, onFull = () => {}, onReceived: onHeard }: Partial<TaskLogOptions> = {}): TaskLog {
    const { journal, maxTaskBytes } = this.#options;
    return new TaskLog({ journal, taskId, most: maxTaskBytes, onFull, onReceived: onHeard });
  }

  /** A task that was asked for by its id may be of another context: then it does not belong into this history. */
  #isOurs(event: StreamResponse): boolean {
    const { tasks, contextId: own } = this.#options;
    const contextId = contextIdOf(event);
    const taskId = taskIdOf(event);
    return (
      contextId === undefined || own() === undefined || contextId === own() || (taskId !== undefined && tasks.summary(taskId) !== undefined)
    );
  }
}

/** The finding of a task that the agent listed in another terminal state than it gives it. */
function contradictionOf(listed: ShownState, { id, status }: Task): readonly TaskChange[] {
  if (taskStates[listed].class !== 'terminal' || listed === 'LOST' || listed === status.state) return [];
  const what = sentence(
    'The agent listed the task as {0} and returns it as {1}.',
    taskStates[listed].label,
    taskStates[status.state].label,
  );
  return [{ kind: 'finding', taskId: id, finding: findingOf('STRM-11', '/status/state', what) }];
}
