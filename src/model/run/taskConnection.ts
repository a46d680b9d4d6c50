import { Problem, sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import type { TaskStore } from '../../store/taskStore.ts';
import { endedBeforeTask } from './gap.ts';

/**
 * The connection over which this window receives a task, or the answer to a message. Times are milliseconds since the epoch, by this
 * machine's clock.
 *
 * - `open`: a stream is read, or the agent is polled, and something was received a moment ago.
 * - `quiet`: the same, but nothing was received for a while (`RunTiming.quiet`), counted from `lastReceivedAt`; where that is undefined
 *   nothing was received at all, and `since` is when the connection began. `polled`: no stream is open.
 *   `reason`: the stream ended before the task and no other can be opened, as a sentence for the person.
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
  | {
      readonly kind: 'open' | 'quiet';
      readonly since: number;
      readonly lastReceivedAt?: number;
      readonly polled?: true;
      readonly reason?: LocalizedMessage;
    }
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

const pollingAfter = (streamEnd: LocalizedMessage): LocalizedMessage =>
  sentence('{0} Polling every few seconds; not finished yet.', streamEnd);

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
  /** Why the stream is gone that was read last. */
  #streamEnd: LocalizedMessage | undefined;
  #isPolling = false;
  #hurry = new AbortController();

  /** `quiet`: after how many milliseconds without a sign of the agent it counts as quiet. */
  constructor(quiet: number, onChange: () => void) {
    this.#onChange = onChange;
    this.#timer = setTimeout(() => this.#fallQuiet(), quiet).unref();
  }

  get state(): TaskConnection {
    const times = { since: this.#since, ...(this.#lastReceivedAt !== undefined && { lastReceivedAt: this.#lastReceivedAt }) };
    if (this.#lost !== undefined) return { ...times, ...this.#lost, attempt: this.#attempt };
    const reason = this.#streamEnd !== undefined && this.#isPolling ? { reason: pollingAfter(this.#streamEnd) } : {};
    return { kind: this.#isQuiet ? 'quiet' : 'open', ...times, ...reason };
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

  /** The stream is gone, because of an error or because the agent ended it; another attempt follows. */
  loseStream(fault: Problem | undefined): void {
    this.#streamEnd = fault?.sentence ?? endedBeforeTask;
    this.#lose('lost', this.#streamEnd);
  }

  /** The agent cannot be asked, or what it answers is of no use; another attempt follows. */
  lose(fault: Problem): void {
    this.#lose(fault.code === 'unknown-state' ? 'unknown-state' : 'lost', fault.sentence);
  }

  /** No stream can be opened: the task is asked for again and again. */
  poll(): void {
    if (this.#isPolling) return;
    this.#isPolling = true;
    if (this.#streamEnd !== undefined) this.#onChange();
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

  #lose(kind: Lost['kind'], reason: LocalizedMessage): void {
    this.#attempt++;
    this.#become({ kind, reason });
  }

  #become(lost: Lost | undefined): void {
    if ((lost === undefined) !== (this.#lost === undefined)) this.#since = Date.now();
    this.#lost = lost;
    this.#onChange();
  }
}
