import type { Exchange } from '../../protocol/exchange.ts';
import { longAnswerHash } from '../../store/texts/longAnswers.ts';
import type { TaskWire } from '../../store/rows/taskSizes.ts';

/** How many answers are recognized when they are repeated. */
const maxAnswers = 64;

/** How much each task of one context has received, in bytes, over all streams, polls and restarts. */
export class TaskSizes {
  readonly #read: (taskId: string) => number;
  readonly #sizes = new Map<string, number>();
  /** Hashes of the last long answers: a repeated one is not stored again. */
  readonly #answers = new Set<string>();
  #unwritten = { sizes: new Map<string, number>(), exchanges: new Map<string, string>() };

  /** `read`: the sizes in the history. */
  constructor(read: (taskId: string) => number) {
    this.#read = read;
  }

  of(taskId: string): number {
    let size = this.#sizes.get(taskId);
    if (size === undefined) this.#sizes.set(taskId, (size = this.#read(taskId)));
    return size;
  }

  /** Another process may have written more. */
  readAgain(taskId: string): void {
    this.#sizes.set(taskId, this.#read(taskId) + (this.#unwritten.sizes.get(taskId) ?? 0));
  }

  add(taskId: string, bytes: number): void {
    this.#sizes.set(taskId, this.of(taskId) + bytes);
    this.#unwritten.sizes.set(taskId, (this.#unwritten.sizes.get(taskId) ?? 0) + bytes);
  }

  /** The exchange is about the task. */
  assign(exchangeId: string, taskId: string): void {
    this.#unwritten.exchanges.set(exchangeId, taskId);
  }

  /** How many bytes of the answer are new. */
  newIn(exchange: Exchange): number {
    const { body = '', bytes = '' } = exchange.response ?? {};
    const hash = longAnswerHash(exchange);
    if (hash !== undefined) {
      if (this.#answers.has(hash)) return 0;
      this.#answers.add(hash);
      const [oldest] = this.#answers;
      if (this.#answers.size > maxAnswers && oldest !== undefined) this.#answers.delete(oldest);
    }
    return body.length + bytes.length;
  }

  /** Returns the unwritten sizes, once. */
  take(): TaskWire {
    const taken = this.#unwritten;
    if (taken.sizes.size > 0 || taken.exchanges.size > 0) this.#unwritten = { sizes: new Map(), exchanges: new Map() };
    return taken;
  }
}
