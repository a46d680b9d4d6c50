import { randomUUID } from 'node:crypto';
import type { Exchange, Frame } from '../../protocol/exchange.ts';
import type { Task } from '../../protocol/message/task.ts';
import type { AssistantCall, ContextMaker, ContextSummary, TaskSummary } from '../../protocol/message/transcript.ts';
import type { HistoryItem } from '../../store/changes/historyEdits.ts';
import type { ListFilter } from '../../store/lists/listFilter.ts';
import type { Rescued } from '../../store/transfer/historyRescue.ts';
import { isBusy } from '../../store/database/storeProblem.ts';
import type { TaskStore } from '../../store/taskStore.ts';
import { AgentContext } from './agentContext.ts';
import { AgentNames } from '../agents/agentNames.ts';
import type { Agents } from '../agents/agents.ts';
import { ContextWatch } from './contextWatch.ts';
import { Emitter, type Disposable, type Event } from '../emitter.ts';
import type { Page } from './storedContext.ts';
import { mergeRemoteTasks, type RemoteTask } from './remoteTasks.ts';
import { TaskHistory } from './taskHistory.ts';
import { needsListener } from '../run/runScope.ts';
import { runTiming, type RunTiming } from '../run/runTiming.ts';
import { connectionWithoutRun, type TaskConnection } from '../run/taskConnection.ts';
import { maxTaskBytes } from '../run/taskLog.ts';

export interface ContextsChange {
  /** Only this agent's contexts changed. */
  readonly agent?: string;
  /** Only this context changed. */
  readonly context?: string;
}

/** How a new context is created. */
interface ContextOrigin {
  /** The id that the agent gave it. */
  readonly contextId?: string;
  readonly madeBy?: ContextMaker;
}

export interface AgentContextsOptions {
  readonly store: TaskStore;
  readonly agents: Agents;
  /** Id of this process among those that share the history: a fresh UUID. */
  readonly owner: string;
  /**
   * The owner id of the process that this one replaces (kept in `workspaceState`). Its tasks are taken over at once, unless it is still alive:
   * the same folder may be open in two windows.
   */
  readonly replaces?: string;
  readonly timing?: Partial<RunTiming>;
  /** How much is kept of one task, in bytes: 256 MiB if left out, Infinity for no bound. */
  readonly maxTaskBytes?: () => number;
  /** Milliseconds since the epoch; the machine's clock if left out. */
  readonly now?: () => number;
  /** Called with defects, and if a history cannot be written. */
  readonly onError: (error: unknown) => void;
}

/** All contexts of the history, live. */
export class AgentContexts implements Disposable {
  readonly history: TaskHistory;
  /** The names of agents in this history. */
  readonly names: AgentNames;
  readonly #options: AgentContextsOptions;
  readonly #timing: RunTiming;
  readonly #maxTaskBytes: () => number;
  readonly #changed: Emitter<ContextsChange>;
  readonly #live = new Map<string, AgentContext>();
  /** Undefined where the history is only read. */
  readonly #watch: ContextWatch | undefined;
  readonly #answers: Disposable;

  /** Throws a `Problem` if the history cannot be written; if it is only busy at the moment, it is written later. */
  constructor(options: AgentContextsOptions) {
    this.#options = options;
    this.#timing = { ...runTiming, ...options.timing };
    this.#maxTaskBytes = options.maxTaskBytes ?? (() => maxTaskBytes);
    this.#changed = new Emitter(options.onError);
    this.names = new AgentNames(options.store.identities, options.onError);
    this.history = new TaskHistory(options.store, () => this.#refresh());
    const { store, agents, owner, replaces, onError, now = Date.now } = options;
    if (!store.isReadOnly)
      this.#watch = new ContextWatch({
        store,
        owner,
        replaces,
        onError,
        now,
        tick: this.#timing.tick,
        contextOf: key => this.get(key),
        hasAgent: name => agents.get(name) !== undefined,
        isActive: () => [...this.#live.values()].some(context => context.isActive),
        onTick: () => {
          for (const context of this.#live.values()) context.refreshOtherWindows();
        },
        onWake: () => this.#wake(),
        onStale: () => this.#refresh(),
      });
    this.#answers = agents.onDidAnswer(({ name }) => {
      for (const context of this.#live.values()) if (context.agentName === name) context.retry();
    });
  }

  get onDidChange(): Event<ContextsChange> {
    return this.#changed.event;
  }

  /** Tasks of all agents that wait for the person, except those of test runs. */
  get waiting(): number {
    return this.#options.store.waiting();
  }

  /** Tasks of one agent that wait for input or authorization, by the maker of their context. */
  waitingOf(agent: string): ReadonlyMap<ContextMaker, number> {
    return this.#options.store.waitingOf(agent);
  }

  /** It is an agent's turn in one of the contexts. */
  get running(): boolean {
    return [...this.#live.values()].some(context => context.running);
  }

  /** Names of agents that have contexts in the history, also those that are not in the settings any more, in the order of the alphabet. */
  agentNames(): readonly string[] {
    return this.#options.store.agentNames();
  }

  /**
   * Contexts of one agent that fit the filter, pinned first, then last used. `before` is the last one of the previous page. At most `limit`
   * (50, never above 200).
   */
  page({
    limit = 50,
    ...filter
  }: ListFilter & { readonly agent: string; readonly before?: ContextSummary; readonly limit?: number }): Page<ContextSummary> {
    const size = Math.min(limit, 200);
    const contexts = this.#options.store.contexts({ ...filter, limit: size + 1 });
    return { items: contexts.slice(0, size), more: contexts.length > size };
  }

  /** Number of contexts that fit the filter, at most `most`. */
  count(filter: ListFilter, most: number): number {
    return this.#options.store.countContexts(filter, most);
  }

  /** The live object, always the same one; undefined for a context that is not in the history. */
  get(key: string): AgentContext | undefined {
    const live = this.#live.get(key);
    if (live !== undefined) return live;
    if (this.#options.store.context(key) === undefined) return undefined;
    const context: AgentContext = new AgentContext({
      key,
      store: this.#options.store,
      owner: this.#options.owner,
      timing: this.#timing,
      maxTaskBytes: this.#maxTaskBytes,
      agentOf: name => this.#options.agents.get(name),
      holderOf: (agent, taskId) => this.forTask(agent, taskId),
      onAdopt: taskId => this.#giveUp(context, taskId),
      onListed: () => this.#changed.fire({ agent: context.agentName, context: key }),
      onError: this.#options.onError,
    });
    this.#live.set(key, context);
    return context;
  }

  /** See `AgentContext.connectionOf`; creates no live context for a row of a list. */
  connectionOf({ context, taskId, state }: Pick<TaskSummary, 'context' | 'taskId' | 'state'>): TaskConnection | undefined {
    if (!needsListener(state)) return undefined;
    return (
      this.#live.get(context)?.connectionOf(taskId) ??
      connectionWithoutRun(this.#options.store, { context, taskId }, this.#options.owner, this.#maxTaskBytes())
    );
  }

  /** Follows an agent's unfinished tasks of open contexts that have no listener, as after a sign-in. */
  followAgain(agent: string): void {
    for (const context of this.#live.values())
      if (context.agentName === agent) for (const { taskId } of context.tasks({ limit: 20 })) context.tryNow(taskId);
  }

  /** See `AgentContext.patiently`. */
  patiently<T>(work: () => T): Promise<T> {
    return this.#options.store.writes.patiently(work);
  }

  /** Called when writes begin to wait because another process has the history, and when that ends. Returns a function that removes the listener. */
  onDidWait(listener: (waits: boolean) => void): () => void {
    return this.#options.store.writes.onDidChange(listener);
  }

  /**
   * Repairs a history that was deleted, cut or replaced while it was in use: its readable rest, and what is under way, is written to a new
   * one. `open` opens the file at its path. Rejects if that is not possible.
   */
  async rescue(open: (path: string) => TaskStore): Promise<Rescued> {
    const { store } = this.#options;
    const live = [...this.#live.values()].map(context => ({ context, agent: context.agentName, contextId: context.contextId }));
    const rescued = await store.rescue(open, Date.now());
    if (!rescued.whole) {
      store.writes.ahead(() => {
        for (const { context, agent, contextId } of live) context.rewrite(agent, contextId);
      });
    }
    this.#refresh();
    return rescued;
  }

  /** A new context. Lists show it from its first message on. */
  create(agent: string, { contextId, madeBy }: ContextOrigin = {}): AgentContext {
    const key = randomUUID();
    this.#options.store.putContext({ key, agent, contextId, madeBy, at: Date.now() });
    return this.#require(key);
  }

  /** The context to which the agent gave this id; created if there is none. One that only the agent knew gets the new maker. */
  forContextId(agent: string, contextId: string, madeBy?: ContextMaker): AgentContext {
    const { store } = this.#options;
    const known = store.contextById(agent, contextId);
    if (known === undefined) return this.create(agent, { contextId, madeBy });
    if (known.madeBy === 'agent' && madeBy !== undefined) store.setMaker(known.key, madeBy);
    return this.#require(known.key);
  }

  /**
   * A check or a test made the agent create this context: what the agent lists of it stands with the test runs. A context in which something was
   * sent from here is left as it is.
   */
  noteTestRun(agent: string, contextId: string): void {
    const { store } = this.#options;
    const known = store.contextById(agent, contextId);
    if (known === undefined) store.putContext({ key: randomUUID(), agent, contextId, madeBy: 'test', at: Date.now() });
    else if (known.remoteOnly === true && store.setMaker(known.key, 'test')) this.#changed.fire({ agent });
  }

  /** The newest call of a language model that sent a message in a context, or in one of its tasks. */
  assistantIn(key: string, taskId?: string): AssistantCall | undefined {
    return this.#options.store.transcript.assistantIn(key, taskId);
  }

  /** The context that holds this task. */
  forTask(agent: string, taskId: string): AgentContext | undefined {
    const known = this.#options.store.contextOfTask(agent, taskId);
    return known && this.get(known.key);
  }

  /** Deletes the context with everything in it. Its runs stop listening and are not canceled. */
  delete(key: string): void {
    const agent = this.#options.store.context(key)?.agent;
    this.#options.store.deleteContext(key);
    this.#live.get(key)?.forget();
    this.#live.delete(key);
    this.#changed.fire({ agent });
  }

  /**
   * Deletes a context in which nothing happened; its wire log is kept. False if something did happen, or if the history is busy: then no list
   * shows it, and it is deleted later.
   */
  discard(key: string): boolean {
    try {
      if (!this.#options.store.discardContext(key)) return false;
    } catch (error) {
      if (isBusy(error)) return false;
      throw error;
    }
    this.#live.get(key)?.forget();
    this.#live.delete(key);
    return true;
  }

  /**
   * Removes contexts and tasks from the lists, and after an hour from the history: until then `restore` brings them back, in any window and
   * after a crash. Their runs stop listening and are not canceled.
   */
  remove(items: readonly HistoryItem[]): void {
    this.#options.store.edits.delete(items, Date.now());
    for (const { context, taskId } of items) {
      if (taskId !== undefined) continue;
      this.#live.get(context)?.forget();
      this.#live.delete(context);
    }
    this.#changed.fire({});
  }

  /** Restores what was removed, as far as it still exists: a context with the tasks that it had then. */
  restore(items: readonly HistoryItem[]): void {
    this.#options.store.edits.restore(items);
    this.#changed.fire({});
  }

  /** Restores the last removal of any window after that time; see `restore`. Returns the number of items. */
  restoreLast(after = 0): number {
    const items = this.#options.store.edits.lastDeleted(after);
    if (items.length > 0) this.restore(items);
    return items.length;
  }

  /** Pinned items come first, and are never deleted because of their age. */
  pin(items: readonly HistoryItem[], pinned: boolean): void {
    this.#options.store.edits.pin(items, pinned);
    this.#changed.fire({});
  }

  /** The person's own title, which the agent cannot change; an empty one restores the automatic title. */
  rename(item: HistoryItem, title: string): void {
    this.#options.store.edits.rename(item, title);
    // Its chat shows the title, too.
    this.#live.get(item.context)?.catchUp();
    this.#changed.fire({});
  }

  /** Applies an answer to ListTasks to the history; see `mergeRemoteTasks`. `askedAt` is when the agent was asked. */
  mergeRemote(
    agent: string,
    tasks: readonly Task[],
    options: { readonly askedAt: number; readonly artifacts: boolean; readonly exchangeId?: string },
  ): readonly RemoteTask[] {
    const { store, owner, agents } = this.#options;
    const twins = agents.twinNames(agent, store.agentNames());
    const merged = mergeRemoteTasks(tasks, { store, agent, twins, owner, at: Date.now(), ...options });
    const changed = new Set(merged.flatMap(({ outcome, context }) => (outcome === 'updated' || outcome === 'added' ? [context] : [])));
    for (const key of changed) if (key !== undefined) this.#live.get(key)?.catchUp();
    if (changed.size > 0) this.#changed.fire({ agent });
    return merged;
  }

  /** Moves contexts to the new name of their agent. */
  renameAgent(from: string, to: string): void {
    this.names.rename(from, to);
    this.#changed.fire({});
  }

  /** An exchange; undefined if it is not kept any more. */
  exchange(id: string): { readonly exchange: Exchange; readonly frames: readonly Frame[] } | undefined {
    return this.#options.store.exchange(id);
  }

  /**
   * Takes over tasks without a follower, of a window that was closed, killed or reloaded, now and from then on. Also watches for writes of
   * other windows. Call it once, when the agents are configured. Throws nothing: problems are reported, and the work is tried again.
   */
  resume(): void {
    this.#watch?.start();
  }

  /** Stops listening; cancels nothing. Other windows may follow the tasks at once. */
  dispose(): void {
    for (const context of this.#live.values()) context.dispose();
    this.#live.clear();
    this.#watch?.dispose();
    this.#answers.dispose();
    this.#changed.dispose();
  }

  /** A context that is known only from the agent's list, and has only this task, is replaced by the context in which the task was begun. */
  #giveUp(context: AgentContext, taskId: string): boolean {
    const holder = this.#options.store.contextOfTask(context.agentName, taskId);
    if (holder === undefined || holder.key === context.key) return true;
    if (holder.remoteOnly !== true || holder.tasks > 1) return false;
    this.delete(holder.key);
    return true;
  }

  #require(key: string): AgentContext {
    const context = this.get(key);
    if (context === undefined) throw new Error('a context that was just written is not there');
    return context;
  }

  #wake(): void {
    this.#options.agents.renewConnections();
    for (const context of this.#live.values()) context.wake();
  }

  /** Contexts may have been added, changed or removed. */
  #refresh(): void {
    for (const [key, context] of this.#live) {
      if (this.#options.store.context(key) === undefined) {
        context.forget(false);
        this.#live.delete(key);
      } else context.catchUp();
    }
    this.#changed.fire({});
  }
}
