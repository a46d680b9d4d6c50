import type { SentPassword, WireLog } from '../../client/wireLog/wireLog.ts';
import { hint, Problem, sentence } from '../../protocol/problem.ts';
import type { Exchange, Frame } from '../../protocol/exchange.ts';
import type { Journal } from './journal.ts';

export interface TaskLogOptions {
  readonly journal: Journal;
  /** The task that the log is about, once it is known. */
  readonly taskId: () => string | undefined;
  /** How much of the task is kept, in bytes; Infinity: no bound. */
  readonly most: () => number;
  /** Called when more than that has arrived, once the current input is taken in. */
  readonly onFull: () => void;
  /** See `WireLog.received`. */
  readonly onReceived?: ((bytes: number | undefined) => void) | undefined;
}

/** A task of more than 256 MiB has gone wrong. */
export const maxTaskBytes = 256 * 2 ** 20;

/** The wire log of one run or call. It counts all bytes of its task as they arrive, unreadable ones included. */
export class TaskLog implements WireLog {
  readonly #options: TaskLogOptions;
  /** Bytes of which the task is not yet known. */
  #unassignedBytes = 0;
  /** Exchanges of which the task is not yet known. */
  #unassignedExchanges: string[] = [];
  #reported = false;

  constructor(options: TaskLogOptions) {
    this.#options = options;
  }

  get passwords(): readonly SentPassword[] {
    return this.#options.journal.passwords;
  }

  /** No more is kept. */
  get isFull(): boolean {
    return this.#size > this.#options.most();
  }

  /** Why the task is no longer listened to. */
  get problem(): Problem {
    return taskTooLarge(this.#options.most());
  }

  exchange(exchange: Exchange): void {
    const { journal, taskId } = this.#options;
    journal.log.exchange(exchange);
    const id = taskId();
    if (id === undefined) this.#unassignedExchanges.push(exchange.id);
    else journal.sizes.assign(exchange.id, id);
    if (exchange.endedAt !== undefined) this.#count(journal.sizes.newIn(exchange));
  }

  frames(exchangeId: string, frames: readonly Frame[]): void {
    this.#options.journal.log.frames(exchangeId, frames);
  }

  received(bytes?: number): void {
    this.#options.onReceived?.(bytes);
    if (bytes !== undefined && bytes > 0) this.#count(bytes);
  }

  /** The task may be known by now. */
  settle(): void {
    const {
      journal: { sizes },
      taskId,
    } = this.#options;
    const id = taskId();
    if (id === undefined) return;
    if (this.#unassignedBytes > 0) sizes.add(id, this.#unassignedBytes);
    for (const exchangeId of this.#unassignedExchanges) sizes.assign(exchangeId, id);
    this.#unassignedBytes = 0;
    this.#unassignedExchanges = [];
  }

  get #size(): number {
    const id = this.#options.taskId();
    return this.#unassignedBytes + (id === undefined ? 0 : this.#options.journal.sizes.of(id));
  }

  #count(bytes: number): void {
    this.#unassignedBytes += bytes;
    this.settle();
    if (this.#reported || !this.isFull) return;
    this.#reported = true;
    setImmediate(() => this.#options.onFull());
  }
}

/** @param most in bytes */
export const taskTooLarge = (most: number): Problem =>
  new Problem(
    'task-too-large',
    sentence(
      'This task has sent more than {0} MiB, the limit for one task. It is no longer followed; everything before is kept.',
      maxTaskMiB(most),
    ),
    {
      nextStep: hint(
        sentence('Start another task. To receive more of this one, raise the setting a2a.history.maxTaskSizeMB.'),
        'Ask the agent for less in one task, or for files by reference.',
      ),
    },
  );

const maxTaskMiB = (bytes: number): number => Math.round((bytes / 2 ** 20) * 100) / 100;
