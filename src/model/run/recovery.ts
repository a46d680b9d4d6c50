import { ConnectionProblem } from '../../client/http/connectionProblem.ts';
import { A2AError } from '../../protocol/errors.ts';
import { hint, Problem, sentence } from '../../protocol/problem.ts';
import { Backoff } from './backoff.ts';
import type { RunTiming } from './runTiming.ts';
import type { RunConnection } from './taskConnection.ts';

/** What recovery needs of a run. */
export interface RecoveryOptions {
  /** Asks for the task and folds it in (GetTask). Rejects with a `Problem`. */
  readonly ask: () => Promise<void>;
  /** Subscribes and folds in what comes (SubscribeToTask); resolves to what ended it early, if anything. */
  readonly subscribe: () => Promise<unknown>;
  /** It may be subscribed to; otherwise it is asked again and again. */
  readonly streams: () => boolean;
  /** The task has come to where nobody needs to listen. */
  readonly isOver: () => boolean;
  readonly signal: AbortSignal;
  /** Aborted when the machine has slept next: what failed meanwhile says nothing of the agent. */
  readonly awake: () => AbortSignal;
  readonly timing: RunTiming;
  readonly connection: RunConnection;
}

/**
 * Follows a task whose stream is gone: what it is now, then what it does, again and again until it is over. The request that began it
 * is never repeated (a second POST would be a second message). Rejects with a `Problem`: what the agent says, or `lost-contact`.
 */
export async function recover({ ask, subscribe, streams, isOver, signal, awake, timing, connection }: RecoveryOptions): Promise<void> {
  const retries = new Backoff({ firstMs: timing.firstRetry, longestMs: timing.longestRetry });
  const polls = new Backoff({ firstMs: timing.firstPoll, longestMs: timing.longestPoll });
  let lastContact = Date.now();
  let subscribable = true;
  while (!signal.aborted) {
    let pause = retries;
    const woken = awake();
    connection.attempt();
    try {
      await ask();
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
        // Without a snapshot at its beginning (0.3), a subscription misses what was said since the question before.
        if (isOver()) return await ask();
        if (fault instanceof A2AError || isOfAnother(fault)) subscribable = false;
        else {
          if (Date.now() - before > timing.firstRetry) {
            retries.reset();
            connection.settle();
          }
          connection.lose(fault);
        }
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!isPassing(error)) throw error;
      connection.lose(error);
      if (Date.now() - lastContact > timing.giveUp && !woken.aborted) throw lostContact(error);
    }
    if (!await pause.wait(signal, AbortSignal.any([woken, connection.hurry]), ms => connection.wait(ms))) return;
    if (!woken.aborted) continue;
    lastContact = Date.now();
    retries.reset();
  }
}

/** Worth another try: it says something about the way to the agent, and nothing about the task. */
const isPassing = (error: unknown): boolean => error instanceof ConnectionProblem || (error instanceof Problem && error.code === 'http-error');

/** The agent tells another task than the one that was subscribed to, and would do so again. */
const isOfAnother = (fault: unknown): boolean => fault instanceof Problem && fault.code === 'other-task';

function lostContact(cause: unknown): Problem {
  return new Problem('lost-contact', sentence('The agent could not be reached again, so nobody knows how the task ends.'), {
    nextStep: hint(sentence('Refresh the task when the agent can be reached.'), 'a2a task get says it when the agent can be reached.'),
    details: cause instanceof Error ? cause.message : undefined,
    cause,
  });
}
