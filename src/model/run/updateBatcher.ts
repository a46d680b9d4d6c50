import type { LocalizedMessage } from '../../protocol/problem.ts';
import type { Task } from '../../protocol/message/task.ts';
import type { TaskChange } from '../../protocol/message/taskChange.ts';
import { isActive } from '../../protocol/message/taskState.ts';
import { now } from '../now.ts';
import type { TaskReducer } from '../fold/taskReducer.ts';
import { RunObservations } from './runObservations.ts';
import type { Journal } from './journal.ts';
import type { Batch } from './agentStream.ts';
import { StreamReducer } from '../fold/streamReducer.ts';

interface UpdateBatcherOptions {
  readonly journal: Journal;
  readonly load: (taskId: string) => TaskReducer;
  /** The task that is expected. */
  readonly taskId: string | undefined;
  /** The entry of the message that is answered. */
  readonly answers: number | undefined;
  /** Longest wait before changes are written, in milliseconds. */
  readonly batch: number;
  /** The time at which what is taken in came, where that was recorded. Milliseconds since the epoch. */
  readonly recordedNow?: () => number;
  /** Called after something was written. */
  readonly onWritten: () => void;
  /** Another process follows the task: nothing of it is written here any more. */
  readonly onDisowned: () => void;
  /** A delayed write failed. */
  readonly onFailure: (error: unknown) => void;
}

interface MergeOptions {
  readonly gap?: LocalizedMessage | undefined;
  readonly listening?: boolean | undefined;
  readonly polled?: boolean;
}

/** At most two writes per 8 ms when new entries start. */
const soon = 8;
/** An answer this long after the last one may tell of a status that is older. In milliseconds. */
const lateAfter = 30_000;
/** Most changes that wait to be written, and most code units of events: no write takes longer than a few milliseconds. */
const maxBatch = 1024;
const largestBatch = 4 * 1024 * 1024;

/** Takes in the agent's answers: applies them to the task, and commits them in batches before anything is reported. */
export class UpdateBatcher {
  readonly reducer: StreamReducer;
  readonly observations = new RunObservations();
  readonly #options: UpdateBatcherOptions;
  #pending: TaskChange[] = [];
  #exchangeId: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #writtenAt = 0;
  /** Time of the write before that. */
  #writtenBefore = 0;
  #answered = false;
  /** The message's entry still has to be linked to its task. */
  #unattached: boolean;
  #firstEventAt: number | undefined;
  /** When the agent last described the task. Milliseconds since the epoch. */
  #knownAt = 0;
  /** The changes that wait come from the answer to a question about the task, `late` from one long after that. */
  #polled = false;
  #late = false;
  /** Number of writes that wait for another process's write. */
  #waiting = 0;

  constructor(options: UpdateBatcherOptions) {
    this.#options = options;
    this.#unattached = options.answers !== undefined;
    this.reducer = new StreamReducer(options.load, options.taskId);
  }

  /** Part of what was taken in is not yet written, because another process writes. */
  get hasWaitingWrites(): boolean {
    return this.#waiting > 0;
  }

  /** The agent has begun to answer. */
  get answered(): boolean {
    return this.#answered;
  }

  /** Milliseconds since the epoch. */
  get firstEventAt(): number | undefined {
    return this.#firstEventAt;
  }

  /** `first`: the first batch of this answer. Throws a `Problem` if the store cannot write. */
  take(batch: Batch, first: boolean): void {
    const { events, exchangeId, findings } = batch;
    if (events.length > 0) {
      this.#firstEventAt ??= batch.frames?.[0]?.at ?? now();
      this.#knownAt = this.#now();
    }
    this.observations.take([], findings);
    const changes = this.reducer.apply(events, first, batch);
    this.#add(changes, exchangeId);
    const state = this.reducer.task?.state;
    // A new entry is shown sooner, right after the task that it belongs to; more text of an entry can wait longer.
    const begins = changes.some(({ kind }) => kind === 'artifact' || kind === 'message');
    const wait = begins ? Math.min(soon, this.#options.batch) : this.#options.batch;
    const passed = Date.now() - (begins ? this.#writtenBefore : this.#writtenAt);
    const urgent =
      !this.#answered ||
      (state !== undefined && !isActive(state)) ||
      this.#pending.length >= maxBatch ||
      this.#options.journal.waiting >= largestBatch ||
      passed >= wait;
    this.#answered = true;
    if (urgent) this.flush();
    else if (wait === this.#options.batch) this.#timer ??= this.#flushIn(wait - passed);
    else {
      clearTimeout(this.#timer);
      this.#timer = this.#flushIn(wait - passed);
    }
  }

  /**
   * Takes in the whole task from the agent. `gap` is written first if it turns out that something was missed. `listening`: a stream is open
   * that should have brought whatever is new. `polled`: false where the request itself changed the task. Returns whether anything was new.
   */
  merge(task: Task, exchangeId: string, { gap, listening = false, polled = true }: MergeOptions = {}): boolean {
    const { journal } = this.#options;
    const folded = this.reducer.task;
    if (folded === undefined) throw new Error('a task without its reducer');
    this.#firstEventAt ??= now();
    this.flush();
    // A task that was only in a list has no gap yet.
    const wasKnown = folded.isKnown;
    const changes = folded.merge(task);
    const isNew = changes.some(change => change.kind !== 'finding');
    // Chunks that are still to come need not continue the last one that was received.
    const missed =
      listening || isActive(folded.state)
        ? isNew || (!listening && (folded.task.artifacts ?? []).length > folded.completeArtifacts.size)
        : changes.some(change => change.kind !== 'status' && change.kind !== 'finding');
    if (gap !== undefined && missed && wasKnown) journal.gap(gap, folded.id);
    this.#polled = polled;
    this.#late = this.#now() - this.#knownAt > lateAfter;
    this.#knownAt = this.#now();
    this.#add(changes, exchangeId);
    this.flush();
    this.#polled = false;
    this.#late = false;
    if (!isActive(folded.state)) journal.fillGaps(folded.id);
    return isNew;
  }

  /** Writes a gap where the agent does not say whether something was missed. */
  miss(gap: LocalizedMessage): void {
    const { task } = this.reducer;
    this.flush();
    if (task?.isKnown === true) this.#options.journal.gap(gap, task.id);
  }

  /** Takes in a task that so far was only named in a message. */
  adopt(task: Task, exchangeId: string): void {
    this.flush();
    this.#unattached = this.#options.answers !== undefined;
    this.#add(this.reducer.adopt(task.id).merge(task), exchangeId);
    this.flush();
  }

  /** The agent repeats the question that was answered. */
  askAgain(): void {
    this.flush();
    this.#add(this.reducer.task?.askAgain() ?? [], this.#exchangeId ?? '');
    this.flush();
  }

  /** The task has ended, as the stream said of another one. */
  endAs(task: Task): void {
    this.#add(this.reducer.task?.endAs(task) ?? [], this.#exchangeId ?? '');
    this.flush();
  }

  /** Writes what waits. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const changes = this.#pending;
    if (changes.length === 0 && !this.#unattached) return;
    this.#pending = [];
    this.#writtenBefore = this.#writtenAt;
    this.#writtenAt = Date.now();
    const answers = this.#unattached && this.#answered ? this.#options.answers : undefined;
    if (changes.length === 0 && answers === undefined) return;
    if (this.reducer.task !== undefined && answers !== undefined) this.#unattached = false;
    // A whole task may have thousands of artifacts: each thousand is written in a turn of its own.
    // They count as waiting before the first is written, so that no listener to that write takes it for everything.
    this.#waiting += Math.max(0, Math.ceil(changes.length / maxBatch) - 1);
    for (let from = 0; from === 0 || from < changes.length; from += maxBatch) {
      this.#write(changes.slice(from, from + maxBatch), from === 0 ? answers : undefined, from > 0);
    }
  }

  #write(changes: readonly TaskChange[], answers: number | undefined, afterwards: boolean): void {
    let had = afterwards ? 1 : 0;
    const written = this.#options.journal.record(
      changes,
      { exchangeId: this.#exchangeId, follow: true, answers, late: this.#late, polled: this.#polled },
      {
        onWritten: disowned => {
          this.#waiting -= had;
          if (disowned.length > 0) this.#options.onDisowned();
          this.#options.onWritten();
        },
        onError: error => {
          this.#waiting -= had;
          this.#options.onFailure(error);
        },
      },
      afterwards,
    );
    if (written || afterwards) return;
    had = 1;
    this.#waiting++;
  }

  #add(changes: readonly TaskChange[], exchangeId: string): void {
    if (exchangeId !== this.#exchangeId && this.#pending.length > 0) this.flush();
    this.#exchangeId = exchangeId;
    this.observations.take(changes);
    const offset = this.#options.recordedNow === undefined ? Date.now() - now() : 0;
    for (const change of changes) this.#pending.push(onWallClock(change, offset));
  }

  #now(): number {
    return this.#options.recordedNow?.() ?? Date.now();
  }

  /** The wait is bounded, so a clock that was set back does not delay the write. */
  #flushIn(ms: number): NodeJS.Timeout {
    return setTimeout(() => this.#flushLate(), Math.min(ms, this.#options.batch));
  }

  #flushLate(): void {
    try {
      this.flush();
    } catch (error) {
      this.#options.onFailure(error);
    }
  }
}

/** The clock of frames stands still while the machine sleeps, that of the history does not. */
const onWallClock = (change: TaskChange, offset: number): TaskChange =>
  'at' in change && change.at !== undefined ? { ...change, at: Math.floor(change.at + offset) } : change;
