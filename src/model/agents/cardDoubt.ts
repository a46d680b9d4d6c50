import { ConnectionProblem } from '../../client/http/connectionProblem.ts';
import { mendedByCard } from '../../protocol/mendedByCard.ts';
import type { Problem } from '../../protocol/problem.ts';

/** Shortest time between two readings of a card because of failures at an agent that answers, in milliseconds. */
const pauseMs = 60_000;

/** Failures since an agent's card was read that a wrong or outdated card may explain, and when the card is read again because of them. */
export class CardDoubt {
  #isDoubted = false;
  #readAt = -Infinity;
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Notes a failure. Returns when to read the card: with the `next` request where the agent did not answer, since it may not be back yet. */
  failed(problem: Problem): 'at-once' | 'next' | undefined {
    const isAway = problem instanceof ConnectionProblem && problem.code !== 'cancelled' && problem.reached !== 'yes';
    if (!isAway && !mendedByCard(problem)) return undefined;
    this.#isDoubted = true;
    if (isAway) return 'next';
    if (this.#now() - this.#readAt < pauseMs) return undefined;
    this.#readAt = this.#now();
    return 'at-once';
  }

  /** The card was read. Returns whether it was doubted. */
  settle(): boolean {
    const was = this.#isDoubted;
    this.#isDoubted = false;
    return was;
  }
}
