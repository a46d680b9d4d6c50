import { maxFindings, type Finding } from '../../protocol/finding.ts';
import type { TaskChange } from '../../protocol/message/taskChange.ts';
import type { TaskState } from '../../protocol/message/taskState.ts';

/** Most states of one answer that are kept in order. */
const maxStates = 1_000;

/** What happened while an answer came, besides its final result. */
export class RunObservations {
  readonly #states: TaskState[] = [];
  readonly #findings: Finding[] = [];
  readonly #found = new Set<string>();

  /** The states of the task in order; a state that is repeated counts once. */
  get states(): readonly TaskState[] {
    return [...this.#states];
  }

  /** Findings, each once. A hostile answer could cause any number, so only the first hundred are kept. */
  get findings(): readonly Finding[] {
    return [...this.#findings];
  }

  take(changes: readonly TaskChange[], findings: readonly Finding[] = []): void {
    for (const change of changes) {
      if (change.kind === 'finding') this.#find(change.finding);
      if (change.kind !== 'status') continue;
      const { state } = change.status;
      if (this.#states.at(-1) !== state && this.#states.length < maxStates) this.#states.push(state);
    }
    findings.forEach(finding => this.#find(finding));
  }

  #find(finding: Finding): void {
    if (this.#findings.length >= maxFindings) return;
    const key = JSON.stringify([finding.rule, finding.pointer, finding.message]);
    if (this.#found.has(key)) return;
    this.#found.add(key);
    this.#findings.push(finding);
  }
}
