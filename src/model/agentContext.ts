import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Answer, RawBatch } from '../client/transport.ts';
import type { OperationParams, UnaryOperation, UnaryResults } from '../protocol/operations.ts';
import type { Exchange, ExchangeSummary, Frame } from '../protocol/exchange.ts';
import { Problem, sentence } from '../protocol/problem.ts';
import type { StreamResponse } from '../protocol/streamResponse.ts';
import { contextIdOf, taskIdOf } from '../protocol/streamResponse.ts';
import type { Task } from '../protocol/task.ts';
import { isActive } from '../protocol/taskState.ts';
import type { ContextSummary, Entry, EntryUpdate, TaskSummary } from '../protocol/transcript.ts';
import type { WantedInterface } from '../protocol/wantedInterface.ts';
import { present } from '../protocol/versions/fields.ts';
import type { ArtifactSummary } from '../store/artifactRows.ts';
import type { Verdict } from '../store/contextArtifacts.ts';
import type { Written } from '../store/changeWriter.ts';
import type { DeviantExchange } from '../store/exchangeRows.ts';
import type { TaskStore } from '../store/taskStore.ts';
import type { Agent } from './agent.ts';
import { type ArtifactHistory, artifactHistories } from './artifactVersions.ts';
import { cancelTask, type StopOutcome } from './cancellation.ts';
import { Emitter, type Disposable, type Event } from './emitter.ts';
import { FoldedTask } from './foldedTask.ts';
import { Journal } from './journal.ts';
import { Run, type RunScope } from './run.ts';
import type { RunTiming } from './runTiming.ts';
import type { SendOptions, SendTarget } from './sendOptions.ts';
import { StreamFold } from './streamFold.ts';

export interface Page<T> {
  readonly items: readonly T[];
  /** True where there are more beyond this page. */
  readonly more: boolean;
}

export interface AgentContextOptions {
  readonly key: string;
  readonly store: TaskStore;
  /** This process. */
  readonly owner: string;
  readonly timing: RunTiming;
  /** The agent of that name, while it is in the settings. */
  readonly agentOf: (name: string) => Agent | undefined;
  /** The live context of that agent that has the task. */
  readonly holderOf: (agent: string, taskId: string) => AgentContext | undefined;
  /** The context, as lists show it, changed. */
  readonly onListed: () => void;
  readonly onError: (error: unknown) => void;
}

/** Most entries of one task that are read at once. */
const mostOfTask = 1000;

/** One context with its agent: its transcript, its tasks, and what is under way in it. */
export class AgentContext implements Disposable {
  readonly key: string;
  readonly #options: AgentContextOptions;
  readonly #journal: Journal;
  readonly #updated: Emitter<readonly EntryUpdate[]>;
  readonly #changed: Emitter<void>;
  readonly #found: Emitter<void>;
  readonly #deleted: Emitter<void>;
  /** Nothing is written or told any more. */
  #closed = false;
  readonly #runs = new Set<Run>();
  #revision: number;

  constructor(options: AgentContextOptions) {
    const { key, store, owner, onError } = options;
    this.key = key;
    this.#options = options;
    this.#updated = new Emitter(onError);
    this.#changed = new Emitter(onError);
    this.#found = new Emitter(onError);
    this.#deleted = new Emitter(onError);
    this.#revision = store.revision(key);
    this.#journal = new Journal({ store, key, owner, onError, onWritten: written => this.#tell(written), onFound: () => this.#found.fire() });
  }

  /** In order, in batches; committed before they are told. */
  get onDidUpdate(): Event<readonly EntryUpdate[]> {
    return this.#updated.event;
  }

  /** Anything else that a view shows changed: tasks, title, contextId, running, stopping. */
  get onDidChangeState(): Event<void> {
    return this.#changed.event;
  }

  /** `deviantExchanges` has changed. */
  get onDidFind(): Event<void> {
    return this.#found.event;
  }

  /** The context is no longer in the history: it was deleted, here or in another window. It tells nothing more. */
  get onDidDelete(): Event<void> {
    return this.#deleted.event;
  }

  /** The name of its agent; the agent itself may be gone from the settings. */
  get agentName(): string {
    return this.#summary?.agent ?? '';
  }

  get agent(): Agent | undefined {
    return this.#options.agentOf(this.agentName);
  }

  /** As the agent named it, once it did. */
  get contextId(): string | undefined {
    return this.#summary?.contextId;
  }

  /** Empty until something happened. */
  get title(): string {
    return this.#summary?.title ?? '';
  }

  /** It is the agent's turn: at least one run has not come to its end. */
  get running(): boolean {
    return [...this.#runs].some(run => run.running);
  }

  /** Stop was asked and has not come out. */
  get stopping(): boolean {
    return [...this.#runs].some(run => run.stopping);
  }

  /** The newest task that waits for input or authorisation. */
  get waitingTask(): TaskSummary | undefined {
    return this.#store.waitingTask(this.key);
  }

  /** The newest entries (before `before`), oldest first. At most `limit` (50, never above 200). */
  entries({ before, limit = 50 }: { readonly before?: number; readonly limit?: number } = {}): Page<Entry> {
    const size = Math.min(limit, 200);
    const entries = this.#store.entries({ context: this.key, before, limit: size + 1 });
    return { items: entries.slice(-size), more: entries.length > size };
  }

  /** The oldest 1000 entries of a task, oldest first, artifacts cut at some thousand code units. */
  entriesOfTask(taskId: string): Page<Entry> {
    const entries = this.#store.entriesOfTask(this.key, taskId, { limit: mostOfTask + 1, enough: 4000 });
    return { items: entries.slice(0, mostOfTask), more: entries.length > mostOfTask };
  }

  /** An entry of this context. */
  entry(seq: number): Entry | undefined {
    return this.#store.contextOfEntry(seq) === this.key ? this.#store.entry(seq) : undefined;
  }

  /** An exchange of this context as it was on the wire. */
  exchange(id: string): { readonly exchange: Exchange; readonly frames: readonly Frame[] } | undefined {
    return this.#store.exchangeOf(this.key, id);
  }

  /** What went over the wire for this context, newest first; at most `limit` (50, never above 200) before the exchange `before`. */
  exchanges({ before, limit = 50 }: { readonly before?: string; readonly limit?: number } = {}): Page<ExchangeSummary> {
    const size = Math.min(limit, 200);
    const found = this.#store.exchanges(this.key, { before, limit: size + 1 });
    return { items: found.slice(0, size), more: found.length > size };
  }

  /** Events of an exchange of this context as they came; at most `limit` (100, never above 500) after the number `after`. */
  frames(id: string, { after, limit = 100 }: { readonly after?: number; readonly limit?: number } = {}): Page<Frame> {
    const size = Math.min(limit, 500);
    const found = this.#store.frames(this.key, id, { after, limit: size + 1 });
    return { items: found.slice(0, size), more: found.length > size };
  }

  /** The exchanges of this context in which the agent departed from its protocol: the newest 500, oldest first. */
  deviantExchanges(): readonly DeviantExchange[] {
    return this.#store.deviantExchanges(this.key);
  }

  /** Newest first, at most `limit` (100, never above 200). `before` is the last task id of the page before. */
  tasks({ before, limit = 100 }: { readonly before?: string; readonly limit?: number } = {}): readonly TaskSummary[] {
    return this.#store.tasks({ context: this.key, before, limit });
  }

  /** The whole task as the agent has told it. */
  task(taskId: string): Task | undefined {
    return this.#store.taskDocument(this.key, taskId)?.task;
  }

  /** A task as lists show it; undefined for one that is not in this context. */
  taskSummary(taskId: string): TaskSummary | undefined {
    return this.#store.task(this.key, taskId);
  }

  /** Undefined for a task that is not in this context. */
  taskState(taskId: string): TaskSummary['state'] | undefined {
    return this.#store.task(this.key, taskId)?.state;
  }

  /** The artifacts of a task, without their content: `entry(seq)` has it. */
  artifacts(taskId: string): readonly ArtifactSummary[] {
    return this.#store.artifacts(this.key, taskId);
  }

  /** The artifacts of all tasks as versions of one another: the newest 500 artifacts. */
  artifactHistories(): readonly ArtifactHistory[] {
    return artifactHistories(this.#store.contextArtifacts(this.key));
  }

  /** Accepts or rejects a version of an artifact, by its entry; undefined takes it back. */
  judgeArtifact(seq: number, verdict: Verdict | undefined): void {
    this.#store.judgeArtifact(this.key, seq, verdict);
    this.#changed.fire();
    this.#options.onListed();
  }

  /**
   * Writes the message down and sends it. Throws a `Problem` at once where there is nothing to send (`empty-message`), nowhere to send
   * it (`no-waiting-task`, `unknown-agent`) or no way to write it down; what goes wrong later is in the run and in the transcript.
   */
  send(options: SendOptions): Run {
    const agent = this.#requireAgent();
    if (options.parts.length === 0) throw new Problem('empty-message', sentence('There is nothing to send.'));
    const taskId = this.#targetOf(options.target);
    const { store, owner } = this.#options;
    const contextId = (taskId === undefined ? undefined : store.taskDocument(this.key, taskId)?.task.contextId) ?? this.contextId;
    const message = present({
      messageId: randomUUID(),
      role: 'ROLE_USER' as const,
      parts: [...options.parts],
      contextId,
      taskId,
      referenceTaskIds: options.referenceTaskIds === undefined ? undefined : [...options.referenceTaskIds],
      ...options.message,
    });
    const seq = this.#journal.message(message, taskId);
    // Both streams would bring the same events from here on.
    const older = [...this.#runs].filter(run => run.taskId === taskId && taskId !== undefined);
    const takesOver = older.some(run => run.running);
    for (const run of older) run.supersede();
    if (taskId !== undefined) store.following.claim(this.key, taskId, owner, { at: Date.now(), force: true });
    const { streaming, configuration, metadata, tenant, interface: wanted } = options;
    return this.#begin(scope => Run.send(scope, {
      seq, message, streaming, takesOver, params: present({ configuration, metadata: metadata && { ...metadata }, tenant }),
    }), agent, wanted);
  }

  /** Sends a message that was refused, or whose fate is unknown, once more as a new message. Throws a `Problem` for any other entry. */
  sendAgain(seq: number): Run {
    const entry = this.entry(seq);
    if (entry?.kind !== 'message' || (entry.delivery !== 'refused' && entry.delivery !== 'unknown')) {
      throw new Problem('not-resendable', sentence('Only a message that did not arrive can be sent again.'));
    }
    const { parts, taskId, referenceTaskIds, metadata, extensions } = entry.message;
    return this.send({
      parts, referenceTaskIds, target: taskId === undefined ? 'new-task' : { taskId }, message: present({ metadata, extensions }),
    });
  }

  /** Stops every run of this context. */
  async stop(): Promise<StopOutcome> {
    const outcomes = await Promise.all([...this.#runs].filter(run => run.running).map(run => run.stop()));
    return outcomes.find(outcome => outcome !== 'canceled' && outcome !== 'over') ?? outcomes[0] ?? 'over';
  }

  /** Cancels a task at the agent, also one that no run of ours follows. What went wrong is in the transcript. */
  async cancelTask(taskId: string): Promise<StopOutcome> {
    const run = this.#listenerOf(taskId);
    if (run?.running === true) return run.stop();
    return cancelTask({
      state: () => this.#store.task(this.key, taskId)?.state,
      cancel: async () => void await this.call('CancelTask', { id: taskId }),
      ask: async () => void await this.refreshTask(taskId),
      tell: problem => this.#journal.problem(problem, { taskId }),
      until: isSo => this.#askUntil(taskId, isSo),
    });
  }

  /** Reads the task from the agent and folds it in, with so many messages of its history or as many as the agent likes. Rejects with a `Problem`. */
  async refreshTask(taskId: string, historyLength?: number): Promise<Task> {
    const { result } = await this.call('GetTask', present({ id: taskId, historyLength }));
    return result;
  }

  /**
   * Follows a task until it is over or waits, as after a lost stream. Returns the run that does it already, where there is one.
   * Throws a `Problem` `unknown-agent`.
   */
  subscribeTask(taskId: string, wanted?: WantedInterface): Run {
    const known = this.#listenerOf(taskId);
    if (known !== undefined) return known;
    const agent = this.#requireAgent();
    this.#store.following.claim(this.key, taskId, this.#options.owner, { at: Date.now(), force: true });
    return this.#begin(scope => Run.follow(scope, taskId), agent, wanted);
  }

  /**
   * Any unary operation. Its exchange is kept here, and a task or message it answers is folded in. A listed task is news to the context
   * that has it, and to no other. Rejects with a `Problem`.
   * @param wanted the interface to speak, instead of what the agent's settings or its card say.
   */
  async call<O extends UnaryOperation>(operation: O, params: OperationParams[O], signal?: AbortSignal, wanted?: WantedInterface): Promise<Answer<UnaryResults[O]>> {
    const client = await this.#requireAgent().connect({ wanted });
    try {
      const answer = await client.call(operation, params, { signal, log: this.#journal.log });
      const { result, exchangeId } = answer;
      if ('tasks' in result) this.#foldInListed(result.tasks, exchangeId);
      else this.#foldIn(['task' in result || 'message' in result ? result : { task: result }], exchangeId);
      return answer;
    } finally {
      this.#journal.flush();
    }
  }

  /** A raw JSON-RPC body, sent exactly as written. What can be read of the answer is folded in. Throws a `Problem` while it is read. */
  async* sendRaw(body: string, signal?: AbortSignal, wanted?: WantedInterface): AsyncGenerator<RawBatch> {
    const client = await this.#requireAgent().connect({ wanted });
    try {
      for await (const batch of client.sendRaw(body, { signal, log: this.#journal.log })) {
        this.#foldIn(batch.events, batch.exchangeId, batch.joins);
        yield batch;
      }
    } finally {
      this.#journal.flush();
    }
  }

  /** Tells what other processes have written in the meantime. */
  catchUp(): void {
    const { entries, rev } = this.#store.changedEntries(this.key, this.#revision);
    this.#revision = rev;
    if (entries.length > 0) this.#updated.fire(entries.map(entry => ({ type: 'put', entry })));
    this.#changed.fire();
    this.#found.fire();
  }

  /** True while a run has to do with the task or message. */
  attends(what: { readonly taskId?: string; readonly seq?: number }): boolean {
    return [...this.#runs].some(run => (what.taskId !== undefined && run.taskId === what.taskId) || (what.seq !== undefined && run.seq === what.seq));
  }

  /** A message whose process is gone: nobody knows whether it arrived. */
  settle(seq: number): void {
    this.#journal.delivery(seq, 'unknown');
  }

  /** The context is deleted: listens and writes no longer, cancels nothing. */
  forget(): void {
    this.#closed = true;
    this.#journal.forget();
    for (const run of this.#runs) run.detach();
    this.#deleted.fire();
    this.dispose();
  }

  /** Stops listening; cancels nothing. Nothing is written afterwards. */
  dispose(): void {
    for (const run of this.#runs) run.detach();
    this.#closed = true;
    this.#journal.close();
    this.#updated.dispose();
    this.#changed.dispose();
    this.#found.dispose();
    this.#deleted.dispose();
  }

  get #store(): TaskStore {
    return this.#options.store;
  }

  get #summary(): ContextSummary | undefined {
    return this.#store.context(this.key);
  }

  #requireAgent(): Agent {
    const { agent } = this;
    if (agent !== undefined) return agent;
    throw new Problem('unknown-agent', sentence('There is no agent "{0}" any more.', this.agentName), {
      nextStep: sentence('Add it to the setting a2a.agents again.'),
    });
  }

  #targetOf(target: SendTarget): string | undefined {
    if (target === 'new-task') return undefined;
    if (target !== 'waiting-task') return target.taskId;
    const waiting = this.waitingTask;
    if (waiting === undefined) {
      throw new Problem('no-waiting-task', sentence('No task of this context waits for an answer.'), {
        nextStep: sentence('Send the message as a new task.'),
      });
    }
    return waiting.taskId;
  }

  #begin(start: (scope: RunScope) => Run, agent: Agent, wanted: WantedInterface | undefined): Run {
    const { timing, owner, onError, onListed } = this.#options;
    const run = start({
      agent,
      wanted,
      journal: this.#journal,
      timing,
      load: taskId => this.#load(taskId),
      release: (taskId, again) => this.#store.following.release(this.key, taskId, owner, again),
      onDidChange: () => {
        if (run.over) this.#runs.delete(run);
        if (this.#closed) return;
        this.#changed.fire();
        onListed();
      },
      onError,
    });
    this.#runs.add(run);
    this.#changed.fire();
    return run;
  }

  #load(taskId: string): FoldedTask {
    return new FoldedTask(taskId, this.#store.taskDocument(this.key, taskId));
  }

  #listenerOf(taskId: string): Run | undefined {
    return [...this.#runs].find(run => run.taskId === taskId && !run.over);
  }

  /** Asks for a task that nobody listens to, a few times. Never rejects with a `Problem`: what cannot be asked is not so. */
  async #askUntil(taskId: string, isSo: () => boolean): Promise<void> {
    const { stop } = this.#options.timing;
    try {
      for (const end = Date.now() + stop; !isSo() && Date.now() < end;) {
        await setTimeout(stop / 3, undefined, { ref: false });
        await this.refreshTask(taskId);
      }
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
    }
  }

  /** Takes in what no run has asked for. A task that a run listens to goes through that run's fold. */
  #foldIn(events: readonly StreamResponse[], exchangeId: string, joins = false): void {
    if (this.#closed) return;
    for (const event of events) {
      const taskId = taskIdOf(event);
      const listener = taskId === undefined ? undefined : this.#listenerOf(taskId);
      if (listener !== undefined && 'task' in event) listener.merge(event.task, exchangeId);
      if (listener !== undefined || !this.#isOurs(event)) continue;
      const fold = new StreamFold(id => this.#load(id), taskId || undefined);
      if (joins) fold.task?.joinMidway();
      this.#journal.record(fold.task !== undefined && 'task' in event ? fold.task.merge(event.task) : fold.apply([event], true), { exchangeId });
    }
  }

  #foldInListed(tasks: readonly Task[], exchangeId: string): void {
    for (const task of tasks) {
      const holder = this.#options.holderOf(this.agentName, task.id);
      if (holder !== undefined) holder.#foldIn([{ task }], exchangeId);
    }
  }

  /** What is asked for by a task's id may be of another context: that is not for this history. */
  #isOurs(event: StreamResponse): boolean {
    const contextId = contextIdOf(event);
    const taskId = taskIdOf(event);
    return contextId === undefined || this.contextId === undefined || contextId === this.contextId
      || (taskId !== undefined && this.#store.task(this.key, taskId) !== undefined);
  }

  #tell({ updates, rev }: Written): void {
    // Unless another process has written meanwhile: that is caught up with.
    if (rev === this.#revision + 1) this.#revision = rev;
    if (updates.length === 0) return;
    this.#updated.fire(updates);
    if (updates.some(update => update.type === 'put' || update.complete !== undefined)) {
      this.#changed.fire();
      this.#options.onListed();
    }
  }
}

/** Whether a task in this state should be picked up when nobody follows it. */
export const isAbandoned = (state: TaskSummary['state']): boolean => isActive(state) || state === 'TASK_STATE_AUTH_REQUIRED';
