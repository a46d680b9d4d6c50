import { ConnectionProblem } from '../../client/http/connectionProblem.ts';
import { A2AError, isTaskNotFound } from '../../protocol/errors.ts';
import { hint, Problem, sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import { gapOf, inForeignState } from './gap.ts';
import type { TaskWatch } from './taskWatch.ts';
import { setTimeout as sleep } from 'node:timers/promises';

/** The task that recovery follows. */
export type RecoveredTask = Pick<
  TaskWatch,
  'ask' | 'subscribe' | 'lose' | 'state' | 'foreignState' | 'unfinished' | 'asks' | 'connection'
> & {
  readonly stream: Pick<TaskWatch['stream'], 'signal' | 'awake'>;
  readonly updates: Pick<TaskWatch['updates'], 'miss'>;
  readonly scope: Pick<TaskWatch['scope'], 'timing'> & { readonly agent: Pick<TaskWatch['scope']['agent'], 'card' | 'answerTimeoutMs'> };
};

/**
 * Follows a task whose stream is gone or was never in this process: asks for its state, then listens to it, again and again until it is over,
 * or has been in a state that A2A does not have for as long as an answer may take.
 * The request that began the task is never repeated (a second POST would be a second message). Rejects with a `Problem`: the agent's own, or
 * `lost-contact`. `gap`: the gap to write if something was missed; `subscribes`: false if the task may only be asked for.
 */
export async function recover(watch: RecoveredTask, gap: LocalizedMessage | undefined, subscribes?: false): Promise<void> {
  const { stream, connection } = watch;
  const { timing, agent } = watch.scope;
  const retries = new Backoff({ firstMs: timing.firstRetry, maxMs: timing.maxRetryMs });
  const polls = new Backoff({ firstMs: timing.firstPoll, maxMs: timing.maxPollMs });
  let lastContact = Date.now();
  /** Since when the task has been in a state that A2A does not have. */
  let strangeSince: number | undefined;
  let subscribable = true;
  const patience = new AbortController();
  const signal = AbortSignal.any([stream.signal, patience.signal]);
  let timer: NodeJS.Timeout | undefined;
  let missed = gap;
  const ask = async (): Promise<void> => {
    await watch.ask(missed, false, stream.awake);
    missed = undefined;
    // An authorization elsewhere (A2A 1.0 §7.6.1) lets the task go on without another message; that is not waited for without end.
    if (watch.state === 'TASK_STATE_AUTH_REQUIRED') timer ??= setTimeout(() => patience.abort(), timing.giveUp);
  };
  const subscribe = async (): Promise<Problem | undefined> => {
    const fault = await watch.subscribe();
    if (watch.unfinished && (fault === undefined || fault instanceof ConnectionProblem)) missed = gapOf(fault);
    return fault;
  };
  // In a window that has just started, nothing is known of the agent until it is asked.
  const streams = (): boolean => subscribes ?? agent.card?.capabilities.streaming === true;
  const isOver = (): boolean => watch.state !== undefined && !watch.unfinished;
  watch.lose();
  try {
    while (!signal.aborted) {
      let pause = retries;
      let leastMs = 0;
      const woken = stream.awake;
      connection.attempt();
      try {
        let refusal: A2AError | undefined;
        try {
          await ask();
        } catch (error) {
          // An agent that does not say how a task stands may stream it all the same.
          if (!(error instanceof A2AError) || isTaskNotFound(error) || !subscribable || !streams()) throw error;
          refusal = error;
          if (missed !== undefined) watch.updates.miss(missed);
          missed = undefined;
        }
        lastContact = Date.now();
        if (watch.foreignState === undefined) connection.open();
        if (isOver()) return;
        if (!subscribable || !streams()) {
          connection.settle();
          if (watch.foreignState === undefined) {
            pause = polls;
            connection.poll();
          }
        } else {
          const before = Date.now();
          const fault = await subscribe();
          lastContact = Date.now();
          if (signal.aborted) return;
          // In 0.3 a subscription does not begin with a snapshot, so it misses what was said since the last question.
          if (isOver()) return refusal === undefined ? await ask() : undefined;
          if (refusal !== undefined && !(fault instanceof ConnectionProblem))
            throw fault === undefined || fault instanceof A2AError ? refusal : fault;
          if (fault instanceof A2AError || isOfAnother(fault)) subscribable = false;
          else {
            if (Date.now() - before > timing.firstRetry) {
              retries.reset();
              connection.settle();
            }
            if (fault !== undefined || !watch.asks) connection.loseStream(fault);
          }
        }
        if (watch.foreignState === undefined) strangeSince = undefined;
        else {
          const strange = inForeignState(watch.foreignState);
          strangeSince ??= Date.now();
          if (Date.now() - strangeSince > (agent.answerTimeoutMs ?? timing.giveUp)) throw strange;
          connection.lose(strange);
        }
      } catch (error) {
        if (signal.aborted) return;
        if (!isPassing(error)) throw error;
        connection.lose(error);
        leastMs = error.waitMs;
        if (Date.now() - lastContact > timing.giveUp && !woken.aborted) throw lostContact(error);
      }
      if (!(await pause.wait(signal, AbortSignal.any([woken, connection.hurry]), ms => connection.wait(ms), leastMs))) return;
      if (!woken.aborted) continue;
      lastContact = Date.now();
      retries.reset();
    }
  } finally {
    clearTimeout(timer);
  }
}

/** Worth another try: the problem is about the way to the agent, and not about the task. */
const isPassing = (error: unknown): error is Problem =>
  error instanceof ConnectionProblem || (error instanceof Problem && error.code === 'http-error');

/** The agent sent another task than the one that was subscribed to, and would do so again. */
const isOfAnother = (fault: unknown): boolean => fault instanceof Problem && fault.code === 'other-task';

function lostContact(cause: unknown): Problem {
  return new Problem('lost-contact', sentence('The agent could not be reached again, so it is unknown how the task ends.'), {
    nextStep: hint(sentence('Refresh the task when the agent can be reached.'), 'a2a task get says it when the agent can be reached.'),
    details: cause instanceof Error ? cause.message : undefined,
    cause,
  });
}

/** Waits between attempts, in milliseconds, with full jitter: many clients of one agent do not come back at the same moment. */
export class Backoff {
  readonly #firstMs: number;
  readonly #maxMs: number;
  readonly #random: () => number;
  #attempt = 0;

  constructor({
    firstMs,
    maxMs,
    random = Math.random,
  }: { readonly firstMs: number; readonly maxMs: number; readonly random?: () => number }) {
    this.#firstMs = firstMs;
    this.#maxMs = maxMs;
    this.#random = random;
  }

  /** The next wait: a random time up to the first wait doubled with each attempt, and up to the longest wait. */
  next(): number {
    const ceiling = Math.min(this.#maxMs, this.#firstMs * 2 ** this.#attempt);
    this.#attempt++;
    return ceiling * this.#random();
  }

  reset(): void {
    this.#attempt = 0;
  }

  /**
   * Resolves to false, at once, when `signal` is aborted; `hurry` ends the wait early. `onWait` gets its length, which is at least `leastMs`
   * as far as the longest wait allows. The timer keeps the process alive, because in a terminal nothing else does meanwhile.
   */
  async wait(signal: AbortSignal, hurry?: AbortSignal, onWait?: (ms: number) => void, leastMs = 0): Promise<boolean> {
    const ms = Math.max(this.next(), Math.min(leastMs, this.#maxMs));
    onWait?.(ms);
    try {
      await sleep(ms, undefined, { signal: hurry === undefined ? signal : AbortSignal.any([signal, hurry]) });
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      if (hurry?.aborted === true) return true;
      throw error;
    }
  }
}
