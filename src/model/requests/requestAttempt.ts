import { setTimeout } from 'node:timers/promises';
import { isObject } from '../../protocol/json.ts';
import {
  isOfPushNotifications,
  isSend,
  subjectTask,
  type OperationParams,
  type SendMessageParams,
  type UnaryOperation,
} from '../../protocol/message/operations.ts';
import { Problem } from '../../protocol/problem.ts';
import type { Task } from '../../protocol/message/task.ts';
import { isActive, type TaskState } from '../../protocol/message/taskState.ts';
import type { Finding } from '../../protocol/finding.ts';
import { headersFor, type WantedConnection } from '../agents/wantedConnection.ts';
import { checkExpectations } from '../../request/expect/expectations.ts';
import { mayBeRefused } from '../../request/expect/http.ts';
import type { Observed } from '../../request/expect/observed.ts';
import { needsEnd } from '../../request/expect/untilEnd.ts';
import type { Scope } from '../../request/resolve/fill.ts';
import { extendedCard, operationOf } from '../../request/text/methods.ts';
import { matrixInterfaces } from '../../request/file/matrix.ts';
import type { RequestEntry } from '../../request/file/requestEntry.ts';
import { memberOf, membersOf, rangeOf } from '../../request/text/jsonNode.ts';
import { RequestFault } from '../../request/text/requestFault.ts';
import type { UsedValues } from '../../request/resolve/usedValues.ts';
import { resolveExpect, resolveInterface, resolveTimeout, resolveWaitFor, type ResolvedRequest } from '../../request/resolve/resolve.ts';
import { now } from '../now.ts';
import { TaskReducer } from '../fold/taskReducer.ts';
import { sendRaw } from './rawSending.ts';
import { withKeptAnswer } from './requestAnswer.ts';
import { contextFor, continuationAfter, type EarlierRun } from './requestContinuation.ts';
import { followed, stateNameIn } from './requestFollowing.ts';
import { RequestLimit, unheard } from './requestLimit.ts';
import { problemOf, type RequestOutcome } from './requestOutcome.ts';
import type { FollowedRun, RequestAgent, RequestContext, RequestModel, SpokenInterface } from './requestPorts.ts';
import { agentFor, releasedRequest } from './requestRelease.ts';
import { refuseStopped, unlessStopped } from './requestStop.ts';
import { lateIn, notReached, withRefusal } from './unmetWaits.ts';
import type { SecretOrigins } from '../agents/secretOrigins.ts';
import { StreamReducer } from '../fold/streamReducer.ts';

/** What a sending needs of the request it belongs to. */
export interface RequestSendingNeeds {
  readonly model: RequestModel;
  /** The agent for a request that names none. */
  readonly agent?: string;
  /** A test sends it. */
  readonly testRun?: boolean;
  /** For a request that sets no limit, in milliseconds. */
  readonly timeoutMs?: number;
  /** Messages return at once (`returnImmediately`), unless the request says otherwise. */
  readonly noWait?: boolean;
  readonly secretOrigins: SecretOrigins;
  /** Its end stops the sending: what is under way at the agent by `stop`. */
  readonly signal: AbortSignal;
  /** The last run of another request of the file. */
  readonly earlier: (name: string) => EarlierRun | undefined;
  /** Ids of the tasks that requests of the file have asked their agents to cancel. */
  readonly canceled: Set<string>;
  /** Something that is shown changed. */
  readonly onDidChange: () => void;
  /** Defects of ours, which a person cannot do anything about. */
  readonly onError: (error: unknown) => void;
}

/** How long a task that was not over in time may take to be canceled, in milliseconds. */
const stopMs = 1_000;

/** A request sent once: one row of its data, or all there is to it. */
export class RequestAttempt {
  readonly #entry: RequestEntry;
  readonly #needs: RequestSendingNeeds;
  readonly #startedAt = now();
  #agent: RequestAgent | undefined;
  /** The interface that the request or its file asks for. */
  #wanted: WantedConnection | undefined;
  #chosen: SpokenInterface | undefined;
  #context: RequestContext | undefined;
  #resolved: ResolvedRequest | undefined;
  #expect: unknown;
  #run: FollowedRun | undefined;
  #fold: StreamReducer | undefined;
  #limit = new RequestLimit(undefined);
  #left = false;
  /** The states that it waits for instead of the end of the task. */
  #waitFor: readonly TaskState[] | undefined;

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

  /** The agent still works on the task, and nobody waits for it. */
  get left(): boolean {
    return this.#left;
  }

  /** Waits for the task that was left, until it is over or waits for something. Never rejects. */
  async rest(): Promise<RequestOutcome> {
    this.#left = false;
    this.#waitFor = undefined;
    const { task, context } = { task: this.task, context: this.#context };
    if (task === undefined || context === undefined) throw new Error('nothing was left');
    try {
      this.#limit = new RequestLimit(this.#timeoutMs());
      return this.#judged(await this.#follow(context.subscribeTask(task.id, this.#wanted), context));
    } catch (error) {
      return this.failed(error);
    }
  }

  /** It is over and nothing is left of it: lets go of what only a sending under way needs, as long as its result is kept. */
  letGo(): void {
    this.#run = undefined;
    this.#fold = undefined;
  }

  /** Cancels the task at the agent where one runs. Resolves to why it goes on all the same, if it does. Never rejects. */
  async stop(): Promise<Problem | undefined> {
    const run = this.#run;
    await run?.stop().catch(this.#needs.onError);
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

  /** The outcome of a request that went wrong. */
  failed(error: unknown): RequestOutcome {
    const problem = problemOf(error, this.#needs.onError);
    return this.#judged({
      problem,
      startedAt: this.#startedAt,
      endedAt: now(),
      exchangeIds: problem.exchangeId === undefined ? [] : [problem.exchangeId],
    });
  }

  #judged(came: RequestOutcome): RequestOutcome {
    const told = this.#reached(came) || came.problem !== undefined ? came : { ...came, problem: notReached(this.#waitFor ?? [], came) };
    const outcome = told.task !== undefined && this.#needs.canceled.has(told.task.id) ? { ...told, cancelAsked: true } : told;
    const untils = memberOf(this.#entry.members.get('until')?.value, 'expect')?.value;
    const awaited = untils === undefined ? undefined : Object.fromEntries(membersOf(untils).map(({ name }) => [name, true]));
    const responses = wantsResponses(this.#expect) || wantsResponses(awaited) ? this.#responses(outcome.exchangeIds) : undefined;
    const observed = responses === undefined ? outcome : { ...outcome, responses };
    if (!this.#entry.members.has('expect')) return observed;
    return { ...observed, expectations: checkExpectations(this.#entry, this.#expect, observed) };
  }

  #responses(exchangeIds: readonly string[]): Observed['responses'] {
    return exchangeIds.flatMap(id => {
      const response = this.#needs.model.contexts.exchange(id)?.exchange.response;
      return response === undefined ? [] : [{ status: response.status, headers: response.headers }];
    });
  }

  async #send(scope: Scope, rows: UsedValues | undefined): Promise<RequestOutcome> {
    const { signal, model, secretOrigins, noWait } = this.#needs;
    refuseStopped(signal);
    const found = await agentFor(this.#entry, scope, this.#needs.agent, { model, secretOrigins, rows });
    const { agent } = found;
    this.#expect = await resolveExpect(this.#entry, scope);
    this.#waitFor = resolveWaitFor(this.#entry);
    const { auth } = this.#entry;
    this.#wanted = auth === undefined ? resolveInterface(this.#entry) : { ...resolveInterface(this.#entry), identity: auth.value };
    this.#limit = new RequestLimit(this.#timeoutMs());
    await unlessStopped(agent.prepare?.() ?? Promise.resolve(), signal);
    const { chosen } = await this.#limit.within(
      unlessStopped(atInterface(this.#entry, agent.connect({ wanted: this.#wanted })), signal),
      unheard,
    );
    this.#agent = agent;
    this.#chosen = chosen;
    refuseStopped(signal);
    const {
      request: resolved,
      headers,
      extensions,
    } = await unlessStopped(
      releasedRequest(this.#entry, scope, found, { noWait, urls: [chosen.interface.url], secretOrigins, rows }),
      signal,
    );
    refuseStopped(signal);
    this.#resolved = resolved;
    if (extensions !== undefined) this.#wanted = { ...this.#wanted, extensions };
    if (headers !== undefined) this.#wanted = { ...this.#wanted, headers: headersFor(chosen.interface.url, headers) };
    if ('raw' in resolved) return this.#inNewContext(agent, context => this.#sendRaw(context, resolved.raw));
    const { operation, params } = resolved;
    if (operation === extendedCard)
      return this.#inNewContext(agent, context =>
        this.#answered(
          stop => context.extendedCard(params, stop, this.#wanted),
          value => ({ value }),
        ),
      );
    if (isSend(operation)) return this.#sendMessage(params as SendMessageParams, operation === 'SendStreamingMessage', agent);
    // A listing is of no context: what it tells goes to the contexts that have those tasks.
    if (operation === 'ListTasks')
      return this.#inNewContext(agent, context =>
        this.#call(operation, params as OperationParams['ListTasks'], context, value => ({ value })),
      );
    const id = subjectTask(params) ?? '';
    if (operation === 'CancelTask') this.#needs.canceled.add(id);
    const work = (context: RequestContext): Promise<RequestOutcome> =>
      operation === 'SubscribeToTask'
        ? this.#subscribed(id, context)
        : isOfPushNotifications(operation)
          ? this.#call(operation, params as never, context, value => ({ value }))
          : this.#call(operation, params as OperationParams['GetTask'], context, result => ({
              task: result as Task,
              states: [(result as Task).status.state],
            }));
    const known = model.contexts.forTask(agent.name, id);
    return known === undefined ? this.#inNewContext(agent, work) : work(this.#enter(known));
  }

  /** A context that is not there any more afterwards where nothing came to be in it. */
  async #inNewContext(agent: RequestAgent, work: (context: RequestContext) => Promise<RequestOutcome>): Promise<RequestOutcome> {
    const { contexts } = this.#needs.model;
    const context = this.#enter(await contexts.patiently(() => contexts.create(agent.name, { testRun: this.#needs.testRun })));
    try {
      return await work(context);
    } finally {
      if (contexts.discard(context.key)) this.#context = undefined;
    }
  }

  async #sendMessage(params: SendMessageParams, streaming: boolean, agent: RequestAgent): Promise<RequestOutcome> {
    const { message, metadata, tenant } = params;
    const atOnce = this.#needs.noWait === true || (this.#waitFor !== undefined && !streaming);
    const configuration = atOnce ? { returnImmediately: true, ...params.configuration } : params.configuration;
    const leaves = configuration?.returnImmediately === true;
    const { parts, contextId, taskId, referenceTaskIds, ...rest } = message;
    const { contexts } = this.#needs.model;
    const previous = this.#entry.after === undefined ? undefined : this.#needs.earlier(this.#entry.after.value);
    const after = previous === undefined ? {} : continuationAfter(previous, agent, contexts);
    // A task belongs to one context: what is written wins, and then the earlier task has no part in it.
    const continuation = contextId === undefined || contextId === after.contextId ? after : {};
    const context = this.#enter(
      await contexts.patiently(() =>
        contextFor(contexts, { agent, written: contextId, previous, continuation, testRun: this.#needs.testRun }),
      ),
    );
    const into = taskId ?? continuation.taskId;
    return this.#followSent(
      await contexts.patiently(() =>
        context.send({
          parts,
          streaming,
          ...(leaves && { leaves }),
          interface: this.#wanted,
          configuration,
          metadata,
          tenant,
          message: rest,
          target: into === undefined ? 'new-task' : { taskId: into },
          referenceTaskIds: referenceTaskIds ?? continuation.referenceTaskIds,
        }),
      ),
      { context, leaves, streaming },
    );
  }

  async #call<O extends UnaryOperation>(
    operation: O,
    params: OperationParams[O],
    context: RequestContext,
    told: (result: unknown) => Partial<RequestOutcome>,
  ): Promise<RequestOutcome> {
    return this.#answered(signal => context.call(operation, params, signal, this.#wanted), told);
  }

  /** Asks what has one answer. */
  async #answered(
    ask: (
      signal: AbortSignal,
    ) => Promise<{ readonly result: unknown; readonly exchangeId: string; readonly findings?: readonly Finding[] }>,
    told: (result: unknown) => Partial<RequestOutcome>,
  ): Promise<RequestOutcome> {
    const { exchangeId, result, findings } = await this.#limit.within(
      ask(AbortSignal.any([this.#needs.signal, this.#limit.signal])),
      unheard,
    );
    const answeredAt = now();
    return {
      ...told(result),
      findings,
      startedAt: this.#startedAt,
      firstEventAt: answeredAt,
      endedAt: answeredAt,
      exchangeIds: [exchangeId],
    };
  }

  /** A task that it began is followed where something is expected of it. */
  async #sendRaw(context: RequestContext, body: string): Promise<RequestOutcome> {
    const outcome = await sendRaw(body, {
      context,
      wanted: this.#wanted,
      limit: this.#limit,
      signal: AbortSignal.any([this.#needs.signal, this.#limit.signal]),
      fold: (this.#fold = new StreamReducer(id => new TaskReducer(id))),
      startedAt: this.#startedAt,
      onDidChange: this.#needs.onDidChange,
      onError: this.#needs.onError,
    });
    return this.#beginsTask() ? this.#untilEnough(outcome, context) : outcome;
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

  /** The answer to a message; of one that returns at once, no more than is expected of it. */
  async #followSent(
    run: FollowedRun,
    { context, leaves, streaming }: { readonly context: RequestContext; readonly leaves: boolean; readonly streaming: boolean },
  ): Promise<RequestOutcome> {
    const partly = leaves || this.#waitFor !== undefined;
    const told = await this.#follow(run, context, partly ? one => this.#isEnough(one) : undefined);
    const outcome =
      this.#wantsText() && streaming
        ? await withKeptAnswer(told, context, { signal: AbortSignal.any([this.#needs.signal, this.#limit.signal]), wanted: this.#wanted })
        : told;
    return partly ? this.#untilEnough(outcome, context) : outcome;
  }

  /** Follows a task that is left at work as far as something is expected of it. */
  async #untilEnough(outcome: RequestOutcome, context: RequestContext): Promise<RequestOutcome> {
    const { task, value } = outcome;
    if (outcome.problem !== undefined || task === undefined || !isActive(task.status.state)) return outcome;
    if (this.#isEnough(outcome)) {
      this.#left = true;
      return { ...outcome, left: true };
    }
    const { startedAt, firstEventAt, exchangeIds } = outcome;
    const later = await this.#follow(context.subscribeTask(task.id, this.#wanted), context, one => this.#isEnough(one));
    this.#left = later.problem === undefined && later.task !== undefined && isActive(later.task.status.state);
    return {
      ...later,
      startedAt,
      firstEventAt,
      ...(value !== undefined && { value }),
      ...(this.#left && { left: true }),
      states: [...(outcome.states ?? []), ...(later.states ?? []).slice(later.states?.[0] === outcome.states?.at(-1) ? 1 : 0)],
      findings: [...(outcome.findings ?? []), ...(later.findings ?? [])],
      events: [...(outcome.events ?? []), ...(later.events ?? [])],
      exchangeIds: [...new Set([...exchangeIds, ...later.exchangeIds])],
    };
  }

  /** Who expects to be refused wants the agent's answer to SubscribeToTask, and not that to GetTask, which a subscription begins with otherwise. */
  async #subscribed(id: string, context: RequestContext): Promise<RequestOutcome> {
    const expected = isObject(this.#expect) ? this.#expect : {};
    if (expected['error'] !== undefined || mayBeRefused(expected['status']))
      await this.#limit.within(
        context.trySubscription(id, AbortSignal.any([this.#needs.signal, this.#limit.signal]), this.#wanted),
        unheard,
      );
    return this.#followSubscribed(context.subscribeTask(id, this.#wanted), context);
  }

  /** A subscription that waits for a state ends with it; the task is left at work. */
  async #followSubscribed(run: FollowedRun, context: RequestContext): Promise<RequestOutcome> {
    if (this.#waitFor === undefined) return this.#follow(run, context);
    const outcome = await this.#follow(run, context, one => this.#isEnough(one));
    this.#left = outcome.problem === undefined && outcome.task !== undefined && isActive(outcome.task.status.state);
    return this.#left ? { ...outcome, left: true } : outcome;
  }

  /** The task has been in a state that is waited for, or none is. */
  #reached({ task, states = [] }: RequestOutcome): boolean {
    if (this.#waitFor === undefined) return true;
    const told = task === undefined ? states : [...states, task.status.state];
    return told.some(state => this.#waitFor?.includes(state) === true);
  }

  /** What the agent has said in text is held against something. */
  #wantsText(): boolean {
    return isObject(this.#expect) && 'text' in this.#expect;
  }

  /** The agent has said what the request is about, and as much of it as is expected. */
  #isEnough(outcome: RequestOutcome): boolean {
    const { task } = outcome;
    if (this.#waitFor !== undefined) return task !== undefined && this.#reached(outcome);
    if (task === undefined || (isActive(task.status.state) && needsEnd(this.#expect))) return false;
    return checkExpectations(this.#entry, this.#expect ?? {}, outcome).every(({ ok }) => ok);
  }

  async #follow(run: FollowedRun, context: RequestContext, isEnough?: (outcome: RequestOutcome) => boolean): Promise<RequestOutcome> {
    this.#run = run;
    const outcome = await followed(run, { context, limit: this.#limit, onDidChange: this.#needs.onDidChange }, isEnough);
    // Nobody waits for what was begun here any more. A subscription has begun nothing.
    const isLate = outcome.problem !== undefined && outcome.problem === this.#limit.problem;
    if (!isLate && outcome.problem?.code !== 'unknown-state') return outcome;
    const problem = isLate ? lateIn(outcome.problem, stateNameIn(outcome)) : outcome.problem;
    if (this.#entry.operation === 'SubscribeToTask') return { ...outcome, problem };
    await this.#cancelLate(run);
    return { ...outcome, problem: run.refusal === undefined ? problem : withRefusal(problem, run.refusal) };
  }

  /** The rest of the file does not wait long for it. */
  async #cancelLate(run: FollowedRun): Promise<void> {
    const stopped = run.stop().catch(this.#needs.onError);
    if (run.result.task === undefined) return;
    const enough = new AbortController();
    await Promise.race([stopped, setTimeout(stopMs, undefined, { signal: enough.signal }).catch(() => {})]);
    enough.abort();
  }

  #timeoutMs(): number | undefined {
    return resolveTimeout(this.#entry) ?? this.#needs.timeoutMs;
  }
}

const wantsResponses = (expect: unknown): boolean => isObject(expect) && ('status' in expect || 'headers' in expect);

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
