import { closestMatch } from '../protocol/closestMatch.ts';
import { listOf, Problem, sentence, type LocalizedMessage } from '../protocol/problem.ts';
import { quoted } from '../protocol/quoted.ts';
import { faultNames, faults, type Fault, type FaultName, type FaultValue } from './faults.ts';
import type { FaultMemory } from './faultyAnswers.ts';
import type { ReceivedRequest, Step } from './script.ts';

/** A fault that an agent has. */
export interface ChosenFault {
  readonly name: FaultName;
  /** 0 for one that takes no number. */
  readonly value: number;
}

/** How it is written: `cut=2`, `no-end`. */
export const faultText = ({ name, value }: ChosenFault): string => (faults[name].value === undefined ? name : `${name}=${value}`);

/** How a row of the table is written where it is explained: `cut=EVENT`, `no-end`. */
export function faultSynopsis(name: FaultName): string {
  const { value } = faults[name];
  return value === undefined ? name : `${name}=${value.unit}`;
}

/** A sentence where the fault does not take this number; else undefined. */
export function wrongFaultValue(text: string, { unit, min, max }: FaultValue): LocalizedMessage | undefined {
  const isNumber = unit === 'SECONDS' ? /^\d{1,4}(\.\d{1,3})?$/ : /^\d{1,5}$/;
  return isNumber.test(text) && Number(text) >= min && Number(text) <= max
    ? undefined
    : sentence('It must be a number from {0} to {1}.', min, max);
}

/**
 * Reads `NAME` or `NAME=VALUE`.
 * @throws Problem `unknown-fault`
 */
export function readFault(text: string): ChosenFault {
  const [written = '', ...rest] = text.split('=');
  const given = rest.length === 0 ? undefined : rest.join('=');
  const name = faultNames.find(each => each === written);
  if (name === undefined) {
    const like = closestMatch(written, faultNames);
    throw new Problem(
      'unknown-fault',
      like === undefined
        ? sentence('There is no fault {0}.', quoted(written))
        : sentence('There is no fault {0}. Did you mean {1}?', quoted(written), quoted(like)),
      { nextStep: sentence('Choose one of these: {0}.', listOf(faultNames)) },
    );
  }
  const { value } = faults[name];
  const wrong = given === undefined ? undefined : value === undefined ? sentence('It takes no value.') : wrongFaultValue(given, value);
  if (wrong !== undefined)
    throw new Problem('unknown-fault', sentence('The fault {0} cannot have the value {1}. {2}', name, quoted(given ?? ''), wrong), {
      nextStep: sentence('Write {0}.', faultSynopsis(name)),
    });
  return { name, value: given === undefined ? (value?.usual[0] ?? 0) : Number(given) };
}

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
