import type { SentPassword, WireLog } from '../../client/wireLog/wireLog.ts';
import { closedWithWindow, type Exchange, type Frame } from '../../protocol/exchange.ts';
import type { Message } from '../../protocol/message/message.ts';
import { Problem, sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import type { TaskChange } from '../../protocol/message/taskChange.ts';
import type { AssistantCall, Delivery } from '../../protocol/message/transcript.ts';
import { withoutUndefined } from '../../protocol/versions/shared/fields.ts';
import type { Written } from '../../store/rows/changeWriter.ts';
import type { Wire } from '../../store/rows/exchangeRows.ts';
import type { TaskStore } from '../../store/taskStore.ts';
import { now } from '../now.ts';
import type { Journal, RecordListener, RecordOptions } from '../run/journal.ts';
import { TaskSizes } from '../run/taskSizes.ts';

interface JournalOptions {
  readonly store: TaskStore;
  /** Key of the context. */
  readonly key: string;
  /** Id of this process. */
  readonly owner: string;
  /** See `Standing.restartedAt`. */
  readonly restartedAt?: () => number | undefined;
  /** Called with what was committed, after the commit. */
  readonly onWritten: (written: Written) => void;
  /** Called after a commit of exchanges that have findings. */
  readonly onFound: () => void;
  readonly onError: (error: unknown) => void;
}

/** How long the wire log may wait to be written together with something else, in milliseconds. */
const logDelay = 150;

/**
 * Writes one context's history and reports each write after its commit. Raw exchanges and frames are written in the same transaction as what
 * they brought.
 */
export class HistoryWriter implements Journal {
  /** How much has arrived of each task. */
  readonly sizes: TaskSizes;
  /** Secrets that were sent: they are removed from whatever is written. They exist only here, and end with this process. */
  readonly passwords: SentPassword[] = [];
  readonly #options: JournalOptions;
  #exchanges = new Map<string, Exchange>();
  /** Exchanges that have not ended: more frames of them may come. */
  readonly #open = new Map<string, Exchange>();
  #frames = new Map<string, Frame[]>();
  #waiting = 0;
  #logTimer: NodeJS.Timeout | undefined;
  #closed = false;
  #gone = false;

  constructor(options: JournalOptions) {
    this.#options = options;
    this.sizes = new TaskSizes(taskId => options.store.sizes.of(options.key, taskId));
  }

  readonly log: WireLog = {
    exchange: exchange => {
      if (this.#closed) return;
      this.#exchanges.set(exchange.id, exchange);
      if (exchange.endedAt === undefined) this.#open.set(exchange.id, exchange);
      else this.#open.delete(exchange.id);
      this.#logSoon();
    },
    frames: (exchangeId, frames) => {
      if (this.#closed) return;
      const waiting = this.#frames.get(exchangeId);
      if (waiting === undefined) this.#frames.set(exchangeId, [...frames]);
      else for (const frame of frames) waiting.push(frame);
      for (const { data } of frames) this.#waiting += data.length;
      this.#logSoon();
    },
  };

  /** Milliseconds since the epoch. */
  protected now(): number {
    return Date.now();
  }

  /** How much of the events waits to be written, in code units. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Resolves when everything is written; undefined if nothing waits for another process. */
  get written(): Promise<void> | undefined {
    return this.#options.store.writes.settled;
  }

  /**
   * `at`: when it happened, if not now. `afterwards`: writes in a later turn of the event loop. `listener` is called afterwards with the tasks that
   * another process follows: nothing of them was written. Returns whether it is written; if not, it waits for its turn or for another process's
   * write. Throws a `Problem` if the store cannot write.
   */
  record(changes: readonly TaskChange[], options: RecordOptions, listener?: RecordListener, afterwards = false): boolean {
    if (this.#gone) {
      listener?.onWritten([]);
      return true;
    }
    const { store, key, owner } = this.#options;
    const wire = this.#takeWire();
    const at = this.now();
    const write = (): void => {
      const recorded = store.record(key, changes, { at, ...options, owner, wire });
      this.#options.onWritten(recorded);
      if (changes.some(change => change.kind === 'finding') || hasFindings(wire)) this.#options.onFound();
      listener?.onWritten(recorded.disowned);
    };
    if (!afterwards) return this.inTurn(write, listener?.onError);
    store.writes.afterwards(() => {
      if (!this.#gone) write();
    }, listener?.onError ?? this.#options.onError);
    return false;
  }

  /** Does work that reads and then writes, once, after all earlier writes. Returns whether it is done; see `WaitingWrites`. */
  inTurn(work: () => void, onError = this.#options.onError): boolean {
    return this.#options.store.writes.inTurn(() => {
      if (!this.#gone) work();
    }, onError);
  }

  /** Returns the seq of the entry. */
  message(message: Message, taskId: string | undefined, assistant?: AssistantCall): number {
    const { store, key, owner } = this.#options;
    const written = store.own.putMessage(key, message, { at: this.now(), owner, taskId, assistant });
    this.#options.onWritten(written);
    return written.seq;
  }

  delivery(seq: number, delivery: Delivery, exchangeId?: string, outcome?: LocalizedMessage): void {
    const at = this.now();
    this.inTurn(() => this.#options.onWritten(this.#options.store.own.setDelivery(seq, delivery, { at, exchangeId, outcome })));
  }

  /** `once`: only if the task's last entry is not the same problem. */
  problem(
    problem: Problem,
    {
      taskId,
      exchangeId = problem.exchangeId,
      once = false,
    }: { readonly taskId?: string; readonly exchangeId?: string; readonly once?: boolean },
  ): void {
    const { store, key } = this.#options;
    const at = this.now();
    this.inTurn(() => {
      const last = once && taskId !== undefined ? store.transcript.lastEntry(key, taskId) : undefined;
      if (last?.kind === 'problem' && last.code === problem.code) return;
      this.#options.onWritten(store.own.putProblem(key, problem, { taskId, exchangeId, at }));
    });
  }

  /** The agent answered that it does not know the task. */
  loseTask(taskId: string, exchangeId?: string): void {
    const { store, key, owner } = this.#options;
    const at = this.now();
    this.inTurn(() => {
      const written = store.own.loseTask(
        key,
        taskId,
        withoutUndefined({ at, owner, exchangeId, restartedAt: this.#options.restartedAt?.() }),
      );
      if (written !== undefined) this.#options.onWritten(written);
    });
  }

  gap(reason: LocalizedMessage, taskId: string): void {
    const { store, key } = this.#options;
    const at = this.now();
    this.inTurn(() => {
      // A second cut with nothing in between is the same gap.
      if (store.transcript.lastEntry(key, taskId)?.kind !== 'gap') this.#options.onWritten(store.own.putGap(key, reason, { taskId, at }));
    });
  }

  /** The agent has sent the whole task: what a gap warned of is filled. */
  fillGaps(taskId: string): void {
    const { store, key } = this.#options;
    const at = this.now();
    this.inTurn(() => {
      const written = store.own.fillGaps(key, taskId, at);
      if (written !== undefined) this.#options.onWritten(written);
    });
  }

  /** The history has lost its content: the next write includes the exchanges that are under way. */
  rewrite(): void {
    for (const [id, exchange] of this.#open) if (!this.#exchanges.has(id)) this.#exchanges.set(id, exchange);
  }

  /** Writes what the wire log still has. */
  flush(): void {
    const onError = (error: unknown): void => {
      // Deleted in another window: the log has no place any more, and the person knows.
      if (!(error instanceof Problem && error.code === 'no-context')) this.#options.onError(error);
    };
    if (this.#exchanges.size === 0 && this.#frames.size === 0) return;
    const wire = this.#takeWire();
    try {
      this.inTurn(() => {
        this.#options.store.putWire(this.#options.key, wire);
        if (hasFindings(wire)) this.#options.onFound();
      }, onError);
    } catch (error) {
      onError(error);
    }
  }

  /** The context is deleted: nothing is written any more, waiting writes included. */
  forget(): void {
    this.#gone = true;
    this.#closed = true;
    this.#takeWire();
  }

  /** The window closes: what is under way ends here, and from now on the wire log is not kept. */
  close(): void {
    const end = { endedAt: now(), failure: closedWithWindow, failureSentence: sentence('Cut off when the window closed.') };
    for (const [id, exchange] of this.#open) this.#exchanges.set(id, { ...exchange, ...end });
    this.flush();
    this.#closed = true;
  }

  #logSoon(): void {
    this.#logTimer ??= setTimeout(() => this.flush(), logDelay).unref();
  }

  #takeWire(): Wire {
    clearTimeout(this.#logTimer);
    this.#logTimer = undefined;
    const wire = { exchanges: [...this.#exchanges.values()], frames: this.#frames, tasks: this.sizes.take() };
    this.#exchanges = new Map();
    this.#frames = new Map();
    this.#waiting = 0;
    return wire;
  }
}

const hasFindings = ({ exchanges }: Wire): boolean => exchanges.some(({ findings }) => findings.length > 0);
