import { isSend, type OperationParams, type SendMessageParams, type UnaryOperation } from '../protocol/operations.ts';
import { Problem, sentence } from '../protocol/problem.ts';
import type { Task } from '../protocol/task.ts';
import type { TaskState } from '../protocol/taskState.ts';
import type { WantedInterface } from '../protocol/wantedInterface.ts';
import { checkExpectations } from '../request/expect/expectations.ts';
import type { Scope } from '../request/fill.ts';
import type { RequestEntry } from '../request/requestEntry.ts';
import { resolveExpect, resolveInterface, resolveRequest, type ResolvedRequest } from '../request/resolve.ts';
import { agentNameOf } from './agentNameOf.ts';
import { FoldedTask } from './foldedTask.ts';
import { Heard } from './heard.ts';
import { contextFor, continuationAfter, type EarlierRun } from './requestContinuation.ts';
import { problemOf, type RequestOutcome } from './requestOutcome.ts';
import type { FollowedRun, RequestAgent, RequestContext, RequestModel, SpokenInterface } from './requestPeer.ts';
import { StreamFold } from './streamFold.ts';
import { wholeTask } from './wholeTask.ts';

/** What a sending needs of the request it belongs to. */
export interface RequestSendingNeeds {
  readonly model: RequestModel;
  /** The agent for a request that names none. */
  readonly agent?: string;
  /** Its end stops the sending: what is under way at the agent by `stop`. */
  readonly signal: AbortSignal;
  /** The last run of another request of the file. */
  readonly earlier: (name: string) => EarlierRun | undefined;
  /** Something that is shown changed. */
  readonly onDidChange: () => void;
  /** Defects of ours, which a person cannot do anything about. */
  readonly onError: (error: unknown) => void;
}

/** Milliseconds since the epoch, with fractions. */
export const now = (): number => performance.timeOrigin + performance.now();

/** A request sent once: one row of its data, or all there is to it. */
export class RequestSending {
  readonly #entry: RequestEntry;
  readonly #needs: RequestSendingNeeds;
  readonly #startedAt = now();
  #agent: RequestAgent | undefined;
  /** The interface that the request or its file asks for. */
  #wanted: WantedInterface | undefined;
  #chosen: SpokenInterface | undefined;
  #context: RequestContext | undefined;
  #resolved: ResolvedRequest | undefined;
  #expect: unknown;
  #run: FollowedRun | undefined;
  #fold: StreamFold | undefined;

  constructor(entry: RequestEntry, needs: RequestSendingNeeds) {
    this.#entry = entry;
    this.#needs = needs;
  }

  /** Known once the agent is found. */
  get agent(): RequestAgent | undefined {
    return this.#agent;
  }

  /** What it is sent over; known once the agent's card is. */
  get chosen(): SpokenInterface | undefined {
    return this.#chosen;
  }

  /** Undefined until it is sent, and for what belongs to none. */
  get contextKey(): string | undefined {
    return this.#context?.key;
  }

  /** Templates filled in. */
  get resolved(): ResolvedRequest | undefined {
    return this.#resolved;
  }

  get task(): Task | undefined {
    const taskId = this.#run?.taskId;
    return taskId === undefined ? this.#fold?.task?.task : this.#context?.task(taskId);
  }

  get state(): TaskState | undefined {
    return this.#run?.state ?? this.#fold?.task?.state;
  }

  /** Cancels the task at the agent where one runs. */
  stop(): void {
    this.#run?.stop().catch(this.#needs.onError);
  }

  /** Sends it, and holds what comes against what is expected. Never rejects: what went wrong is in `problem`. */
  async perform(scope: Scope): Promise<RequestOutcome> {
    try {
      return this.#judged(await this.#send(scope));
    } catch (error) {
      return this.failed(error);
    }
  }

  /** The outcome of a request that went wrong. */
  failed(error: unknown): RequestOutcome {
    const problem = problemOf(error, this.#needs.onError);
    return this.#judged({ problem, startedAt: this.#startedAt, endedAt: now(), exchangeIds: problem.exchangeId === undefined ? [] : [problem.exchangeId] });
  }

  #judged(outcome: RequestOutcome): RequestOutcome {
    return this.#entry.members.has('expect') ? { ...outcome, expectations: checkExpectations(this.#entry, this.#expect, outcome) } : outcome;
  }

  async #send(scope: Scope): Promise<RequestOutcome> {
    const { signal, model } = this.#needs;
    refuseStopped(signal);
    const name = await agentNameOf(this.#entry, scope, this.#needs.agent);
    this.#expect = await resolveExpect(this.#entry, scope);
    const agent = model.agents.find(name);
    this.#wanted = resolveInterface(this.#entry);
    const { chosen } = await unlessStopped(agent.connect({ wanted: this.#wanted }), signal);
    this.#agent = agent;
    this.#chosen = chosen;
    refuseStopped(signal);
    const resolved = await resolveRequest(this.#entry, scope, agent.card?.capabilities.streaming === true);
    refuseStopped(signal);
    this.#resolved = resolved;
    if ('raw' in resolved) return this.#inNewContext(agent, context => this.#sendRaw(context, resolved.raw));
    const { operation, params } = resolved;
    if (isSend(operation)) return this.#sendMessage(params as SendMessageParams, operation === 'SendStreamingMessage', agent);
    // A listing is of no context: what it tells goes to the contexts that have those tasks.
    if (operation === 'ListTasks') return this.#inNewContext(agent, context => this.#call(operation, params as OperationParams['ListTasks'], context, value => ({ value })));
    const { id } = params as OperationParams['GetTask'];
    const work = (context: RequestContext): Promise<RequestOutcome> => (operation === 'SubscribeToTask'
      ? this.#follow(context.subscribeTask(id, this.#wanted), context)
      : this.#call(operation, params as OperationParams['GetTask'], context, result => ({ task: result as Task, states: [(result as Task).status.state] })));
    const known = model.contexts.forTask(agent.name, id);
    return known === undefined ? this.#inNewContext(agent, work) : work(this.#enter(known));
  }

  /** A context that is not there any more afterwards where nothing came to be in it. */
  async #inNewContext(agent: RequestAgent, work: (context: RequestContext) => Promise<RequestOutcome>): Promise<RequestOutcome> {
    const { contexts } = this.#needs.model;
    const context = this.#enter(contexts.create(agent.name));
    try {
      return await work(context);
    } finally {
      if (contexts.discard(context.key)) this.#context = undefined;
    }
  }

  #sendMessage(params: SendMessageParams, streaming: boolean, agent: RequestAgent): Promise<RequestOutcome> {
    const { message, configuration, metadata, tenant } = params;
    const { parts, contextId, taskId, referenceTaskIds, ...rest } = message;
    const { contexts } = this.#needs.model;
    const previous = this.#entry.after === undefined ? undefined : this.#needs.earlier(this.#entry.after.value);
    const after = previous === undefined ? {} : continuationAfter(previous, agent, contexts);
    // A task belongs to one context: what is written wins, and then the earlier task has no part in it.
    const continuation = contextId === undefined || contextId === after.contextId ? after : {};
    const context = this.#enter(contextFor(contexts, { agent, written: contextId, previous, continuation }));
    const into = taskId ?? continuation.taskId;
    return this.#follow(context.send({
      parts, streaming, interface: this.#wanted, configuration, metadata, tenant, message: rest,
      target: into === undefined ? 'new-task' : { taskId: into },
      referenceTaskIds: referenceTaskIds ?? continuation.referenceTaskIds,
    }), context);
  }

  async #call<O extends UnaryOperation>(operation: O, params: OperationParams[O], context: RequestContext, told: (result: unknown) => Partial<RequestOutcome>): Promise<RequestOutcome> {
    const { exchangeId, result, findings } = await context.call(operation, params, this.#needs.signal, this.#wanted);
    const answeredAt = now();
    return { ...told(result), findings, startedAt: this.#startedAt, firstEventAt: answeredAt, endedAt: answeredAt, exchangeIds: [exchangeId] };
  }

  /** The answer is read as far as it can be: `value` is its last result as it was on the wire. */
  async #sendRaw(context: RequestContext, body: string): Promise<RequestOutcome> {
    const fold = new StreamFold(id => new FoldedTask(id));
    this.#fold = fold;
    const exchangeIds: string[] = [];
    const heard = new Heard();
    let firstEventAt: number | undefined;
    let value: unknown;
    let problem: Problem | undefined;
    try {
      for await (const batch of context.sendRaw(body, this.#needs.signal, this.#wanted)) {
        if (exchangeIds.at(-1) !== batch.exchangeId) exchangeIds.push(batch.exchangeId);
        firstEventAt ??= now();
        if (batch.results.length > 0) value = batch.results.at(-1);
        heard.take(fold.apply(batch.events), batch.findings);
        this.#needs.onDidChange();
      }
    } catch (error) {
      problem = problemOf(error, this.#needs.onError);
      if (problem.exchangeId !== undefined && !exchangeIds.includes(problem.exchangeId)) exchangeIds.push(problem.exchangeId);
    }
    const { states, findings } = heard;
    return { task: fold.task?.task, message: fold.message, value, problem, states, findings, startedAt: this.#startedAt, firstEventAt, endedAt: now(), exchangeIds };
  }

  #enter(context: RequestContext): RequestContext {
    this.#context = context;
    return context;
  }

  async #follow(run: FollowedRun, context: RequestContext): Promise<RequestOutcome> {
    this.#run = run;
    this.#needs.onDidChange();
    const listening = context.onDidUpdate(() => this.#needs.onDidChange());
    try {
      const { task, ...outcome } = await run.done;
      return task === undefined ? outcome : { ...outcome, task: wholeTask(task) };
    } finally {
      listening.dispose();
    }
  }
}

/** Throws a `Problem` `stopped` where a person has stopped it. */
export function refuseStopped(signal: AbortSignal): void {
  if (signal.aborted) throw stoppedEarly();
}

/** What takes long before anything is sent need not be waited for after a stop. */
export function unlessStopped<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(stoppedEarly());
  signal.addEventListener('abort', stop, { once: true });
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', stop));
}

const stoppedEarly = (): Problem => new Problem('stopped', sentence('The request was stopped before it was sent.'));
