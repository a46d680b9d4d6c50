import type { StreamResponse } from '../../protocol/message/streamResponse.ts';
import { isActive, isTerminal, type TaskState } from '../../protocol/message/taskState.ts';
import type { CallOptions, StreamBatch } from './transport.ts';

/** What is still read of a stream once it has told that its task is over: a server should close it then (A2A 1.0 §3.1.2). */
const afterEnd = { events: 100, ms: 10_000 };

/**
 * A stream, read until shortly after its task is over: at most 100 events and 10 s more, whether the server goes on to talk, sends what is no
 * event, or says nothing and leaves the connection open.
 */
export async function* untilOver<Batch extends Pick<StreamBatch, 'events'>>(
  open: (signal: AbortSignal) => AsyncIterable<Batch>,
  { signal }: Pick<CallOptions, 'signal'>,
  longest = afterEnd,
): AsyncGenerator<Batch> {
  const enough = new AbortController();
  const end = new StreamEnd();
  let timer: NodeJS.Timeout | undefined;
  try {
    for await (const batch of open(signal === undefined ? enough.signal : AbortSignal.any([signal, enough.signal]))) {
      yield batch;
      end.take(batch.events);
      if (!end.isTold) {
        clearTimeout(timer);
        timer = undefined;
      } else timer ??= setTimeout(() => enough.abort(), longest.ms);
      if (end.after >= longest.events) return;
    }
  } catch (error) {
    if (!enough.signal.aborted || signal?.aborted === true) throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Whether a stream has told the end of its task, and how much came after it. */
export class StreamEnd {
  #isTold = false;
  #after = 0;
  #events = 0;

  get isTold(): boolean {
    return this.#isTold;
  }

  /** Events after the one that told the end. */
  get after(): number {
    return this.#after;
  }

  take(events: readonly StreamResponse[]): void {
    for (const event of events) {
      this.#events++;
      if (this.#isTold) this.#after++;
      const state = stateIn(event);
      if (state === undefined) continue;
      if (isTerminal(state)) this.#isTold = true;
      // A server may begin with the task as the message found it, and take it up again right after.
      else if (isActive(state) && this.#events === 2) {
        this.#isTold = false;
        this.#after = 0;
      }
    }
  }
}

function stateIn(event: StreamResponse): TaskState | undefined {
  if ('task' in event) return event.task.status.state;
  return 'statusUpdate' in event ? event.statusUpdate.status.state : undefined;
}
