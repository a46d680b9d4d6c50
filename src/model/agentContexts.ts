import { randomUUID } from 'node:crypto';
import type { Exchange, Frame } from '../protocol/exchange.ts';
import { Problem } from '../protocol/problem.ts';
import type { Task } from '../protocol/task.ts';
import type { ContextSummary } from '../protocol/transcript.ts';
import type { HistoryItem } from '../store/historyEdits.ts';
import type { ListFilter } from '../store/listFilter.ts';
import type { TaskStore } from '../store/taskStore.ts';
import { AgentContext, isAbandoned, type Page } from './agentContext.ts';
import type { Agents } from './agents.ts';
import { Emitter, type Disposable, type Event } from './emitter.ts';
import { mergeRemoteTasks, type RemoteTask } from './remoteTasks.ts';
import { TaskHistory } from './taskHistory.ts';
import { runTiming, type RunTiming } from './runTiming.ts';

export interface ContextsChange {
  /** Only this agent's contexts changed. */
  readonly agent?: string;
  /** Only this context changed. */
  readonly context?: string;
}

export interface AgentContextsOptions {
  readonly store: TaskStore;
  readonly agents: Agents;
  /** This process among those that share the history: a fresh UUID. */
  readonly owner: string;
  /** The owner id of the process this one takes the place of (kept in `workspaceState`): its tasks are taken over at once. */
  readonly replaces?: string;
  readonly timing?: Partial<RunTiming>;
  /** Hears of defects, and of a history that cannot be written. */
  readonly onError: (error: unknown) => void;
}

/** Every so many ticks the process says that it is there. */
const ticksPerBeat = 2;
/** Contexts in which nothing ever happened are forgotten after so long, in milliseconds. */
const emptyLifetime = 7 * 24 * 60 * 60_000;
/** Between two steps of keeping house, in milliseconds: what the person does comes first. */
const housePause = 50;
/** What was deleted can be brought back for so long, in milliseconds. */
const deletedLifetime = 60 * 60_000;

/** All contexts of the history, live. */
export class AgentContexts implements Disposable {
  readonly history: TaskHistory;
  readonly #options: AgentContextsOptions;
  readonly #timing: RunTiming;
  readonly #changed: Emitter<ContextsChange>;
  readonly #live = new Map<string, AgentContext>();
  /** Tasks that this process has picked up once: what became of them then is not tried again. */
  readonly #pickedUp = new Set<string>();
  /** What went wrong while nobody asked for anything, each told once. */
  readonly #reported = new Set<string>();
  #ticker: NodeJS.Timeout | undefined;
  #housekeeper: NodeJS.Timeout | undefined;
  #ticks = 0;
  /** Signed in among those that follow tasks. */
  #entered = false;
  /** Tasks that were given up are still to be picked up. */
  #resuming = false;
  /** Other windows have written what was not looked at yet. */
  #stale = false;

  /** Throws a `Problem` where the history cannot be written; one that is busy for the moment is written later. */
  constructor(options: AgentContextsOptions) {
    this.#options = options;
    this.#timing = { ...runTiming, ...options.timing };
    this.#changed = new Emitter(options.onError);
    this.history = new TaskHistory(options.store, () => this.#refresh());
    try {
      this.#enter();
    } catch (error) {
      if (!isBusy(error)) throw error;
    }
  }

  get onDidChange(): Event<ContextsChange> {
    return this.#changed.event;
  }

  /** Tasks that wait for the person, over all agents. */
  get waiting(): number {
    return this.#options.store.waiting();
  }

  /** In one of the contexts it is an agent's turn. */
  get running(): boolean {
    return [...this.#live.values()].some(context => context.running);
  }

  /** Names of agents that have contexts in the history, also those that are not in the settings any more, in the order of the alphabet. */
  agentNames(): readonly string[] {
    return this.#options.store.agentNames();
  }

  /** Contexts of one agent that fit, pinned first, then last used. `before` is the last one of the page before. At most `limit` (50, never above 200). */
  page({ limit = 50, ...filter }: ListFilter & { readonly agent: string; readonly before?: ContextSummary; readonly limit?: number }): Page<ContextSummary> {
    const size = Math.min(limit, 200);
    const contexts = this.#options.store.contexts({ ...filter, limit: size + 1 });
    return { items: contexts.slice(0, size), more: contexts.length > size };
  }

  /** The live object, always the same one; undefined for a context that is not in the history. */
  get(key: string): AgentContext | undefined {
    const live = this.#live.get(key);
    if (live !== undefined) return live;
    if (this.#options.store.context(key) === undefined) return undefined;
    const context = new AgentContext({
      key,
      store: this.#options.store,
      owner: this.#options.owner,
      timing: this.#timing,
      agentOf: name => this.#options.agents.get(name),
      holderOf: (agent, taskId) => this.forTask(agent, taskId),
      onListed: () => this.#changed.fire({ agent: context.agentName, context: key }),
      onError: this.#options.onError,
    });
    this.#live.set(key, context);
    return context;
  }

  /** A new context. It shows in lists from its first message on. */
  create(agent: string, contextId?: string): AgentContext {
    const key = randomUUID();
    this.#options.store.putContext({ key, agent, contextId, at: Date.now() });
    return this.#require(key);
  }

  /** The context the agent calls so; made where it is not known. */
  forContextId(agent: string, contextId: string): AgentContext {
    const known = this.#options.store.contextById(agent, contextId);
    return known === undefined ? this.create(agent, contextId) : this.#require(known.key);
  }

  /** The context that holds this task. */
  forTask(agent: string, taskId: string): AgentContext | undefined {
    const known = this.#options.store.contextOfTask(agent, taskId);
    return known && this.get(known.key);
  }

  /** Forgets the context with all it holds. What runs is no longer listened to, and not cancelled. */
  delete(key: string): void {
    const agent = this.#options.store.context(key)?.agent;
    this.#options.store.deleteContext(key);
    this.#live.get(key)?.forget();
    this.#live.delete(key);
    this.#changed.fire({ agent });
  }

  /**
   * Forgets a context in which nothing happened; what went over the wire for it is kept. False where something did happen, and where
   * the history is busy: then it is in no list all the same, and swept away later.
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
   * Takes contexts and tasks out of the lists, and out of the history after an hour: until then `restore` brings them back, in any window
   * and after a crash. What runs in them is no longer listened to, and not cancelled.
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

  /** Brings back what was removed, as far as it is still there: a context with the tasks that it had then. */
  restore(items: readonly HistoryItem[]): void {
    this.#options.store.edits.restore(items);
    this.#changed.fire({});
  }

  /** Pinned items come first, and are never deleted for their age. */
  pin(items: readonly HistoryItem[], pinned: boolean): void {
    this.#options.store.edits.pin(items, pinned);
    this.#changed.fire({});
  }

  /** The person's own title, which stays whatever the agent says; an empty one goes back to the one that came about. */
  rename(item: HistoryItem, title: string): void {
    this.#options.store.edits.rename(item, title);
    this.#changed.fire({});
  }

  /** Folds what ListTasks answered into the history; see `mergeRemoteTasks`. `askedAt` is when the agent was asked. */
  mergeRemote(agent: string, tasks: readonly Task[], { askedAt, artifacts }: { readonly askedAt: number; readonly artifacts: boolean }): readonly RemoteTask[] {
    const { store, owner } = this.#options;
    const merged = mergeRemoteTasks(tasks, { store, agent, owner, askedAt, at: Date.now(), artifacts });
    const changed = new Set(merged.flatMap(({ outcome, context }) => (outcome === 'updated' || outcome === 'added' ? [context] : [])));
    for (const key of changed) if (key !== undefined) this.#live.get(key)?.catchUp();
    if (changed.size > 0) this.#changed.fire({ agent });
    return merged;
  }

  /** Contexts go with an agent that got another name. */
  renameAgent(from: string, to: string): void {
    this.#options.store.renameAgent(from, to);
    this.#changed.fire({});
  }

  /** What went over the wire; undefined for what is not kept any more. */
  exchange(id: string): { readonly exchange: Exchange; readonly frames: readonly Frame[] } | undefined {
    return this.#options.store.exchange(id);
  }

  /**
   * Picks up tasks that nobody follows, and goes on doing so: those of a window that was closed, killed or reloaded. Also watches for
   * what other windows write. Call once, when the agents are configured. Throws nothing: what goes wrong is reported, and tried again.
   */
  resume(): void {
    this.#resuming = true;
    this.#try(() => this.#options.store.sweep(Date.now() - emptyLifetime));
    this.#try(() => this.#pickUp());
    this.#ticker ??= setInterval(() => this.#tick(), this.#timing.tick).unref();
  }

  /** Stops listening; cancels nothing. What was followed is free for other windows at once. */
  dispose(): void {
    clearInterval(this.#ticker);
    clearTimeout(this.#housekeeper);
    for (const context of this.#live.values()) context.dispose();
    this.#live.clear();
    this.#options.store.following.leave(this.#options.owner);
    this.#changed.dispose();
  }

  #require(key: string): AgentContext {
    const context = this.get(key);
    if (context === undefined) throw new Error('a context that was just written is not there');
    return context;
  }

  #tick(): void {
    const { store, owner } = this.#options;
    this.#ticks++;
    this.#try(() => {
      if (this.#ticks % ticksPerBeat === 0 && this.running) store.following.beat(owner, Date.now());
    });
    this.#try(() => this.#catchUp());
    this.#try(() => this.#pickUp());
    this.#housekeeper ??= setTimeout(() => this.#keepHouse(), 0).unref();
  }

  /** A step at a time until the search knows all that came to its end, and what was deleted long ago is gone. */
  #keepHouse(): void {
    this.#housekeeper = undefined;
    const { indexing, edits } = this.#options.store;
    this.#try(() => {
      if (!indexing.step({ settled: true }) && !edits.purge(Date.now() - deletedLifetime)) return;
      this.#housekeeper = setTimeout(() => this.#keepHouse(), housePause).unref();
    });
  }

  /** What fails is reported once; the next tick tries again. */
  #try(work: () => void): void {
    try {
      work();
    } catch (error) {
      // Another window that is slow to write is no reason to disturb anybody.
      if (isBusy(error)) return;
      const what = String(error);
      if (this.#reported.has(what)) return;
      this.#reported.add(what);
      this.#options.onError(error);
    }
  }

  #enter(): void {
    const { store, owner, replaces } = this.#options;
    if (this.#entered) return;
    store.following.enter(owner, { at: Date.now(), replaces });
    this.#entered = true;
  }

  #catchUp(): void {
    this.#stale ||= this.#options.store.changedElsewhere();
    if (this.#stale) this.#refresh();
  }

  /** Contexts may have come, changed or gone. */
  #refresh(): void {
    for (const [key, context] of this.#live) {
      if (this.#options.store.context(key) === undefined) {
        context.forget();
        this.#live.delete(key);
      } else context.catchUp();
    }
    this.#stale = false;
    this.#changed.fire({});
  }

  #pickUp(): void {
    const { store, owner, agents } = this.#options;
    this.#enter();
    const at = Date.now();
    for (const { context: key, seq } of store.following.stranded(owner, at)) {
      const context = this.get(key);
      if (context !== undefined && !context.attends({ seq })) context.settle(seq);
    }
    for (const { context: key, agent, taskId, state } of store.following.unfinished(owner, { at, all: this.#resuming })) {
      const task = JSON.stringify([key, taskId]);
      if (this.#pickedUp.has(task) || !isAbandoned(state) || agents.get(agent) === undefined) continue;
      const context = this.get(key);
      if (context === undefined || context.attends({ taskId })) continue;
      context.subscribeTask(taskId);
      this.#pickedUp.add(task);
    }
    this.#resuming = false;
  }
}

const isBusy = (error: unknown): boolean => error instanceof Problem && error.code === 'history-busy';
