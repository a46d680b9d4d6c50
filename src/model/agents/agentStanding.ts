import { ConnectionProblem } from '../../client/http/connectionProblem.ts';
import { UnauthorizedProblem } from '../../client/transport/agentError.ts';
import type { Problem } from '../../protocol/problem.ts';

/** What exchanges with an agent showed, each with the time of the last that did, in milliseconds since the epoch. */
export interface Standing {
  readonly reachableAt?: number | undefined;
  /** It took the credentials of its settings, or of the sign-in that is used for it. */
  readonly signedInAt?: number | undefined;
  /** It answered in the version that is spoken. */
  readonly spokeAt?: number;
  /** It refused those credentials, and has taken none since. */
  readonly signInRefused?: boolean;
}

/** Keeps what exchanges with an agent show. The listener is told where a sign-in is refused, or no longer: times change with every answer. */
export class AgentStanding {
  #shown: Standing = {};
  readonly #now: () => number;
  readonly #onDidChange: () => void;

  constructor(now: () => number, onDidChange: () => void) {
    this.#now = now;
    this.#onDidChange = onDidChange;
  }

  get shown(): Standing {
    return this.#shown;
  }

  /** Its card could be read. */
  reached(): void {
    this.#add({ reachableAt: this.#now() });
  }

  /** @param isOwn the request carried no others' credentials */
  answered(isOwn: boolean): void {
    const at = this.#now();
    this.#add({ reachableAt: at, spokeAt: at, ...(isOwn && { signedInAt: at, signInRefused: false }) });
  }

  failed(problem: Problem, isOwn: boolean): void {
    if (problem instanceof ConnectionProblem || (problem.exchangeId === undefined && !(problem instanceof UnauthorizedProblem))) return;
    // What the credentials do not allow (HTTP 403) is another matter.
    const isRefused = isOwn && problem instanceof UnauthorizedProblem && problem.status === 401 && (problem.sent ?? 'none') !== 'none';
    this.#add({ reachableAt: this.#now(), ...(isRefused && { signInRefused: true }) });
  }

  /** Other credentials are sent from now on. */
  forgetSignIn(): void {
    this.#add({ signedInAt: undefined, signInRefused: false });
  }

  #add(shown: Standing): void {
    const { signInRefused: before = false } = this.#shown;
    this.#shown = { ...this.#shown, ...shown };
    if ((this.#shown.signInRefused ?? false) !== before) this.#onDidChange();
  }
}
