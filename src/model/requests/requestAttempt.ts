import { isSend, subjectTask, type SendMessageParams } from '../../protocol/message/operations.ts';
import { Problem, type LocalizedMessage } from '../../protocol/problem.ts';
import type { Task } from '../../protocol/message/task.ts';
import type { ContextMaker } from '../../protocol/message/transcript.ts';
import type { TaskState } from '../../protocol/message/taskState.ts';
import { headersFor, type WantedConnection } from '../agents/wantedConnection.ts';
import type { Scope } from '../../request/resolve/fill.ts';
import { extendedCard, operationOf, type RequestOperation } from '../../request/text/methods.ts';
import { rowNamed } from '../../request/file/imports.ts';
import { matrixInterfaces } from '../../request/file/matrix.ts';
import type { RequestEntry } from '../../request/file/requestEntry.ts';
import { rangeOf } from '../../request/text/jsonNode.ts';
import { located, RequestFault } from '../../request/text/requestFault.ts';
import type { UsedValues } from '../../request/resolve/usedValues.ts';
import { resolveExpect, resolveInterface, resolveWaitFor, type ResolvedRequest } from '../../request/resolve/resolve.ts';
import { now } from '../now.ts';
import { TaskReducer } from '../fold/taskReducer.ts';
import { sendRaw } from './rawSending.ts';
import { AnswerWait } from './answerWait.ts';
import { judgedOutcome, type Awaited } from './judgedOutcome.ts';
import { contextFor, continuationAfter, continuedPart } from './requestContinuation.ts';
import { noSignsOfLife } from './requestLimit.ts';
import { problemOf, type RequestOutcome } from './requestOutcome.ts';
import type { RequestAgent, RequestContext, SpokenInterface } from './requestPorts.ts';
import { agentFor, releasedRequest } from './requestRelease.ts';
import { refuseStopped, unlessStopped } from './requestStop.ts';
import type { SendContext } from './sendContext.ts';
import { withSnapshot } from './snapshotResult.ts';
import { StreamReducer } from '../fold/streamReducer.ts';
import type { Answer } from '../../client/transport/transport.ts';

/** A request sent once: one row of its data, or all there is to it. */
export class RequestAttempt {
  readonly #entry: RequestEntry;
  readonly #sending: SendContext;
  readonly #startedAt = now();
  #agent: RequestAgent | undefined;
  /** The interface that the request or its file asks for. */
  #wanted: WantedConnection | undefined;
  #chosen: SpokenInterface | undefined;
  #context: RequestContext | undefined;
  #resolved: ResolvedRequest | undefined;
  #awaited: Awaited;
  /** Known once it is clear what is expected. */
  #wait: AnswerWait | undefined;
  #fold: StreamReducer | undefined;

  constructor(entry: RequestEntry, sending: SendContext) {
    this.#entry = entry;
    this.#sending = sending;
    this.#awaited = { entry, expect: undefined, waitFor: undefined };
  }

  /** Known once the agent is found. */
  get agent(): RequestAgent | undefined {
    return this.#agent;
  }

  /** The interface in use; known once the agent's card is. */
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
    const taskId = this.#wait?.run?.taskId;
    return taskId === undefined ? this.#fold?.task?.task : this.#context?.task(taskId);
  }

  get #madeBy(): ContextMaker {
    return this.#sending.testRun === true ? 'test' : 'file';
  }

  get state(): TaskState | undefined {
    return this.#wait?.run?.state ?? this.#fold?.task?.state;
  }

  /** Why the task is only polled, though its answer began with a stream; undefined where it is not. */
  get polling(): LocalizedMessage | undefined {
    const connection = this.#wait?.run?.connection;
    return connection?.kind === 'open' || connection?.kind === 'quiet' ? connection.reason : undefined;
  }

  /** The agent still works on the task, which is not followed. */
  get left(): boolean {
    return this.#wait?.left === true;
  }

  /** Waits for the task that was left, until it is over or waits for something. Never rejects. */
  async rest(): Promise<RequestOutcome> {
    const { task, context } = { task: this.task, context: this.#context };
    if (task === undefined || context === undefined) throw new Error('nothing was left');
    this.#awaited = { ...this.#awaited, waitFor: undefined };
    try {
      this.#wait = this.#newWait();
      return this.#judged(await this.#wait.follow(context.subscribeTask(task.id, this.#wanted), context));
    } catch (error) {
      return this.failed(error);
    }
  }

  /** It is over and nothing is left of it: lets go of what only a sending under way needs, as long as its result is kept. */
  dropState(): void {
    this.#wait = undefined;
    this.#fold = undefined;
  }

  /** Cancels the task at the agent where one runs. Resolves to why it goes on all the same, if it does. Never rejects. */
  async stop(): Promise<Problem | undefined> {
    const run = this.#wait?.run;
    await run?.stop().catch(this.#sending.onError);
    return run?.refusal;
  }

  /** Sends it, and holds what comes against what is expected. Never rejects: what went wrong is in `problem`. `rows`: what rows of data were made of. */
  async perform(scope: Scope, rows?: UsedValues): Promise<RequestOutcome> {
    try {
      return this.#judged(await this.#send(scope, rows));
    } catch (error) {
      return this.failed(error);
    }
  }

  /** The last outcome of a request with its answer held against its snapshot. @param name of the snapshot */
  withSnapshot(outcome: RequestOutcome, name: string): RequestOutcome {
    return withSnapshot(outcome, this.#awaited, { snapshots: this.#sending.snapshots, name });
  }

  /** The outcome of a request that went wrong. */
  failed(error: unknown): RequestOutcome {
    const problem = problemOf(error, this.#sending.onError);
    return this.#judged({
      problem,
      findings: problem.findings,
      startedAt: this.#startedAt,
      endedAt: now(),
      exchangeIds: problem.exchangeId === undefined ? [] : [problem.exchangeId],
    });
  }

  #judged(came: RequestOutcome): RequestOutcome {
    return judgedOutcome(came, this.#awaited, this.#sending);
  }

  async #send(scope: Scope, rows: UsedValues | undefined): Promise<RequestOutcome> {
    const { signal, model } = this.#sending;
    refuseStopped(signal);
    const found = await agentFor(this.#entry, scope, this.#sending, rows);
    const { agent } = found;
    this.#awaited = { entry: this.#entry, expect: await resolveExpect(this.#entry, scope), waitFor: resolveWaitFor(this.#entry) };
    const { auth } = this.#entry;
    this.#wanted = auth === undefined ? resolveInterface(this.#entry) : { ...resolveInterface(this.#entry), identity: auth.value };
    const wait = (this.#wait = this.#newWait(agent));
    await unlessStopped(agent.prepare?.() ?? Promise.resolve(), signal);
    const { chosen } = await wait.limit.within(
      unlessStopped(atInterface(this.#entry, agent.connect({ wanted: this.#wanted })), signal),
      noSignsOfLife,
    );
    this.#agent = agent;
    this.#chosen = chosen;
    refuseStopped(signal);
    const {
      request: resolved,
      headers,
      extensions,
    } = await unlessStopped(
      releasedRequest(this.#entry, scope, found, { urls: [chosen.interface.url], sending: this.#sending, rows }),
      signal,
    );
    refuseStopped(signal);
    this.#resolved = resolved;
    if (extensions !== undefined) this.#wanted = { ...this.#wanted, extensions };
    if (headers !== undefined) this.#wanted = { ...this.#wanted, headers: headersFor(chosen.interface.url, headers) };
    if ('raw' in resolved) return this.#inNewContext(agent, context => this.#sendRaw(context, resolved.raw, wait));
    const { operation, params } = resolved;
    if (isSend(operation))
      return this.#sendMessage(params as SendMessageParams, { streaming: operation === 'SendStreamingMessage', agent, wait });
    // An extended card and a listing belong to no context: listed tasks go to the contexts that have them.
    const id = operation === extendedCard || operation === 'ListTasks' ? undefined : (subjectTask(params) ?? '');
    if (operation === 'CancelTask') this.#sending.canceled.add(id ?? '');
    const work = (context: RequestContext): Promise<RequestOutcome> =>
      operation === 'SubscribeToTask'
        ? wait.forSubscription(id ?? '', context, this.#wanted)
        : this.#answered(operation, wait, stop =>
            operation === extendedCard
              ? context.extendedCard(params, stop, this.#wanted)
              : context.call(operation, params as never, stop, this.#wanted),
          );
    const known = id === undefined ? undefined : model.contexts.forTask(agent.name, id);
    return known === undefined ? this.#inNewContext(agent, work) : work(this.#enter(known));
  }

  /** A context that is not there any more afterwards where nothing came to be in it. */
  async #inNewContext(agent: RequestAgent, work: (context: RequestContext) => Promise<RequestOutcome>): Promise<RequestOutcome> {
    const { contexts } = this.#sending.model;
    const context = this.#enter(await contexts.patiently(() => contexts.create(agent.name, { madeBy: this.#madeBy })));
    try {
      return await work(context);
    } finally {
      if (contexts.discard(context.key)) this.#context = undefined;
    }
  }

  async #sendMessage(
    params: SendMessageParams,
    { streaming, agent, wait }: { readonly streaming: boolean; readonly agent: RequestAgent; readonly wait: AnswerWait },
  ): Promise<RequestOutcome> {
    const { message, metadata, tenant } = params;
    const { waitFor } = this.#awaited;
    const plainly = waitFor?.length === 0 && !streaming;
    const atOnce = !plainly && (this.#sending.noWait === true || (waitFor !== undefined && !streaming));
    const configuration = atOnce ? { returnImmediately: true, ...params.configuration } : params.configuration;
    const leaves = plainly || configuration?.returnImmediately === true;
    const { parts, contextId, taskId, referenceTaskIds, ...rest } = message;
    const { contexts } = this.#sending.model;
    const { after: earlier } = this.#entry;
    const { file } = this.#sending;
    const previous =
      earlier && (await located(earlier.range, () => continuedPart(this.#sending.earlier(earlier.value), rowNamed(file, earlier.value))));
    const after = previous === undefined ? {} : continuationAfter(previous, agent, contexts);
    // A task belongs to one context: what is written wins, and then the earlier task has no part in it.
    const continuation = contextId === undefined || contextId === after.contextId ? after : {};
    const context = this.#enter(
      await contexts.patiently(() => contextFor(contexts, { agent, written: contextId, previous, continuation, madeBy: this.#madeBy })),
    );
    const into = taskId ?? continuation.taskId;
    return wait.forMessage(
      await contexts.patiently(() =>
        context.send({
          parts,
          streaming,
          ...(leaves && { leaves }),
          ...(plainly && { plainly }),
          interface: this.#wanted,
          configuration,
          metadata,
          tenant,
          message: rest,
          target: into === undefined ? 'new-task' : { taskId: into },
          referenceTaskIds: referenceTaskIds ?? continuation.referenceTaskIds,
          ...(this.#sending.assistant && { assistant: this.#sending.assistant }),
        }),
      ),
      context,
      { leaves, streaming, wanted: this.#wanted },
    );
  }

  /** Runs an operation that has one answer: a task, or another value. */
  async #answered(
    operation: RequestOperation,
    wait: AnswerWait,
    call: (signal: AbortSignal) => Promise<Answer<unknown>>,
  ): Promise<RequestOutcome> {
    const { exchangeId, result, findings } = await wait.limit.within(call(wait.signal), noSignsOfLife);
    const answeredAt = now();
    const task = operation === 'GetTask' || operation === 'CancelTask' ? (result as Task) : undefined;
    return {
      ...(task === undefined ? { value: result } : { task, states: [task.status.state] }),
      findings,
      startedAt: this.#startedAt,
      firstEventAt: answeredAt,
      endedAt: answeredAt,
      exchangeIds: [exchangeId],
    };
  }

  /** A task that it began is followed where something is expected of it. */
  async #sendRaw(context: RequestContext, body: string, wait: AnswerWait): Promise<RequestOutcome> {
    const outcome = await sendRaw(body, {
      sending: this.#sending,
      context,
      wanted: this.#wanted,
      wait,
      fold: (this.#fold = new StreamReducer(id => new TaskReducer(id))),
      startedAt: this.#startedAt,
    });
    return this.#beginsTask() ? wait.untilEnough(outcome, context, this.#wanted) : outcome;
  }

  /** The raw body is a message, of which a task may come. */
  #beginsTask(): boolean {
    const { method } = this.#entry;
    if (method === undefined) return true;
    const operation = operationOf(method.value);
    return operation !== undefined && isSend(operation);
  }

  #enter(context: RequestContext): RequestContext {
    this.#context = context;
    return context;
  }

  #newWait(agent?: RequestAgent): AnswerWait {
    return new AnswerWait(this.#sending, this.#awaited, () => agent?.isDebugged === true);
  }
}

/** Where the agent has no such interface, that is a fault of what the request selects: itself, or in its matrix. */
async function atInterface<T>(entry: RequestEntry, connecting: Promise<T>): Promise<T> {
  try {
    return await connecting;
  } catch (error) {
    // One that its file or a defaults file sets stands elsewhere.
    const node = [entry.members.get('interface')?.value, ...matrixInterfaces(entry)].find(each => each === entry.interface);
    throw node !== undefined && error instanceof Problem && error.code === 'no-interface' ? new RequestFault(error, rangeOf(node)) : error;
  }
}
