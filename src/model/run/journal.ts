import type { SentPassword, WireLog } from '../../client/wireLog/wireLog.ts';
import type { Message } from '../../protocol/message/message.ts';
import type { LocalizedMessage, Problem } from '../../protocol/problem.ts';
import type { TaskChange } from '../../protocol/message/taskChange.ts';
import type { AssistantCall, Delivery } from '../../protocol/message/transcript.ts';
import type { TaskSizes } from './taskSizes.ts';

export interface RecordOptions {
  readonly exchangeId?: string;
  readonly follow?: boolean;
  /** The entry of the message that is answered. */
  readonly answers?: number;
  /** See the store's `RecordOptions`, as for `polled`. */
  readonly late?: boolean;
  readonly polled?: boolean;
  /** When it happened, if not now. */
  readonly at?: number;
}

export interface RecordListener {
  /** Called with the tasks that another process follows: nothing of them was written. */
  readonly onWritten: (disowned: readonly string[]) => void;
  /** Called with the reason if a write that had to wait failed in the end. */
  readonly onError: (error: unknown) => void;
}

/**
 * Where runs write what happens in one context. Each write is reported to the context once it is done.
 *
 * Written by the history (`contexts/historyWriter.ts`) and by `memory/memoryJournal.ts` of a terminal, which keeps nothing.
 */
export interface Journal {
  /** How much has arrived of each task. */
  readonly sizes: TaskSizes;
  /** Secrets that were sent: they are removed from whatever is written. */
  readonly passwords: SentPassword[];
  readonly log: WireLog;
  /** How much of the events waits to be written, in code units. */
  readonly waiting: number;
  /** Resolves when everything is written; undefined if nothing waits for another process. */
  readonly written: Promise<void> | undefined;
  /**
   * `afterwards`: writes in a later turn of the event loop. Returns whether it is written; if not, it waits for its turn or for another
   * process's write. Throws a `Problem` if it cannot write.
   */
  record(changes: readonly TaskChange[], options: RecordOptions, listener?: RecordListener, afterwards?: boolean): boolean;
  /** Does work that reads and then writes, once, after all earlier writes. Returns whether it is done. */
  inTurn(work: () => void, onError?: (error: unknown) => void): boolean;
  /** Returns the number of its entry. */
  message(message: Message, taskId: string | undefined, assistant?: AssistantCall): number;
  /** `outcome`: see `MessageEntry`. */
  delivery(seq: number, delivery: Delivery, exchangeId?: string, outcome?: LocalizedMessage): void;
  /** `once`: only if the task's last entry is not the same problem. */
  problem(problem: Problem, options: { readonly taskId?: string; readonly exchangeId?: string; readonly once?: boolean }): void;
  /** The agent answered that it does not know the task. */
  loseTask(taskId: string, exchangeId?: string): void;
  gap(reason: LocalizedMessage, taskId: string): void;
  /** The agent has sent the whole task: what a gap warned of is filled. */
  fillGaps(taskId: string): void;
  /** Writes what the wire log still has. */
  flush(): void;
}
