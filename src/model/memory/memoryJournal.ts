import type { SentPassword, WireLog } from '../../client/wireLog/wireLog.ts';
import type { Message } from '../../protocol/message/message.ts';
import type { TaskChange } from '../../protocol/message/taskChange.ts';
import type { Delivery } from '../../protocol/message/transcript.ts';
import type { Journal, RecordHearer, RecordOptions } from '../run/journal.ts';
import { TaskSizes } from '../run/taskSizes.ts';

interface MemoryJournalOptions {
  readonly log: WireLog;
  readonly onRecord: (changes: readonly TaskChange[], options: RecordOptions) => void;
  /** Returns the number of its entry. */
  readonly onMessage: (message: Message, taskId: string | undefined) => number;
  readonly onDelivery: (seq: number, delivery: Delivery) => void;
  readonly onLost: (taskId: string) => void;
  /** A run has met a problem; its outcome has it. */
  readonly onProblem: () => void;
}

/** The journal of a context that nothing is kept of: what runs write changes the context at once. */
export class MemoryJournal implements Journal {
  readonly sizes = new TaskSizes(() => 0);
  readonly passwords: SentPassword[] = [];
  readonly log: WireLog;
  readonly waiting = 0;
  readonly written = undefined;
  readonly #options: MemoryJournalOptions;

  constructor(options: MemoryJournalOptions) {
    this.#options = options;
    this.log = options.log;
  }

  record(changes: readonly TaskChange[], options: RecordOptions, hears?: RecordHearer, afterwards = false): boolean {
    this.#options.onRecord(changes, options);
    hears?.onWritten([]);
    return !afterwards;
  }

  inTurn(work: () => void): boolean {
    work();
    return true;
  }

  message(message: Message, taskId: string | undefined): number {
    return this.#options.onMessage(message, taskId);
  }

  delivery(seq: number, delivery: Delivery): void {
    this.#options.onDelivery(seq, delivery);
  }

  problem(): void {
    this.#options.onProblem();
  }

  loseTask(taskId: string): void {
    this.#options.onLost(taskId);
  }

  /** Only a transcript shows gaps. */
  gap(): void {}

  fillGaps(): void {}

  flush(): void {}
}
