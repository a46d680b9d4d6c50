import { isSend, type OperationParams, type SendMessageParams } from '../protocol/operations.ts';
import { Problem, sentence } from '../protocol/problem.ts';
import type { Task } from '../protocol/task.ts';
import type { TaskState } from '../protocol/taskState.ts';
import type { WantedInterface } from '../protocol/wantedInterface.ts';
import { continuationOf, type Continuation } from '../request/after.ts';
import { checkExpectations } from '../request/expect/expectations.ts';
import type { Scope } from '../request/fill.ts';
import { systemHost, type FunctionHost } from '../request/functions.ts';
import { askingOnce } from '../request/reach.ts';
import type { RequestEntry } from '../request/requestEntry.ts';
import type { RequestFile } from '../request/requestFile.ts';
import { resolveAgent, resolveExpect, resolveInterface, resolveRequest, type ResolvedRequest } from '../request/resolve.ts';
import { hasRows, rowsOf, type Row } from '../request/rows.ts';
import { merged, noValues, type Values } from '../request/value.ts';
import { Emitter, type Disposable, type Event } from './emitter.ts';
import { FoldedTask } from './foldedTask.ts';
import { Heard } from './heard.ts';
import { together, type RequestOutcome, type RowOutcome } from './requestOutcome.ts';
import type { FollowedRun, RequestAgent, RequestContext, RequestModel, SpokenInterface } from './requestPeer.ts';
import { StreamFold } from './streamFold.ts';

/** What a person is asked before a request is sent. */
export interface Confirmation {
  readonly entry: RequestEntry;
  /** The question of the file; absent where the file only says that one shall be asked. */
  readonly question?: string;
}

/** What a run needs from the file it belongs to. */
export interface RequestRunNeeds {
  readonly file: RequestFile;
  readonly model: RequestModel;
  /** The agent for a request that names none. */
  readonly agent?: string;
  readonly host?: FunctionHost;
  readonly values?: Values;
  readonly confirm?: (question: Confirmation) => Promise<boolean>;
  /** Runs what must come first; rejects with a `Problem` where that failed. */
  readonly first: (signal: AbortSignal) => Promise<void>;
  /** The last run of another request of the file. */
  readonly earlier: (name: string) => RequestRun | undefined;
  /** Defects of ours, which a person cannot do anything about. */
  readonly onError: (error: unknown) => void;
}

/** The agent of a request: its own, its file's, else the one given. Throws a `Problem` `no-agent` where there is none. */
export async function agentNameOf(entry: RequestEntry, scope: Scope, given: string | undefined): Promise<string> {
  const name = await resolveAgent(entry, scope) ?? given;
  if (name !== undefined) return name;
  throw new Problem('no-agent', sentence('This request does not say which agent it is for.'), {
    nextStep: sentence('Give it an agent: a name from the setting a2a.agents, or a URL.'),
  });
}

const now = (): number => performance.timeOrigin + performance.now();

/** One request of a file under way, or over. */
export class RequestRun {
  readonly entry: RequestEntry;
  /** Resolves when it is over. Never rejects: what went wrong is in `problem`. */
  readonly done: Promise<RequestOutcome>;
  readonly #needs: RequestRunNeeds;
  readonly #changed: Emitter<void>;
  readonly #cancel = new AbortController();
  #startedAt = now();
  #outcome: RequestOutcome | undefined;
  #stopping = false;
  #agent: RequestAgent | undefined;
  /** The interface that the request or its file asks for. */
  #wanted: WantedInterface | undefined;
  #chosen: SpokenInterface | undefined;
  #context: RequestContext | undefined;
  #resolved: ResolvedRequest | undefined;
  #expect: unknown;
  #run: FollowedRun | undefined;
  #fold: StreamFold | undefined;

  constructor(entry: RequestEntry, needs: RequestRunNeeds) {
    this.entry = entry;
    this.#needs = needs;
    this.#changed = new Emitter(needs.onError);
    this.done = this.#perform();
  }

  /** Something that is shown changed: it began, its task moved, it is over. */
  get onDidChange(): Event<void> {
    return this.#changed.event;
  }

  get running(): boolean {
    return this.#outcome === undefined;
  }

  get stopping(): boolean {
    return this.#stopping && this.running;
  }

  get startedAt(): number {
    return this.#startedAt;
  }

  /** Undefined while it runs. */
  get outcome(): RequestOutcome | undefined {
    return this.#outcome;
  }

  /** Known once the agent is found. */
  get agent(): RequestAgent | undefined {
    return this.#agent;
  }

  /** What it is sent over; known once the agent's card is. */
  get chosen(): SpokenInterface | undefined {
    return this.#chosen;
  }

  /** Key of the context it belongs to in the history; undefined until it is sent, and for what belongs to none. */
  get contextKey(): string | undefined {
    return this.#context?.key;
  }

  /** What was sent, templates filled in. */
  get resolved(): ResolvedRequest | undefined {
    return this.#resolved;
  }

  /** The task as it is at the moment. */
  get task(): Task | undefined {
    if (this.#outcome !== undefined) return this.#outcome.task;
    const taskId = this.#run?.taskId;
    return taskId === undefined ? this.#fold?.task?.task : this.#context?.task(taskId);
  }

  /** Of the task; cheap, so that it can be asked with every event. */
  get state(): TaskState | undefined {
    if (this.#outcome !== undefined) return this.#outcome.task?.status.state;
    return this.#run?.state ?? this.#fold?.task?.state;
  }

  /** Cancels the task at the agent where one runs, and stops waiting. Also stops what runs first for it. */
  stop(): void {
    if (this.#stopping || !this.running) return;
    this.#stopping = true;
    this.#cancel.abort();
    this.#run?.stop().catch(this.#needs.onError);
    this.#changed.fire();
  }

  async #perform(): Promise<RequestOutcome> {
    const outcome = await this.#attempt();
    this.#outcome = outcome;
    this.#changed.fire();
    return outcome;
  }

  async #attempt(): Promise<RequestOutcome> {
    try {
      await this.#confirm();
      await this.#needs.first(this.#cancel.signal);
      this.#startedAt = now();
      const scope = this.#scope();
      return hasRows(this.entry) ? await this.#sendRows(scope) : await this.#checked(scope);
    } catch (error) {
      return this.#failed(error, this.#startedAt);
    }
  }

  #scope(): Scope {
    const { file, host = systemHost, values } = this.#needs;
    const functions = host.reach === undefined ? host : { ...host, reach: askingOnce(host.reach) };
    return { file, values, functions, result: name => this.#needs.earlier(name)?.outcome };
  }

  /** One after the other; a row that fails keeps no other from being sent. */
  async #sendRows(scope: Scope): Promise<RequestOutcome> {
    this.#refuseStopped();
    const outcomes: RowOutcome[] = [];
    for (const row of await rowsOf(this.entry, scope)) {
      if (this.#stopping) break;
      outcomes.push({ label: row.label, outcome: await this.#sendRow(row, scope) });
    }
    return together(outcomes, this.#startedAt);
  }

  #sendRow({ values }: Row, scope: Scope): Promise<RequestOutcome> {
    this.#expect = undefined;
    this.#resolved = undefined;
    this.#run = undefined;
    this.#fold = undefined;
    this.#context = undefined;
    return this.#checked({ ...scope, values: merged(scope.values ?? noValues, values) });
  }

  async #checked(scope: Scope): Promise<RequestOutcome> {
    const startedAt = now();
    try {
      return this.#judged(await this.#send(scope));
    } catch (error) {
      return this.#failed(error, startedAt);
    }
  }

  #failed(error: unknown, startedAt: number): RequestOutcome {
    const problem = this.#problemOf(error);
    return this.#judged({ problem, startedAt, endedAt: now(), exchangeIds: problem.exchangeId === undefined ? [] : [problem.exchangeId] });
  }

  #judged(outcome: RequestOutcome): RequestOutcome {
    return this.entry.members.has('expect') ? { ...outcome, expectations: checkExpectations(this.entry, this.#expect, outcome) } : outcome;
  }

  async #confirm(): Promise<void> {
    const asked: unknown = this.entry.members.get('confirm')?.value?.value;
    if (asked === undefined || asked === false) return;
    const question = typeof asked === 'string' ? asked : undefined;
    if (await this.#orStopped(this.#needs.confirm?.({ entry: this.entry, question }) ?? Promise.resolve(false))) return;
    throw new Problem('not-confirmed', sentence('The request was not sent, because nobody confirmed it.'), {
      nextStep: sentence('Confirm it, or in a terminal run it with --yes.'),
    });
  }

  async #send(scope: Scope): Promise<RequestOutcome> {
    this.#refuseStopped();
    const { entry } = this;
    const { model } = this.#needs;
    const name = await agentNameOf(entry, scope, this.#needs.agent);
    this.#expect = await resolveExpect(entry, scope);
    const agent = model.agents.find(name);
    this.#wanted = resolveInterface(entry);
    const { chosen } = await this.#orStopped(agent.connect({ wanted: this.#wanted }));
    this.#agent = agent;
    this.#chosen = chosen;
    this.#refuseStopped();
    const resolved = await resolveRequest(entry, scope, agent.card?.capabilities.streaming === true);
    this.#refuseStopped();
    this.#resolved = resolved;
    if ('raw' in resolved) return this.#inNewContext(agent, context => this.#sendRaw(context, resolved.raw));
    const { operation, params } = resolved;
    if (isSend(operation)) return this.#sendMessage(params as SendMessageParams, operation === 'SendStreamingMessage', agent);
    // A listing is of no context: what it tells goes to the contexts that have those tasks.
    if (operation === 'ListTasks') return this.#inNewContext(agent, context => this.#listTasks(params as OperationParams['ListTasks'], context));
    const { id } = params as OperationParams['GetTask'];
    const known = model.contexts.forTask(agent.name, id);
    const work = async (context: RequestContext): Promise<RequestOutcome> => {
      if (operation === 'SubscribeToTask') return this.#follow(context.subscribeTask(id, this.#wanted), context);
      const { exchangeId, result, findings } = await context.call(operation, params as OperationParams['GetTask'], this.#cancel.signal, this.#wanted);
      const answeredAt = now();
      const task = result as Task;
      return { task, states: [task.status.state], findings, startedAt: this.#startedAt, firstEventAt: answeredAt, endedAt: answeredAt, exchangeIds: [exchangeId] };
    };
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
    const previous = this.entry.after === undefined ? undefined : this.#needs.earlier(this.entry.after.value);
    const after = previous === undefined ? {} : this.#continuation(previous, agent);
    // A task belongs to one context: what is written wins, and then the earlier task has no part in it.
    const continuation = contextId === undefined || contextId === after.contextId ? after : {};
    const context = this.#enter(this.#contextFor(agent, contextId, previous, continuation));
    const into = taskId ?? continuation.taskId;
    return this.#follow(context.send({
      parts, streaming, interface: this.#wanted, configuration, metadata, tenant, message: rest,
      target: into === undefined ? 'new-task' : { taskId: into },
      referenceTaskIds: referenceTaskIds ?? continuation.referenceTaskIds,
    }), context);
  }

  /** By the task as it is now: it may have gone on in the chat since the earlier request was over. */
  #continuation(previous: RequestRun, agent: RequestAgent): Continuation {
    if (previous.agent?.name !== agent.name) {
      throw new Problem('other-agent', sentence('"{0}" went to the agent "{1}", so "{2}" cannot continue its conversation.',
        previous.entry.name ?? '', previous.agent?.name ?? '', agent.name), {
        nextStep: sentence('Send both to one agent, or take "after" out and refer to the result instead.'),
      });
    }
    const { task, message } = previous.outcome ?? {};
    const context = previous.contextKey === undefined ? undefined : this.#needs.model.contexts.get(previous.contextKey);
    return continuationOf({ task: task === undefined ? undefined : context?.task(task.id) ?? task, message });
  }

  #contextFor(agent: RequestAgent, written: string | undefined, previous: RequestRun | undefined, continuation: Continuation): RequestContext {
    const { contexts } = this.#needs.model;
    if (written !== undefined) return contexts.forContextId(agent.name, written);
    const same = previous?.contextKey === undefined ? undefined : contexts.get(previous.contextKey);
    if (same !== undefined) return same;
    return continuation.contextId === undefined ? contexts.create(agent.name) : contexts.forContextId(agent.name, continuation.contextId);
  }

  async #listTasks(params: OperationParams['ListTasks'], context: RequestContext): Promise<RequestOutcome> {
    const { exchangeId, result, findings } = await context.call('ListTasks', params, this.#cancel.signal, this.#wanted);
    const answeredAt = now();
    return { value: result, findings, startedAt: this.#startedAt, firstEventAt: answeredAt, endedAt: answeredAt, exchangeIds: [exchangeId] };
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
      for await (const batch of context.sendRaw(body, this.#cancel.signal, this.#wanted)) {
        if (exchangeIds.at(-1) !== batch.exchangeId) exchangeIds.push(batch.exchangeId);
        firstEventAt ??= now();
        if (batch.results.length > 0) value = batch.results.at(-1);
        heard.take(fold.apply(batch.events), batch.findings);
        this.#changed.fire();
      }
    } catch (error) {
      problem = this.#problemOf(error);
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
    this.#changed.fire();
    const listening: Disposable = context.onDidUpdate(() => this.#changed.fire());
    try {
      return await run.done;
    } finally {
      listening.dispose();
    }
  }

  #refuseStopped(): void {
    if (this.#stopping) throw stoppedEarly();
  }

  /** What takes long before anything is sent need not be waited for after a stop. */
  #orStopped<T>(work: Promise<T>): Promise<T> {
    const { promise, reject } = Promise.withResolvers<never>();
    const stop = (): void => reject(stoppedEarly());
    this.#cancel.signal.addEventListener('abort', stop, { once: true });
    return Promise.race([work, promise]).finally(() => this.#cancel.signal.removeEventListener('abort', stop));
  }

  #problemOf(error: unknown): Problem {
    if (error instanceof Problem) return error;
    this.#needs.onError(error);
    return new Problem('defect', sentence('Something went wrong inside A2A Workbench: {0}', error instanceof Error ? error.message : String(error)), {
      nextStep: sentence('The log has the details.'), cause: error,
    });
  }
}

const stoppedEarly = (): Problem => new Problem('stopped', sentence('The request was stopped before it was sent.'));
