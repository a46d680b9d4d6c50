import { ConnectionProblem } from '../../client/http/connectionProblem.ts';
import { UnauthorizedProblem } from '../../client/transport/agentError.ts';
import { codeOf } from '../../client/network/errorCode.ts';
import type { Problem } from '../../protocol/problem.ts';

/** Facts from exchanges with an agent, each with the time of the last one, in milliseconds since the epoch. */
export interface Standing {
  readonly reachableAt?: number | undefined;
  /** It was reachable, then its port refused connections, and it answered again: most likely another process. */
  readonly restartedAt?: number;
  /** It answered a request with the credentials of its settings, of the sign-in that is used for it, or with none where there are none. */
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

/** Collects facts from exchanges with an agent. */
export class AgentStanding {
  #shown: Standing = {};
  readonly #now: () => number;
  readonly #onDidChange: () => void;
  readonly #onDidRestart: () => void;
  /** Its process is gone, and nothing has answered since. */
  #isGone = false;
  readonly #asksForSignIn: () => boolean;

  /**
   * @param onDidChange called when `signInRefused` changes, or whether an answer came without a refusal: times change with every response
   * @param onDidRestart called when `restartedAt` changes
   * @param asksForSignIn the card does, so that it matters whether the agent answers
   */
  constructor(now: () => number, onDidChange: () => void, onDidRestart: () => void, asksForSignIn: () => boolean) {
    this.#now = now;
    this.#onDidChange = onDidChange;
    this.#onDidRestart = onDidRestart;
    this.#asksForSignIn = asksForSignIn;
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
    if (wasRefused(problem)) this.expectRestart();
    if (problem instanceof ConnectionProblem || (problem.exchangeId === undefined && !(problem instanceof UnauthorizedProblem))) return;
    // Missing permissions (HTTP 403) do not count.
    const isRefused = isOwn && problem instanceof UnauthorizedProblem && problem.status === 401;
    const carried = isRefused && (problem.sent ?? 'none') !== 'none';
    this.#add({ reachableAt: this.#now(), ...(carried ? { signInRefused: true } : isRefused && { signedInAt: undefined }) });
  }

  /** Other credentials are sent from now on. */
  forgetSignIn(): void {
    this.#add({ signedInAt: undefined, signInRefused: false, credentialsAt: this.#now() });
  }

  /** See `Agent.expectRestart`. An agent that was never reached has nothing to restart. */
  expectRestart(): void {
    this.#isGone = this.#shown.reachableAt !== undefined;
  }

  #add(shown: Standing): void {
    const isBack = this.#isGone && shown.reachableAt !== undefined;
    if (isBack) {
      this.#isGone = false;
      this.#shown = { ...this.#shown, restartedAt: this.#now() };
    }
    this.#change(shown);
    if (isBack) this.#onDidRestart();
  }

  #change(shown: Standing): void {
    const before = this.#shown;
    const { signInRefused, signedInAt } = (this.#shown = { ...before, ...shown });
    const answers = (signedInAt === undefined) !== (before.signedInAt === undefined);
    if ((signInRefused === true) !== (before.signInRefused === true) || (answers && this.#asksForSignIn())) this.#onDidChange();
  }
}

/** The machine answered that nothing listens on the port. Other failures (names, routes, sleep) say nothing about the agent's process. */
const wasRefused = (problem: Problem): boolean => problem instanceof ConnectionProblem && codeOf(problem.cause) === 'ECONNREFUSED';
