import { isBusy } from '../../store/database/storeProblem.ts';
import type { TaskStore } from '../../store/taskStore.ts';
import type { AgentContext } from './agentContext.ts';
import { needsListener } from '../run/runScope.ts';

/** Dependencies on the contexts. */
interface ContextWatchOptions {
  readonly store: TaskStore;
  /** Id of this process among those that share the history. */
  readonly owner: string;
  /** The owner id of the process that this one replaces: its tasks are taken over at once, unless it is still alive. */
  readonly replaces: string | undefined;
  /** Time between two ticks, in milliseconds. */
  readonly tick: number;
  readonly contextOf: (key: string) => AgentContext | undefined;
  readonly hasAgent: (name: string) => boolean;
  /** A message is being sent or a task listened to in one of the contexts. */
  readonly isActive: () => boolean;
  /** Checks whether other windows still follow their tasks. */
  readonly onTick: () => void;
  /** The machine has slept: connections may be dead without an error. */
  readonly onWake: () => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Other windows have written: contexts may have been added, changed or removed. */
  readonly onStale: () => void;
  readonly onError: (error: unknown) => void;
}

/** Other windows have slept as well: they have so many ticks to report that they are alive before their tasks are taken over. */
const ticksToWake = 5;
/** The process reports that it is alive once in so many ticks. */
const ticksPerBeat = 2;
/** Contexts in which nothing ever happened are deleted after this time, in milliseconds. */
const emptyLifetime = 7 * 24 * 60 * 60_000;
/** Between two steps of cleaning up, in milliseconds: the person's work comes first. */
const cleanupPause = 50;
/** A deletion can be undone for this time, in milliseconds. */
const deletedLifetime = 60 * 60_000;

/** One window among those that share the history: it notices what others write, takes over the tasks that they left behind, and cleans up. */
export class ContextWatch {
  readonly #options: ContextWatchOptions;
  /** Tasks that this process has taken over once; it does not try them again. */
  readonly #pickedUp = new Set<string>();
  /** Problems of background work, each reported once. */
  readonly #reported = new Set<string>();
  #ticker: NodeJS.Timeout | undefined;
  #cleanupTimer: NodeJS.Timeout | undefined;
  #ticks = 0;
  readonly #sleep: SleepWatch;
  /** The tick from which on tasks of other processes may be taken over. */
  #awakeAt = 0;
  /** Registered among the processes that follow tasks. */
  #entered = false;
  /** Tasks that were given up still have to be taken over. */
  #resuming = false;
  /** Other windows have written, and that was not yet read. */
  #stale = false;

  /** Throws a `Problem` if the history cannot be written; if it is only busy at the moment, it is written later. */
  constructor(options: ContextWatchOptions) {
    this.#options = options;
    this.#sleep = new SleepWatch(options.tick, options.now());
    try {
      this.#enter();
    } catch (error) {
      if (!isBusy(error)) throw error;
    }
  }

  /** Takes over tasks without a follower, now and from then on. Throws nothing: problems are reported, and the work is tried again. */
  start(): void {
    this.#resuming = true;
    this.#try(() => this.#options.store.sweep(Date.now() - emptyLifetime));
    this.#try(() => this.#options.store.identities.sweep(Date.now()));
    this.#try(() => this.#pickUp());
    this.#ticker ??= setInterval(() => this.#tick(), this.#options.tick).unref();
  }

  /** Other windows may follow this window's tasks at once. */
  dispose(): void {
    clearInterval(this.#ticker);
    clearTimeout(this.#cleanupTimer);
    const { store, owner, onError } = this.#options;
    store.writes.inTurn(() => store.leases.leave(owner), onError);
  }

  #tick(): void {
    const { store, owner, isActive: isAttending, onWake, onTick, now } = this.#options;
    this.#ticks++;
    const woken = this.#sleep.hasSlept(now());
    if (woken) this.#awakeAt = this.#ticks + ticksToWake;
    this.#try(() => {
      if ((woken || this.#ticks % ticksPerBeat === 0) && isAttending()) store.leases.beat(owner, now());
    });
    if (woken) this.#try(onWake);
    this.#try(() => store.look());
    this.#try(() => this.#catchUp());
    if (this.#ticks >= this.#awakeAt) this.#try(() => this.#pickUp());
    this.#try(onTick);
    this.#cleanupTimer ??= setTimeout(() => this.#cleanUp(), 0).unref();
  }

  /** Goes on step by step until everything that has ended is indexed and old deletions are final. */
  #cleanUp(): void {
    this.#cleanupTimer = undefined;
    const { indexing, edits } = this.#options.store;
    this.#try(() => {
      if (!indexing.step({ settled: true }) && !edits.purge(Date.now() - deletedLifetime)) return;
      this.#cleanupTimer = setTimeout(() => this.#cleanUp(), cleanupPause).unref();
    });
  }

  /** A failure is reported once; the next tick tries again. */
  #try(work: () => void): void {
    try {
      work();
    } catch (error) {
      // Another window's slow write is not worth reporting.
      if (isBusy(error)) return;
      const what = String(error);
      if (this.#reported.has(what)) return;
      this.#reported.add(what);
      this.#options.onError(error);
    }
  }

  #enter(): void {
    const { store, owner, replaces, now } = this.#options;
    if (this.#entered) return;
    store.leases.enter(owner, { at: now(), replaces });
    this.#entered = true;
  }

  #catchUp(): void {
    this.#stale ||= this.#options.store.changedElsewhere();
    if (!this.#stale) return;
    this.#options.onStale();
    this.#stale = false;
  }

  #pickUp(): void {
    const { store, owner, contextOf, hasAgent, now } = this.#options;
    if (store.writes.settled !== undefined) return;
    this.#enter();
    const at = now();
    for (const { context: key, seq } of store.leases.stranded(owner, at)) {
      const context = contextOf(key);
      if (context !== undefined && !context.isActiveFor({ seq })) context.settle(seq);
    }
    for (const { context: key, agent, taskId, state } of store.leases.unfinished(owner, { at, all: this.#resuming })) {
      const task = JSON.stringify([key, taskId]);
      if (this.#pickedUp.has(task) || !needsListener(state) || !hasAgent(agent)) continue;
      const context = contextOf(key);
      if (context === undefined || context.isActiveFor({ taskId })) continue;
      // Another window may have been quicker since the list was read.
      if (!store.leases.claim(key, taskId, owner, { at })) continue;
      this.#pickedUp.add(task);
      context.subscribeTask(taskId);
    }
    this.#resuming = false;
  }
}

/** If two calls that should follow quickly are further apart than this, the machine has slept; in milliseconds. */
const shortestSleep = 30_000;

/**
 * Notices that the machine has slept, or was stopped: timers stand still meanwhile, the clock does not. A clock that was set forward looks the
 * same; one that was set back is ignored.
 */
export class SleepWatch {
  readonly #interval: number;
  #last: number;

  /** `interval`: how often it is asked, in milliseconds; `now`: milliseconds since the epoch. */
  constructor(interval: number, now: number) {
    this.#interval = interval;
    this.#last = now;
  }

  /** True if the machine has slept since the last call. */
  hasSlept(now: number): boolean {
    const passed = now - this.#last;
    this.#last = now;
    return passed - this.#interval > shortestSleep;
  }
}
