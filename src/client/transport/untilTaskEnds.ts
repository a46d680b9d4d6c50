import type { StreamResponse } from '../../protocol/message/streamResponse.ts';
import { isActive, isTerminal, type TaskState } from '../../protocol/message/taskState.ts';
import type { CallOptions, StreamBatch } from './transport.ts';

/** What is still read of a stream after the end of its task; a server should then close it (A2A 1.0 §3.1.2). */
const afterEnd = { events: 100, ms: 10_000 };

/**
 * Reads a stream until shortly after its task has ended: at most 100 events and 10 s more, whether the server continues to send events,
 * sends invalid ones, or leaves the connection open in silence.
 */
export async function* untilTaskEnds<Batch extends Pick<StreamBatch, 'events'>>(
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
      if (!end.isReported) {
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

/** Whether a stream has reported the end of its task, and how many events came after it. */
export class StreamEnd {
  #isTold = false;
  #after = 0;
  #events = 0;

  get isReported(): boolean {
    return this.#isTold;
  }

  /** Number of events after the end. */
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
      // A server may begin with the task in its previous state, and resume it right after.
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
