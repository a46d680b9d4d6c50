import { now } from '../now.ts';
import type { RunEnd } from './runEnd.ts';
import type { RunResult } from './sendOptions.ts';
import type { TaskWatch } from './taskWatch.ts';

/** The changes of a run, and its result once it is the client's turn. */
export class RunReport {
  /** See `Run.done`. */
  readonly done: Promise<RunResult>;
  readonly #watch: TaskWatch;
  readonly #end: RunEnd;
  readonly #resolve: (result: RunResult) => void;
  readonly #startedAt = now();
  #resolved = false;
  #shown = '';
  /** Runs out when the agent has added nothing after a question for a while. */
  #questionTimer: NodeJS.Timeout | undefined;

  constructor(watch: TaskWatch, end: RunEnd) {
    this.#watch = watch;
    this.#end = end;
    ({ promise: this.done, resolve: this.#resolve } = Promise.withResolvers<RunResult>());
  }

  /** The result of `done` if the run ended now. */
  get result(): RunResult {
    const { updates, delivery, stream, sending } = this.#watch;
    const { reducer, firstEventAt, answered, observations } = updates;
    const { states, events } = observations;
    const { problem } = this.#end;
    return {
      task: reducer.task !== undefined && (answered || sending === undefined) ? reducer.task.task : undefined,
      message: reducer.message,
      problem,
      delivery: answered ? 'sent' : (delivery?.state ?? 'sending'),
      states,
      findings: observations.findingsWith(problem?.findings),
      events,
      startedAt: this.#startedAt,
      firstEventAt,
      endedAt: now(),
      exchangeIds: [...stream.exchangeIds],
    };
  }

  /** Reports a change of anything that is shown. */
  look(): void {
    const { phase, running, asks, hasEnded, awaitsEnd, scope, taskId, state } = this.#watch;
    clearTimeout(this.#questionTimer);
    if (!running && !this.#resolved && !(this.#end.stopping && awaitsEnd)) {
      // On a stream that stays open more may follow a question.
      if (!phase.listens || !asks || hasEnded) this.#finish();
      else {
        const receivedAt = now();
        // The wait is ours: the agent took no part of it.
        this.#questionTimer = setTimeout(() => this.#finish(receivedAt), scope.timing.hearOut);
      }
    }
    const shown = JSON.stringify([running, this.#end.stopping, phase.current, taskId, state]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    scope.onDidChange();
  }

  #finish(endedAt = now()): void {
    if (this.#resolved) return;
    this.#resolved = true;
    this.#resolve({ ...this.result, endedAt });
  }
}
