import { ConnectionProblem } from '../../client/http/connectionProblem.ts';
import { UnauthorizedProblem } from '../../client/transport/agentError.ts';
import type { Problem } from '../../protocol/problem.ts';

/** Facts from exchanges with an agent, each with the time of the last one, in milliseconds since the epoch. */
export interface Standing {
  readonly reachableAt?: number | undefined;
  /** It took the credentials of its settings, or of the sign-in that is used for it. */
  readonly signedInAt?: number | undefined;
  /** Time of the last response whose version is known. */
  readonly spokeAt?: number;
  /** Its protocol version, by its shape. */
  readonly spokenVersion?: string;
  /** It refused those credentials, and has taken none since. */
  readonly signInRefused?: boolean;
  /** When the credentials were last replaced by others. */
  readonly credentialsAt?: number;
}

/** Collects facts from exchanges with an agent. `onDidChange` fires only when `signInRefused` changes: times change with every response. */
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

  /**
   * @param isOwn the request carried no others' credentials
   * @param version by the shape of the answer; undefined where nothing of it could be read
   */
  answered(isOwn: boolean, version: string | undefined): void {
    const at = this.#now();
    this.#add({
      reachableAt: at,
      ...(version !== undefined && { spokeAt: at, spokenVersion: version }),
      ...(isOwn && { signedInAt: at, signInRefused: false }),
    });
  }

  failed(problem: Problem, isOwn: boolean): void {
    if (problem instanceof ConnectionProblem || (problem.exchangeId === undefined && !(problem instanceof UnauthorizedProblem))) return;
    // Missing permissions (HTTP 403) do not count.
    const isRefused = isOwn && problem instanceof UnauthorizedProblem && problem.status === 401 && (problem.sent ?? 'none') !== 'none';
    this.#add({ reachableAt: this.#now(), ...(isRefused && { signInRefused: true }) });
  }

  /** Other credentials are sent from now on. */
  forgetSignIn(): void {
    this.#add({ signedInAt: undefined, signInRefused: false, credentialsAt: this.#now() });
  }

  #add(shown: Standing): void {
    const { signInRefused: before = false } = this.#shown;
    this.#shown = { ...this.#shown, ...shown };
    if ((this.#shown.signInRefused ?? false) !== before) this.#onDidChange();
  }
}
