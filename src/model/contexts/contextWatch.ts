import { isBusy } from '../../store/database/storeProblem.ts';
import type { TaskStore } from '../../store/taskStore.ts';
import type { AgentContext } from './agentContext.ts';
import { needsListener } from '../run/runScope.ts';
import { SleepWatch } from './sleepWatch.ts';

/** What the watch needs of the contexts it looks after. */
export interface ContextWatchOptions {
  readonly store: TaskStore;
  /** This process among those that share the history. */
  readonly owner: string;
  /** The owner id of the process this one takes the place of: its tasks are taken over at once, unless it is still alive. */
  readonly replaces: string | undefined;
  /** How often it looks, in milliseconds. */
  readonly tick: number;
  readonly contextOf: (key: string) => AgentContext | undefined;
  readonly hasAgent: (name: string) => boolean;
  /** A message is being sent or a task listened to in one of the contexts. */
  readonly isAttending: () => boolean;
  /** Looks whether other windows still follow what they followed. */
  readonly onTick: () => void;
  /** The machine has slept: connections may be dead without anybody saying so. */
  readonly onWake: () => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Other windows have written: contexts may have come, changed or gone. */
  readonly onStale: () => void;
  readonly onError: (error: unknown) => void;
}

/** Other windows have slept as well: so many ticks they have to say that they are there, before what they follow is taken from them. */
const ticksToWake = 5;
/** Every so many ticks the process says that it is there. */
const ticksPerBeat = 2;
/** Contexts in which nothing ever happened are forgotten after so long, in milliseconds. */
const emptyLifetime = 7 * 24 * 60 * 60_000;
/** Between two steps of cleaning up, in milliseconds: what the person does comes first. */
const cleanupPause = 50;
/** What was deleted can be brought back for so long, in milliseconds. */
const deletedLifetime = 60 * 60_000;

/** One window among those that share the history: sees what others write, takes up what they have left behind, cleans up. */
export class ContextWatch {
  readonly #options: ContextWatchOptions;
  /** Tasks that this process has picked up once: what became of them then is not tried again. */
  readonly #pickedUp = new Set<string>();
  /** What went wrong while nobody asked for anything, each told once. */
  readonly #reported = new Set<string>();
  #ticker: NodeJS.Timeout | undefined;
  #cleanupTimer: NodeJS.Timeout | undefined;
  #ticks = 0;
  readonly #sleep: SleepWatch;
  /** The tick from which on what others followed may be taken up. */
  #awakeAt = 0;
  /** Signed in among those that follow tasks. */
  #entered = false;
  /** Tasks that were given up are still to be picked up. */
  #resuming = false;
  /** Other windows have written what was not looked at yet. */
  #stale = false;

  /** Throws a `Problem` where the history cannot be written; one that is busy for the moment is written later. */
  constructor(options: ContextWatchOptions) {
    this.#options = options;
    this.#sleep = new SleepWatch(options.tick, options.now());
    try {
      this.#enter();
    } catch (error) {
      if (!isBusy(error)) throw error;
    }
  }

  /** Picks up tasks that nobody follows, and goes on doing so. Throws nothing: what goes wrong is reported, and tried again. */
  start(): void {
    this.#resuming = true;
    this.#try(() => this.#options.store.sweep(Date.now() - emptyLifetime));
    this.#try(() => this.#options.store.identities.sweep(Date.now()));
    this.#try(() => this.#pickUp());
    this.#ticker ??= setInterval(() => this.#tick(), this.#options.tick).unref();
  }

  /** What was followed is free for other windows at once. */
  dispose(): void {
    clearInterval(this.#ticker);
    clearTimeout(this.#cleanupTimer);
    const { store, owner, onError } = this.#options;
    store.writes.inTurn(() => store.following.leave(owner), onError);
  }

  #tick(): void {
    const { store, owner, isAttending, onWake, onTick, now } = this.#options;
    this.#ticks++;
    const woken = this.#sleep.hasSlept(now());
    if (woken) this.#awakeAt = this.#ticks + ticksToWake;
    this.#try(() => {
      if ((woken || this.#ticks % ticksPerBeat === 0) && isAttending()) store.following.beat(owner, now());
    });
    if (woken) this.#try(onWake);
    this.#try(() => store.look());
    this.#try(() => this.#catchUp());
    if (this.#ticks >= this.#awakeAt) this.#try(() => this.#pickUp());
    this.#try(onTick);
    this.#cleanupTimer ??= setTimeout(() => this.#cleanUp(), 0).unref();
  }

  /** A step at a time until the search knows all that came to its end, and what was deleted long ago is gone. */
  #cleanUp(): void {
    this.#cleanupTimer = undefined;
    const { indexing, edits } = this.#options.store;
    this.#try(() => {
      if (!indexing.step({ settled: true }) && !edits.purge(Date.now() - deletedLifetime)) return;
      this.#cleanupTimer = setTimeout(() => this.#cleanUp(), cleanupPause).unref();
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
    const { store, owner, replaces, now } = this.#options;
    if (this.#entered) return;
    store.following.enter(owner, { at: now(), replaces });
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
    for (const { context: key, seq } of store.following.stranded(owner, at)) {
      const context = contextOf(key);
      if (context !== undefined && !context.attends({ seq })) context.settle(seq);
    }
    for (const { context: key, agent, taskId, state } of store.following.unfinished(owner, { at, all: this.#resuming })) {
      const task = JSON.stringify([key, taskId]);
      if (this.#pickedUp.has(task) || !needsListener(state) || !hasAgent(agent)) continue;
      const context = contextOf(key);
      if (context === undefined || context.attends({ taskId })) continue;
      // Another window may have been quicker since the list was read.
      if (!store.following.claim(key, taskId, owner, { at })) continue;
      this.#pickedUp.add(task);
      context.subscribeTask(taskId);
    }
    this.#resuming = false;
  }
}
