import { ConnectionProblem } from '../../client/http/connectionProblem.ts';
import { A2AError, isTaskNotFound } from '../../protocol/errors.ts';
import { hint, Problem, sentence } from '../../protocol/problem.ts';
import { Backoff } from './backoff.ts';
import type { RunTiming } from './runTiming.ts';
import type { RunConnection } from './taskConnection.ts';

/** What recovery needs of a run. */
export interface RecoveryOptions {
  /** GetTask; applies the answer to the task. Rejects with a `Problem`. */
  readonly ask: () => Promise<void>;
  /** SubscribeToTask; applies what comes. Resolves to what ended it early, if anything. */
  readonly subscribe: () => Promise<Problem | undefined>;
  /** The task may be subscribed to; otherwise it is asked for again and again. */
  readonly streams: () => boolean;
  /** The task has reached a state in which nobody needs to listen. */
  readonly isOver: () => boolean;
  /** The task waits for something from outside: a stream that its agent ends then has told all (A2A 1.0 §11.7). Left out, it never does. */
  readonly isWaiting?: () => boolean;
  readonly signal: AbortSignal;
  /** Aborted when the machine next wakes from sleep: a failure during sleep says nothing about the agent. */
  readonly awake: () => AbortSignal;
  readonly timing: RunTiming;
  readonly connection: RunConnection;
}

/**
 * Follows a task whose stream is gone: asks for its state, then listens to it, again and again until it is over. The request that began the
 * task is never repeated (a second POST would be a second message). Rejects with a `Problem`: the agent's own, or `lost-contact`.
 */
export async function recover({
  ask,
  subscribe,
  streams,
  isOver,
  isWaiting = () => false,
  signal,
  awake,
  timing,
  connection,
}: RecoveryOptions): Promise<void> {
  const retries = new Backoff({ firstMs: timing.firstRetry, maxMs: timing.maxRetryMs });
  const polls = new Backoff({ firstMs: timing.firstPoll, maxMs: timing.maxPollMs });
  let lastContact = Date.now();
  let subscribable = true;
  while (!signal.aborted) {
    let pause = retries;
    const woken = awake();
    connection.attempt();
    try {
      let refusal: A2AError | undefined;
      try {
        await ask();
      } catch (error) {
        // An agent that does not say how a task stands may stream it all the same.
        if (!(error instanceof A2AError) || isTaskNotFound(error) || !subscribable || !streams()) throw error;
        refusal = error;
      }
      lastContact = Date.now();
      connection.open();
      if (isOver()) return;
      if (!subscribable || !streams()) {
        pause = polls;
        connection.settle();
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
          if (fault !== undefined || !isWaiting()) connection.lose(fault);
        }
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!isPassing(error)) throw error;
      connection.lose(error);
      if (Date.now() - lastContact > timing.giveUp && !woken.aborted) throw lostContact(error);
    }
    if (!(await pause.wait(signal, AbortSignal.any([woken, connection.hurry]), ms => connection.wait(ms)))) return;
    if (!woken.aborted) continue;
    lastContact = Date.now();
    retries.reset();
  }
}

/** Worth another try: the problem is about the way to the agent, and not about the task. */
const isPassing = (error: unknown): boolean =>
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
