import type { Exchange } from '../../protocol/exchange.ts';
import type { StreamResponse } from '../../protocol/message/streamResponse.ts';
import type { Task } from '../../protocol/message/task.ts';
import { isActive } from '../../protocol/message/taskState.ts';
import type { MessageEntry, TaskSummary } from '../../protocol/message/transcript.ts';
import { withoutUndefined } from '../../protocol/versions/shared/fields.ts';
import type { Verdict } from '../../store/lists/contextArtifacts.ts';
import type { Written } from '../../store/rows/changeWriter.ts';
import type { TaskStore } from '../../store/taskStore.ts';
import type { Agent } from '../agents/agent.ts';
import { outcomeOf, type StopOutcome } from '../run/cancellation.ts';
import type { KnownTasks } from './contextCalls.ts';
import type { LiveContextOptions } from './liveContext.ts';
import type { DeliveryCheck } from './deliveryCheck.ts';
import type { Event } from '../emitter.ts';
import { HistoryWriter } from './historyWriter.ts';
import { StoredContext } from './storedContext.ts';
import { unknownAgent } from './unknownAgent.ts';
import { ListedTasks } from './listedTasks.ts';
import { onceMore, uncertain } from './outgoing.ts';
import { isListed } from './remoteTasks.ts';
import type { Run } from '../run/run.ts';
import { needsListener } from '../run/runScope.ts';
import { connectionWithoutRun, type TaskConnection } from '../run/taskConnection.ts';

interface AgentContextOptions extends LiveContextOptions {
  readonly key: string;
  readonly store: TaskStore;
  /** Id of this process. */
  readonly owner: string;
  /** The agent of that name, while it is in the settings. */
  readonly agentOf: (name: string) => Agent | undefined;
  /** The live context of that agent that has the task. */
  readonly holderOf: (agent: string, taskId: string) => AgentContext | undefined;
  /** Moves a task to this context; false if another one has it and keeps it. */
  readonly onAdopt: (taskId: string) => boolean;
  /** The context has changed in a way that lists show. */
  readonly onListed: () => void;
}

/** One context with its agent: its transcript, its tasks, and its runs. */
export class AgentContext extends StoredContext {
  readonly #options: AgentContextOptions;
  protected readonly journal: HistoryWriter;
  protected readonly known: KnownTasks;
  /** Another window was at work at the last check. */
  #wasRunningElsewhere: boolean;
  readonly #listed: ListedTasks;
  #revision: number;
  #stoppingElsewhere: Promise<StopOutcome> | undefined;

  constructor(options: AgentContextOptions) {
    const { key, store, owner, onError } = options;
    super(store, key, options);
    this.#options = options;
    this.#revision = store.revision(key);
    this.#wasRunningElsewhere = this.runningElsewhere;
    this.journal = new HistoryWriter({
      store,
      key,
      owner,
      onError,
      restartedAt: () => this.agent?.standing.restartedAt,
      onWritten: written => this.#report(written),
      onFound: () => this.events.found.fire(),
    });
    this.known = {
      summary: taskId => store.task(key, taskId),
      document: taskId => store.taskDocument(key, taskId),
      isListed: taskId => isListed(store, key, taskId),
    };
    this.#listed = new ListedTasks({
      isListed: taskId => this.taskSummary(taskId)?.remoteOnly === true,
      read: taskId => this.calls.readListed(taskId),
      report: (problem, taskId) => {
        if (!this.closed) this.journal.problem(problem, { taskId, once: true });
      },
      onDidChange: () => {
        if (!this.closed) this.events.changed.fire();
      },
    });
  }

  /** `deviantExchanges` has changed. */
  get onDidFind(): Event<void> {
    return this.events.found.event;
  }

  /** The context is no longer in the history: it was deleted, here or in another window. No more events come. */
  get onDidDelete(): Event<{ readonly here: boolean }> {
    return this.events.deleted.event;
  }

  get agent(): Agent | undefined {
    return this.#options.agentOf(this.agentName);
  }

  /** It is the agent's turn: at least one run of this window has not ended. */
  get running(): boolean {
    return this.runs.running;
  }

  /** It is the agent's turn in one of the last twenty tasks, which another window follows. `onDidChangeState` reports changes. */
  get runningElsewhere(): boolean {
    return this.#elsewhere().length > 0;
  }

  /** A message is being sent or a task listened to, here. */
  get isActive(): boolean {
    return this.runs.isActive;
  }

  /** Stop was asked and has no result yet. */
  get stopping(): boolean {
    return this.runs.stopping || this.#stoppingElsewhere !== undefined;
  }

  /**
   * The connection of the current work, also before the agent has named a task; undefined if there is none. The current work is the newest
   * run here, else the newest unfinished task of the last twenty. `onDidChangeState` reports changes, except those of `lastReceivedAt` alone.
   */
  get connection(): TaskConnection | undefined {
    const { newest } = this.runs;
    if (newest !== undefined) return newest.connection;
    const task = this.tasks({ limit: 20 }).find(({ state }) => isActive(state));
    return task && this.connectionOf(task.taskId);
  }

  /** The same of one task; undefined for one that is over or waits for a message. */
  connectionOf(taskId: string): TaskConnection | undefined {
    const state = this.taskState(taskId);
    if (state === undefined || !needsListener(state)) return undefined;
    return (
      this.runs.listenerOf(taskId)?.connection ??
      connectionWithoutRun(this.store, { context: this.key, taskId }, this.#options.owner, this.#options.maxTaskBytes())
    );
  }

  /** Starts the next attempt to reach the agent at once, or follows a task that has no listener. Throws a `Problem` `unknown-agent`. */
  tryNow(taskId: string): void {
    const run = this.runs.listenerOf(taskId);
    if (run !== undefined) run.tryNow();
    else if (this.connectionOf(taskId)?.kind === 'none') this.subscribeTask(taskId);
  }

  /** The agent can be reached again: runs that wait for their next attempt begin it at once. */
  retry(): void {
    this.runs.retry();
  }

  /** Accepts or rejects a version of an artifact, by its entry; undefined removes the verdict. */
  judgeArtifact(seq: number, verdict: Verdict | undefined): void {
    this.store.artifacts.judge(this.key, seq, verdict);
    this.events.changed.fire();
    this.#options.onListed();
  }

  /** Does work that writes, once, when no other process prevents it. Rejects with the work's error, and with `history-busy` after 60 s. */
  patiently<T>(work: () => T): Promise<T> {
    return this.store.writes.patiently(work);
  }

  /** Sends a message that was refused, or whose delivery is unknown, again as a new message. Throws a `Problem` for any other entry. */
  sendAgain(seq: number, streaming?: false): Run {
    return this.send(withoutUndefined({ ...onceMore(this.entry(seq)), streaming }));
  }

  /**
   * Asks the agent whether it has a message whose delivery is unknown. If so, the message counts as sent, and its task is in the history and
   * followed. Rejects with a `Problem`, also for any other entry.
   */
  async checkDelivery(seq: number): Promise<DeliveryCheck> {
    const entry = uncertain(this.entry(seq));
    const check = await this.findMessage(entry);
    if (check.outcome === 'found' && !this.closed) this.#adopt(entry, check.task, check.exchangeId);
    return check;
  }

  /** The agent is being asked for tasks that are known only from its list. */
  get loading(): boolean {
    return this.#listed.loading;
  }

  /**
   * Reads a task that is known only from the agent's list from the agent, once; any other task is complete already. Rejects with a `Problem`;
   * the next call tries again.
   */
  loadTask(taskId: string): Promise<void> {
    return this.#listed.load(taskId);
  }

  /** Like `loadTask`, for these tasks, or for the newest twenty, the oldest of them first. Never rejects: reasons are in the transcript. */
  loadTasks(taskIds = oldestFirst(this.tasks({ limit: 20 }))): Promise<void> {
    return this.#listed.loadAll(taskIds);
  }

  /** Stops every run of this context. If nothing runs here, cancels what another window follows. */
  stop(): Promise<StopOutcome> {
    if (this.running) return this.runs.stop();
    this.#stoppingElsewhere ??= outcomeOf(this.#elsewhere().map(({ taskId }) => this.cancelTask(taskId))).finally(() => {
      this.#stoppingElsewhere = undefined;
      if (!this.closed) this.events.changed.fire();
    });
    this.events.changed.fire();
    return this.#stoppingElsewhere;
  }

  /** Cancels a task at the agent, also one without a run here. Problems are in the transcript. */
  async cancelTask(taskId: string): Promise<StopOutcome> {
    const run = this.runs.listenerOf(taskId);
    if (run?.running === true) return run.stop();
    return this.calls.cancel(taskId, this.#options.timing.stop);
  }

  /** GetTask with so many messages of its history, or as many as the agent likes; applies the answer. Rejects with a `Problem`. */
  async refreshTask(taskId: string, historyLength?: number): Promise<Task> {
    const { result } = await this.call('GetTask', withoutUndefined({ id: taskId, historyLength }));
    if (!this.closed) this.journal.fillGaps(taskId);
    return result;
  }

  /**
   * Asks whether the agent still knows a task; if it does not, the task is lost. A task that has reached its size limit is not asked for by
   * itself. A task that is known only from the agent's list stays so. Rejects with a `Problem`, also if the task is lost.
   */
  async checkTask(taskId: string, signal: AbortSignal): Promise<void> {
    if (this.isFull(taskId)) return;
    const isListed = this.taskSummary(taskId)?.remoteOnly === true;
    await (isListed ? this.calls.ask('GetTask', { id: taskId }, signal) : this.call('GetTask', { id: taskId }, signal));
  }

  /** A response about the task is open here, or awaited: news of the task comes with it. */
  isListeningTo(taskId: string): boolean {
    return this.runs.listenerOf(taskId)?.isListening === true;
  }

  /** Stores the exchange of a push notification about a task, and applies its events. */
  receive(exchange: Exchange, taskId: string | undefined, events: readonly StreamResponse[]): void {
    this.calls.receive(exchange, taskId, events);
  }

  /** Another window that followed a task may be gone without having written anything. */
  refreshOtherWindows(): void {
    if (!this.#wasRunningElsewhere || this.runningElsewhere) return;
    this.#wasRunningElsewhere = false;
    this.events.changed.fire();
    this.#options.onListed();
  }

  /** Reports what other processes have written since the last call. */
  catchUp(): void {
    const { entries, rev } = this.store.transcript.changedEntries(this.key, this.#revision);
    this.#revision = rev;
    if (entries.length > 0) this.events.updated.fire(entries.map(entry => ({ type: 'put', entry })));
    this.#wasRunningElsewhere = this.runningElsewhere;
    this.events.changed.fire();
    this.events.found.fire();
  }

  /** Continues in another history: `agent` and `contextId` are those of this context in the old one. */
  rewrite(agent: string, contextId: string | undefined): void {
    this.journal.inTurn(() => {
      if (this.store.context(this.key) === undefined)
        this.store.putContext(withoutUndefined({ key: this.key, agent, contextId, at: Date.now() }));
    });
    this.journal.rewrite();
    this.runs.rewrite();
    this.journal.flush();
    this.#revision = 0;
  }

  /** The machine has slept: checks every connection. */
  wake(): void {
    this.runs.wake();
  }

  /** True while a run works on the task or message. */
  isActiveFor(what: { readonly taskId?: string; readonly seq?: number }): boolean {
    return (
      (what.taskId !== undefined && this.runs.of(what.taskId).length > 0) ||
      (what.seq !== undefined && this.runs.senderOf(what.seq) !== undefined)
    );
  }

  /** A message whose process is gone: its delivery is unknown. */
  settle(seq: number): void {
    this.journal.delivery(seq, 'unknown');
  }

  /** The context is deleted: stops listening and writing; cancels nothing. */
  forget(here = true): void {
    this.close();
    this.journal.forget();
    this.runs.detach();
    this.events.deleted.fire({ here });
    this.dispose();
  }

  /** Stops listening; cancels nothing. Nothing is written afterwards. */
  override dispose(): void {
    this.runs.detach();
    this.close();
    this.journal.close();
    this.events.dispose();
  }

  #elsewhere(): readonly TaskSummary[] {
    return this.tasks({ limit: 20 }).filter(({ taskId, state }) => isActive(state) && this.connectionOf(taskId)?.kind === 'elsewhere');
  }

  protected override requireAgent(): Agent {
    return this.agent ?? unknownAgent(this.agentName);
  }

  protected override holderOf(taskId: string): AgentContext | undefined {
    return this.#options.holderOf(this.agentName, taskId);
  }

  protected override takesOver(taskId: string): boolean {
    return this.#options.onAdopt(taskId);
  }

  protected override claim(taskId: string): void {
    this.store.leases.claim(this.key, taskId, this.#options.owner, { at: Date.now(), force: true });
  }

  protected override release(taskId: string, again: boolean): void {
    this.store.leases.release(this.key, taskId, this.#options.owner, again);
  }

  protected override notifyLists(): void {
    this.#options.onListed();
  }

  /** The message began this task, or is part of it. */
  #adopt({ seq, message }: MessageEntry, task: Task, exchangeId: string): void {
    const entry = this.entry(seq);
    if (entry?.kind !== 'message' || entry.delivery !== 'unknown') return;
    if (this.takesOver(task.id)) {
      const folded = this.calls.load(task.id);
      folded.addKnownMessage(message);
      this.journal.record(folded.merge(task), { exchangeId, answers: seq });
      if (needsListener(task.status.state)) this.subscribeTask(task.id);
    }
    this.journal.delivery(seq, 'sent');
  }

  #report({ updates, rev }: Written): void {
    // If another process has written meanwhile, the revision stays: those writes are read later.
    if (rev === this.#revision + 1) this.#revision = rev;
    if (updates.length === 0) return;
    this.events.updated.fire(updates);
    if (updates.some(update => update.type === 'put' || update.complete !== undefined)) {
      this.events.changed.fire();
      this.#options.onListed();
    }
  }
}

const oldestFirst = (tasks: readonly TaskSummary[]): readonly string[] =>
  tasks.toSorted((one, other) => one.updatedAt - other.updatedAt).map(({ taskId }) => taskId);
