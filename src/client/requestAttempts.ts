import type { Finding } from '../protocol/finding.ts';
import { isSend, type Operation } from '../protocol/message/operations.ts';
import type { ChosenInterface } from './interfaces/agentInterface.ts';
import type { InterfaceInUse } from './interfaces/interfaceInUse.ts';

interface RequestAttemptsOptions {
  /** Undefined for requests that are sent in one version only, such as raw bodies. */
  readonly operation: Operation | undefined;
  /** Exchange id of the first attempt. */
  readonly exchangeId: string | undefined;
  readonly interfaces: InterfaceInUse;
  /**
   * True where the agent refused the credentials, and there are others now.
   * @param since when the attempt began, in milliseconds since 1970
   */
  readonly isRenewed: (error: unknown, since: number) => Promise<boolean>;
  /** The error with what is known about its cause, once it is final for an interface. */
  readonly explained: (error: unknown, chosen: ChosenInterface) => Promise<unknown>;
}

/**
 * Attempts of one request: it is sent again with renewed credentials, once for each interface, and in another version of the card where the
 * agent refused the first one (A2A 1.0 §3.6.3).
 */
export class RequestAttempts {
  readonly #options: RequestAttemptsOptions;
  readonly #first: ChosenInterface;
  /** The interface that is used instead of the first, which refused the version. */
  #instead: { readonly chosen: ChosenInterface; readonly refusal: unknown; isSettled: boolean } | undefined;
  #exchangeId: string | undefined;
  #since = Date.now();
  #isRenewed = false;
  #isAnswered = false;

  constructor(options: RequestAttemptsOptions) {
    this.#options = options;
    this.#first = options.interfaces.chosen;
    this.#exchangeId = options.exchangeId;
  }

  /** The interface of this attempt. */
  get chosen(): ChosenInterface {
    return this.#instead?.chosen ?? this.#first;
  }

  /** Exchange id of this attempt; undefined for those after the first. */
  get exchangeId(): string | undefined {
    return this.#exchangeId;
  }

  /** Settles which interface is used from now on: this one. */
  answered(): void {
    if (this.#isAnswered) return;
    this.#isAnswered = true;
    const { operation, interfaces } = this.#options;
    if (this.#instead !== undefined) {
      this.#instead.isSettled = true;
      interfaces.keep(this.#first, this.#instead.chosen);
    } else if (operation !== undefined && isSend(operation)) interfaces.answered(this.#first);
  }

  /**
   * Returns where the request is to be sent once more.
   * @param note adds a finding to the exchange of the attempt
   * @param isBegun whether a part of the answer was passed on: its credentials were accepted
   * @throws the error that is the result of the request
   */
  async failed(error: unknown, note: (finding: Finding) => void, isBegun = false): Promise<void> {
    const { operation, interfaces, isRenewed, explained } = this.#options;
    this.#exchangeId = undefined;
    if (!isBegun && !this.#isRenewed && (await isRenewed(error, this.#since))) {
      this.#begin(true);
      return;
    }
    const refusal = await explained(error, this.chosen);
    if (this.#isAnswered || operation === undefined) throw refusal;
    if (this.#instead !== undefined) {
      this.#instead.isSettled = true;
      throw interfaces.judge(this.#first, this.#instead.chosen, operation, this.#instead.refusal, refusal);
    }
    const chosen = interfaces.instead(this.#first, refusal, operation, note);
    if (chosen === undefined) throw refusal;
    this.#instead = { chosen, refusal, isSettled: false };
    this.#begin(false);
  }

  /** Called at the end, also where the reader left before an answer. */
  end(): void {
    if (this.#instead?.isSettled === false) this.#options.interfaces.turnBack(this.#first);
  }

  #begin(isRenewed: boolean): void {
    this.#isRenewed = isRenewed;
    this.#since = Date.now();
  }
}
