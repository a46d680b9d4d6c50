import { isDeepStrictEqual } from 'node:util';
import { diagnoseCard } from '../../client/doctor/cardDiagnoses.ts';
import type { CardDoctor } from '../../client/doctor/cardDoctor.ts';
import type { Diagnosis } from '../../client/doctor/diagnosis.ts';
import type { AgentInterface } from '../../protocol/card/agentCard.ts';
import { nameOf } from './agentClients.ts';
import { diagnosisContextOf, type DiagnosisTarget } from '../../client/doctor/diagnosisTarget.ts';

interface AgentDiagnosisOptions {
  /** Without one, cards alone are looked at. */
  readonly doctor: CardDoctor | undefined;
  /** The card that was looked at is still the agent's. */
  readonly isCurrent: (target: DiagnosisTarget) => boolean;
  readonly onDidChange: () => void;
  readonly onError: (error: unknown) => void;
}

/** Differences between the card of an agent and the agent itself. */
export class AgentDiagnosis {
  readonly #options: AgentDiagnosisOptions;
  #found: readonly Diagnosis[] = [];
  #running: Promise<void> = Promise.resolve();
  /** Interfaces over which answers came since the last look began. */
  readonly #answered = new Set<string>();

  constructor(options: AgentDiagnosisOptions) {
    this.#options = options;
  }

  get found(): readonly Diagnosis[] {
    return this.#found;
  }

  /** Resolves once `found` holds what the last look at the card brought. Never rejects. */
  get done(): Promise<void> {
    return this.#running;
  }

  examine(target: DiagnosisTarget): Promise<void> {
    this.#answered.clear();
    this.#running = this.#diagnose(target).catch((error: unknown) => this.#options.onError(error));
    return this.#running;
  }

  /** An answer came over the interface, in its version. */
  answered(over: AgentInterface): void {
    this.#answered.add(nameOf(over));
    const found = this.#unrefuted(this.#found);
    if (found.length === this.#found.length) return;
    this.#found = found;
    this.#options.onDidChange();
  }

  /** Without what an answer has refuted, which the doctor then forgets. */
  #unrefuted(found: readonly Diagnosis[]): readonly Diagnosis[] {
    const left = found.filter(({ unanswered }) => unanswered === undefined || !this.#answered.has(nameOf(unanswered)));
    if (left.length < found.length) this.#options.doctor?.forgetFailures();
    return left;
  }

  async #diagnose(target: DiagnosisTarget): Promise<void> {
    const { doctor, isCurrent, onDidChange } = this.#options;
    const isThere = target.resolved.noCard === undefined;
    const found = this.#unrefuted(isThere ? await (doctor?.examine(target) ?? diagnoseCard(diagnosisContextOf(target))) : []);
    if (!isCurrent(target) || isDeepStrictEqual(found, this.#found)) return;
    this.#found = found;
    onDidChange();
  }
}
