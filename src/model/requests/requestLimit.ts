import { nothingButProvisional } from '../../client/http/connectionProblem.ts';
import { hint, Problem, sentence } from '../../protocol/problem.ts';

/**
 * Longest wait for a sign of life where a request sets no limit, in milliseconds: for the first, and from each to the next. An agent whose
 * stream is silent is asked about its task on another connection (`RunTiming.silence`), so one that is still there gives a sign within the
 * later time, however long it works.
 */
const silenceLimits = { first: 60_000, later: 150_000 };

/** How often it is looked whether a debugger still holds the agent, in milliseconds. */
const heldPauseMs = 1_000;

/** The next step where a limit of time may be too short. */
export const moreTime = hint(
  sentence('Look at the agent\'s own log, or give the request more time with "timeoutMs".'),
  'Look at the agent\'s own log, or give the request more time with "timeoutMs" in the file or with --timeout.',
);

/** Signs of the agent while a response is awaited. */
export interface SignsOfLife {
  /** When any bytes came from it last, by `performance.now()`; undefined before. One that sends comments alone is for `RunTiming.keptAlive`. */
  readonly lastReceivedAt: () => number | undefined;
  /** Status of an answer that was none yet (HTTP 1xx), where nothing else came. */
  readonly provisional?: () => number | undefined;
}

/** Unary calls give no sign before their response. */
export const noSignsOfLife: SignsOfLife = { lastReceivedAt: () => undefined };

/** How long one sending may take: so many milliseconds in all, or as long as its agent gives signs of life. */
export class RequestLimit {
  readonly #timeoutMs: number | undefined;
  readonly #over = new AbortController();
  readonly #ended = Promise.withResolvers<never>();
  #problem: Problem | undefined;
  /** Rest of `timeoutMs`. */
  #left: number;
  readonly #silenceLimits: typeof silenceLimits;
  readonly #now: () => number;
  readonly #isHeld: () => boolean;

  /**
   * @param timeoutMs undefined without a limit.
   * @param isHeld a debugger may hold the agent: that time does not count
   * @param now milliseconds, by the clock of `SignsOfLife`.
   */
  constructor(
    timeoutMs: number | undefined,
    isHeld = (): boolean => false,
    silence = silenceLimits,
    now = (): number => performance.now(),
  ) {
    this.#isHeld = isHeld;
    this.#silenceLimits = silence;
    this.#now = now;
    this.#timeoutMs = timeoutMs;
    this.#left = timeoutMs ?? Infinity;
  }

  /** Aborted when the time is up. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  /** The request, its file or the command line has a limit. */
  get isSet(): boolean {
    return this.#timeoutMs !== undefined;
  }

  /** Why nothing is waited for any more, once the time is up. */
  get problem(): Problem | undefined {
    return this.#problem;
  }

  /** Ends the wait for another reason than the time: work `within` it rejects with the problem. */
  end(problem: Problem): void {
    this.#ended.promise.catch(() => {});
    this.#ended.reject(problem);
    this.#over.abort(problem);
  }

  /** The result of the work. Rejects with a `Problem` `time-limit` when the time is up first; what happens between two of these does not count. */
  async within<T>(work: Promise<T>, { lastReceivedAt, provisional }: SignsOfLife): Promise<T> {
    const { promise, reject } = Promise.withResolvers<never>();
    let begun = this.#now();
    let wasHeld = false;
    let timer: NodeJS.Timeout | undefined;
    const wait = (): void => {
      if (this.#isHeld()) {
        wasHeld = true;
        timer = setTimeout(wait, heldPauseMs);
        return;
      }
      if (wasHeld) begun = this.#now();
      wasHeld = false;
      const heard = lastReceivedAt();
      const longest = heard === undefined ? this.#silenceLimits.first : this.#silenceLimits.later;
      const end = this.#timeoutMs === undefined ? Math.max(begun, heard ?? begun) + longest : begun + this.#left;
      const rest = end - this.#now();
      if (rest > 0) timer = setTimeout(wait, rest);
      else reject(this.#end(heard !== undefined, provisional?.(), this.#timeoutMs ?? longest));
    };
    wait();
    try {
      return await Promise.race([work, promise, this.#ended.promise]);
    } finally {
      clearTimeout(timer);
      this.#left -= this.#now() - begun;
    }
  }

  #end(heard: boolean, provisional: number | undefined, ms: number): Problem {
    const one = ms === 1_000;
    const inMs = ms < 1_000;
    const silent =
      provisional !== undefined
        ? nothingButProvisional(ms / 1000, provisional)
        : one
          ? sentence('The agent gave no sign of life within 1 second.')
          : inMs
            ? sentence('The agent gave no sign of life within {0} ms.', ms)
            : sentence('The agent gave no sign of life within {0} seconds.', ms / 1000);
    const late = one
      ? sentence('The request did not finish within 1 second.')
      : inMs
        ? sentence('The request did not finish within {0} ms.', ms)
        : sentence('The request did not finish within {0} seconds.', ms / 1000);
    this.#problem = new Problem('time-limit', heard && this.#timeoutMs !== undefined ? late : silent, { nextStep: moreTime });
    this.#over.abort(this.#problem);
    return this.#problem;
  }
}
