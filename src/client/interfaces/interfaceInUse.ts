import { findingOf, type Finding } from '../../protocol/finding.ts';
import type { Operation } from '../../protocol/message/operations.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { UnimplementedProblem } from '../grpc/problem.ts';
import type { ChosenInterface } from './agentInterface.ts';
import { alternativeTo, refusesVersion, type Refusal } from './refusal.ts';

/** Called when the agent refuses the version of the interface in use. */
export interface VersionListener {
  /** The agent refused the version of `from`, so `to` is used from now on. */
  versionSwitched?(from: ChosenInterface, to: ChosenInterface): void;
  /** The agent refused the version, and its card has no other version that may be used. */
  versionRefused?(error: Refusal): void;
}

/**
 * The interface of its card over which an agent is called. A request that the agent refused because it does not support the version is sent
 * once more in another version of the card (A2A 1.0 §3.6.3): `instead` returns its interface, then `keep`, `turnBack` or `judge` decides
 * for all later requests.
 */
export class InterfaceInUse {
  readonly #others: readonly ChosenInterface[];
  readonly #listener: VersionListener;
  #chosen: ChosenInterface;
  /** The interface over which a send was answered: its version is kept, even if it lacks other methods. */
  #answered: ChosenInterface | undefined;
  /** Another version was tried; the decision is final. */
  #decided = false;

  /** @param others further interfaces of the card that may be used instead */
  constructor(chosen: ChosenInterface, others: readonly ChosenInterface[], listener: VersionListener) {
    this.#chosen = chosen;
    this.#others = others;
    this.#listener = listener;
  }

  get chosen(): ChosenInterface {
    return this.#chosen;
  }

  /** A send was answered over it. */
  answered(used: ChosenInterface): void {
    this.#answered = used;
  }

  /**
   * The interface to use after a refusal; undefined where the refusal is final. Calls made meanwhile use it too, until `keep` or
   * `turnBack` decides.
   */
  instead(used: ChosenInterface, error: unknown, operation: Operation, note: (finding: Finding) => void): ChosenInterface | undefined {
    if (!refusesVersion(error, operation) || (this.#answered === used && isUnknownMethod(error))) return undefined;
    if (this.#chosen !== used) return this.#chosen;
    const other = this.#decided ? undefined : alternativeTo(used, this.#others, error);
    if (other === undefined) {
      this.#listener.versionRefused?.(error);
      return undefined;
    }
    const [refused, next] = [used.version.protocolVersion, other.version.protocolVersion];
    note(
      findingOf(
        'CARD-07',
        '',
        sentence('The agent refused A2A {0}, which its card declares, so the request was repeated in {1}.', refused, next),
      ),
    );
    const { protocolBinding, protocolVersion, url } = other.interface;
    this.#chosen = {
      ...other,
      reason: sentence(
        'Uses {0} {1} at {2}, because the agent refused A2A {3}.',
        protocolBinding,
        protocolVersion,
        url,
        used.version.protocolVersion,
      ),
    };
    return this.#chosen;
  }

  keep(from: ChosenInterface, to: ChosenInterface): void {
    if (this.#decided || this.#chosen !== to) return;
    this.#decided = true;
    this.#listener.versionSwitched?.(from, to);
  }

  turnBack(from: ChosenInterface): void {
    if (!this.#decided) this.#chosen = from;
  }

  /**
   * Called when both attempts failed; returns the error that is the result. If the agent refuses both versions, that is the first. Any other
   * answer shows that it supports the second version.
   */
  judge(from: ChosenInterface, to: ChosenInterface, operation: Operation, first: unknown, second: unknown): unknown {
    if (refusesVersion(second, operation)) {
      this.turnBack(from);
      this.#decided = true;
      this.#listener.versionRefused?.(first as Refusal);
      return first;
    }
    if (isAnswer(second)) this.keep(from, to);
    else this.turnBack(from);
    return second;
  }
}

const isUnknownMethod = (error: Refusal): boolean => error instanceof UnimplementedProblem || error.errorName === 'MethodNotFoundError';

const isAnswer = (error: unknown): boolean => error instanceof Problem && error.code === 'agent-error';
