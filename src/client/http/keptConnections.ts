import type { RequestOptions, ResponseData } from '../dispatcher/dispatcher.ts';

/** A connection that serves one exchange at a time. */
interface KeptConnection {
  /** Origin, proxy and TLS that a request must share to use it. Undefined for a connection that is never used again. */
  readonly origin: string | undefined;
  /** Missing if `origin` is undefined. */
  request?(options: RequestOptions): Promise<ResponseData>;
  close(): void;
}

export interface KeptConnectionsOptions {
  /** How long an idle connection without an unfinished task stays open, in milliseconds. */
  readonly idleMs?: number;
  /** How long an idle connection with an unfinished task stays open, in milliseconds. A person who answers later uses a new connection. */
  readonly holdMs?: number;
  /** Most idle connections that are kept for tasks; the one that has been idle longest is closed first. */
  readonly most?: number;
}

interface Entry {
  readonly connection: KeptConnection;
  exchangeId: string;
  readonly tasks: Set<string>;
  /** When its answer ended, in milliseconds of the monotonic clock; undefined before that. */
  restsSince: number | undefined;
  /** True where another exchange may use it while it is idle. */
  isFree: boolean;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Connections whose answers have ended. Some agents abort a task when the connection that started it closes, so a connection stays open
 * while a task received over it is unfinished: for at most an hour, and at most 64 of them. Others stay open for 4 s and may be reused
 * during that time: agents commonly close theirs after 5 s, and a POST on a closing connection cannot be repeated.
 */
export class KeptConnections {
  readonly #idleMs: number;
  readonly #holdMs: number;
  readonly #most: number;
  readonly #entries = new Map<string, Entry>();

  constructor({ idleMs = 4_000, holdMs = 60 * 60_000, most = 64 }: KeptConnectionsOptions = {}) {
    this.#idleMs = idleMs;
    this.#holdMs = holdMs;
    this.#most = most;
  }

  /** Records that an exchange uses the connection. */
  use(exchangeId: string, connection: KeptConnection): void {
    this.#entries.set(exchangeId, { connection, exchangeId, tasks: new Set(), restsSince: undefined, isFree: true, timer: undefined });
  }

  /** Takes an idle connection to an origin for the exchange; undefined where there is none. */
  takeIdle(origin: string, exchangeId: string): KeptConnection | undefined {
    const now = performance.now();
    const free = [...this.#entries.values()].find(
      ({ connection, restsSince, isFree }) =>
        isFree && connection.origin === origin && restsSince !== undefined && now - restsSince < this.#idleMs,
    );
    if (free === undefined) return undefined;
    this.#entries.delete(free.exchangeId);
    clearTimeout(free.timer);
    free.exchangeId = exchangeId;
    free.restsSince = undefined;
    this.#entries.set(exchangeId, free);
    return free.connection;
  }

  /** Prevents the reuse of connections that are idle now; those that are kept for a task stay open. */
  preventReuse(): void {
    for (const entry of this.#entries.values()) entry.isFree = false;
  }

  /** Records that an unfinished task was received in the exchange. */
  addTask(exchangeId: string, task: string): void {
    const entry = this.#entries.get(exchangeId);
    if (entry === undefined || entry.tasks.has(task)) return;
    entry.tasks.add(task);
    this.#schedule(entry);
  }

  /** Records that the task has ended. */
  taskEnded(task: string): void {
    for (const entry of this.#entries.values()) if (entry.tasks.delete(task)) this.#schedule(entry);
  }

  /** Records that the answer has ended. */
  answerEnded(exchangeId: string): void {
    const entry = this.#entries.get(exchangeId);
    if (entry === undefined) return;
    entry.restsSince = performance.now();
    this.#schedule(entry);
  }

  /** Closes the connection of an exchange that failed. */
  exchangeFailed(exchangeId: string): void {
    const entry = this.#entries.get(exchangeId);
    if (entry !== undefined) this.#close(entry);
  }

  closeAll(): void {
    for (const entry of [...this.#entries.values()]) this.#close(entry);
  }

  #schedule(entry: Entry): void {
    clearTimeout(entry.timer);
    if (entry.restsSince === undefined) return;
    const {
      tasks,
      connection: { origin },
    } = entry;
    const isHeld = tasks.size > 0;
    const rest = isHeld ? this.#holdMs : origin === undefined ? 0 : this.#idleMs;
    const left = rest - (performance.now() - entry.restsSince);
    entry.timer = setTimeout(() => this.#close(entry), Math.max(0, left));
    // An idle connection does not keep the process alive.
    entry.timer.unref();
    if (isHeld) this.#makeRoom();
  }

  #makeRoom(): void {
    const resting = [...this.#entries.values()].filter(({ tasks, restsSince }) => tasks.size > 0 && restsSince !== undefined);
    if (resting.length <= this.#most) return;
    const [oldest] = resting.toSorted((one, other) => one.restsSince! - other.restsSince!);
    if (oldest !== undefined) this.#close(oldest);
  }

  #close(entry: Entry): void {
    clearTimeout(entry.timer);
    this.#entries.delete(entry.exchangeId);
    entry.connection.close();
  }
}
