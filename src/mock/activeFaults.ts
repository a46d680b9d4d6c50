import type { ReceivedRequest, Step } from './script.ts';
import type { FaultMemory } from './faultyAnswers.ts';
import type { ChosenFault } from './chosenFault.ts';
import { faults, type Fault } from './faults.ts';

const noMemory = (): FaultMemory => ({ lost: new Set(), expired: new Set() });

/** The faults that one agent has now; they may change while it runs. */
export class ActiveFaults {
  #chosen: readonly ChosenFault[];
  #memory = noMemory();

  constructor(chosen: readonly ChosenFault[] = []) {
    this.#chosen = chosen;
  }

  get chosen(): readonly ChosenFault[] {
    return this.#chosen;
  }

  /** From the next request on, in place of those before and of what came of them. */
  choose(chosen: readonly ChosenFault[]): void {
    this.#chosen = chosen;
    this.#memory = noMemory();
  }

  /** The steps of an answer with all faults, in the order in which they were chosen. */
  answer(request: ReceivedRequest, steps: Iterable<Step> | AsyncIterable<Step>, content: (step: Step) => string | Uint8Array | undefined) {
    const memory = this.#memory;
    const { operation } = request;
    const all = this.#chosen.map(({ name, value }): { readonly fault: Fault; readonly value: number } => ({ fault: faults[name], value }));
    for (const { fault, value } of operation === undefined ? [] : all) {
      const refusal = fault.refusal?.(request, memory, value);
      if (refusal !== undefined) return refusal;
    }
    if (operation !== 'SendMessage' && operation !== 'SendStreamingMessage') return steps;
    return all.reduce<Iterable<Step> | AsyncIterable<Step>>(
      (before, { fault, value }) => fault.answer?.(iterated(before), { request, value, memory, content }) ?? before,
      steps,
    );
  }

  card(card: unknown): unknown {
    return this.#chosen.reduce((before, { name }) => (faults[name] as Fault).card?.(before) ?? before, card);
  }
}

async function* iterated(steps: Iterable<Step> | AsyncIterable<Step>): AsyncGenerator<Step> {
  yield* steps;
}
