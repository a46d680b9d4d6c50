import { Problem, type LocalizedMessage } from '../../protocol/problem.ts';
import type { TaskStore } from '../../store/taskStore.ts';
import { endedBeforeTask } from './gap.ts';

/**
 * The connection over which this window receives a task, or the answer to a message. Times are milliseconds since the epoch, by this
 * machine's clock.
 *
 * - `open`: a stream is read, or the agent is polled, and something was received a moment ago.
 * - `quiet`: the same, but nothing was received for a while (`RunTiming.quiet`), counted from `lastReceivedAt`; where that is undefined
 *   nothing was received at all, and `since` is when the connection began. `polled`: no stream is open.
 * - `lost`: the connection broke, or the agent ended the stream too early. Attempt number `attempt` (from 1) begins at `retryAt`, or is
 *   under way where that is undefined. `AgentContext.tryNow` begins it at once.
 * - `unknown-state`: the agent answers, and names a state that A2A does not have: it is asked again as where the connection is lost.
 * - `elsewhere`: another window has the connection and is alive. This one shows what that one writes.
 * - `full`: there is no connection, since the task has reached the limit of what is kept of one.
 * - `none`: there is no connection, although the task is not over: what is shown may be old. `AgentContext.tryNow` connects.
 *
 * An artifact that is not complete still arrives only while its task is `open`, `quiet` or `elsewhere`; otherwise it was cut off.
 */
export type TaskConnection =
  | { readonly kind: 'open' | 'quiet'; readonly since: number; readonly lastReceivedAt?: number; readonly polled?: true }
  | {
      readonly kind: 'lost' | 'unknown-state';
      readonly since: number;
      readonly lastReceivedAt?: number;
      readonly reason: LocalizedMessage;
      readonly attempt: number;
      readonly retryAt?: number;
    }
  | { readonly kind: 'elsewhere' | 'full' | 'none' };

/** More artifacts of the task may come; nothing comes for a task that is over or waits, whose connection is undefined. */
export const bringsMore = (connection: TaskConnection | undefined): boolean =>
  connection?.kind === 'open' || connection?.kind === 'quiet' || connection?.kind === 'elsewhere';

/** The connection of a task that is not over and has no run in this window. `most`: how much is kept of one task, in bytes. */
export function connectionWithoutRun(
  store: TaskStore,
  { context, taskId }: { readonly context: string; readonly taskId: string },
  owner: string,
  most: number,
): TaskConnection {
  if (store.leases.isElsewhere(context, taskId, owner, Date.now())) return { kind: 'elsewhere' };
  return { kind: store.sizes.of(context, taskId) > most ? 'full' : 'none' };
}

/** Why there is no connection that is of use, and when the next attempt begins. */
interface Lost {
  readonly kind: 'lost' | 'unknown-state';
  readonly reason: LocalizedMessage;
  readonly retryAt?: number;
}

/** The connection state of one run. The code that reads the stream reports to it; it reports changes of anything but `lastReceivedAt`. */
export class RunConnection {
  readonly #onChange: () => void;
  readonly #timer: NodeJS.Timeout;
  #since = Date.now();
  #lastReceivedAt: number | undefined;
  #isQuiet = false;
  #lost: Lost | undefined;
  #attempt = 0;
  #hurry = new AbortController();

  /** `quiet`: after how many milliseconds without a sign of the agent it counts as quiet. */
  constructor(quiet: number, onChange: () => void) {
    this.#onChange = onChange;
    this.#timer = setTimeout(() => this.#fallQuiet(), quiet).unref();
  }

  get state(): TaskConnection {
    const times = { since: this.#since, ...(this.#lastReceivedAt !== undefined && { lastReceivedAt: this.#lastReceivedAt }) };
    return this.#lost === undefined
      ? { kind: this.#isQuiet ? 'quiet' : 'open', ...times }
      : { ...times, ...this.#lost, attempt: this.#attempt };
  }

  /** Aborted when the next attempt is to begin at once. */
  get hurry(): AbortSignal {
    return this.#hurry.signal;
  }

  /** A sign of the agent: bytes of an answer, whatever they contain. */
  received(): void {
    this.#lastReceivedAt = Date.now();
    this.#timer.refresh();
    if (!this.#isQuiet) return;
    this.#isQuiet = false;
    if (this.#lost === undefined) this.#become(undefined);
  }

  /** The agent reported the task's state. */
  open(): void {
    if (this.#lost !== undefined) this.#become(undefined);
  }

  /** The connection lasted: attempts are counted from 1 again. */
  settle(): void {
    this.#attempt = 0;
  }

  /** The connection is gone, because of an error or because the agent ended the stream, or of no use; another attempt follows. */
  lose(fault: unknown): void {
    this.#attempt++;
    const isAnswered = fault instanceof Problem && fault.code === 'unknown-state';
    this.#become({ kind: isAnswered ? 'unknown-state' : 'lost', reason: fault instanceof Problem ? fault.sentence : endedBeforeTask });
  }

  /** The next attempt begins in so many milliseconds. */
  wait(ms: number): void {
    if (this.#lost !== undefined) this.#become({ ...this.#lost, retryAt: Date.now() + ms });
  }

  /** The wait is over: an attempt is under way. */
  attempt(): void {
    if (this.#lost?.retryAt !== undefined) this.#become({ kind: this.#lost.kind, reason: this.#lost.reason });
  }

  /** Ends the wait before the next attempt. */
  tryNow(): void {
    this.#hurry.abort();
    this.#hurry = new AbortController();
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }

  #fallQuiet(): void {
    this.#isQuiet = true;
    if (this.#lost === undefined) this.#become(undefined);
  }

  #become(lost: Lost | undefined): void {
    if ((lost === undefined) !== (this.#lost === undefined)) this.#since = Date.now();
    this.#lost = lost;
    this.#onChange();
  }
}
