import type { StreamResponse } from '../../protocol/message/streamResponse.ts';
import { isActive, isTerminal, type TaskState } from '../../protocol/message/taskState.ts';

/** Limits for reading a stream after the end of its task; a server should then close it (A2A 1.0 §3.1.2). */
const afterEnd = { events: 100, ms: 10_000 };

/**
 * Watches a stream and ends it shortly after its task has ended: at most 100 events and 10 s later, whether the server continues to send
 * events, sends invalid ones, or leaves the connection open in silence.
 */
export class AfterEnd {
  /** Aborts the request. */
  readonly signal: AbortSignal;
  readonly #canceled: AbortSignal | undefined;
  readonly #longest: typeof afterEnd;
  readonly #enough = new AbortController();
  readonly #end = new StreamEnd();
  #timer: NodeJS.Timeout | undefined;

  /** @param signal cancels the request */
  constructor(signal: AbortSignal | undefined, longest = afterEnd) {
    this.#canceled = signal;
    this.#longest = longest;
    this.signal = signal === undefined ? this.#enough.signal : AbortSignal.any([signal, this.#enough.signal]);
  }

  /** Takes note of events that were read. Returns whether that is enough. */
  take(events: readonly StreamResponse[]): boolean {
    this.#end.take(events);
    if (this.#end.isReported) this.#timer ??= setTimeout(() => this.#enough.abort(), this.#longest.ms);
    else this.stop();
    return this.#end.after >= this.#longest.events;
  }

  /** True if the stream broke off because it had been read for long enough. */
  get isOver(): boolean {
    return this.#enough.signal.aborted && this.#canceled?.aborted !== true;
  }

  /** Nothing more is read. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

/** The end of the task in a stream, and the number of events after it. */
export class StreamEnd {
  #isReported = false;
  #after = 0;
  #events = 0;

  get isReported(): boolean {
    return this.#isReported;
  }

  /** Number of events after the end. */
  get after(): number {
    return this.#after;
  }

  take(events: readonly StreamResponse[]): void {
    for (const event of events) {
      this.#events++;
      if (this.#isReported) this.#after++;
      const state = stateIn(event);
      if (state === undefined) continue;
      if (isTerminal(state)) this.#isReported = true;
      // A server may begin with the task in its previous state, and resume it right after.
      else if (isActive(state) && this.#events === 2) {
        this.#isReported = false;
        this.#after = 0;
      }
    }
  }
}

/** The state of the task in an event. */
export function stateIn(event: StreamResponse): TaskState | undefined {
  if ('task' in event) return event.task.status.state;
  return 'statusUpdate' in event ? event.statusUpdate.status.state : undefined;
}
