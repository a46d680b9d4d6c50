import type { CardCheck, CardFault } from '../../../protocol/card/checks/cardFault.ts';
import type { CardView, PassiveNote } from './passiveCheck.ts';
import { step } from './values.ts';

/** Most faults of one check that are noted. */
const maxFaults = 200;
/** Longest text of the card that a sentence quotes, in UTF-16 code units. */
const maxQuoted = 200;

/** Notes what a check of card documents finds, where it is one of the rule's. */
export function noteFaults({ card, version }: CardView, note: PassiveNote, check: CardCheck, isMeant: (fault: CardFault) => boolean): void {
  let count = 0;
  for (const fault of check({ card, form: version === '1.0' ? '1.0' : '0.3' })) {
    if (!isMeant(fault)) continue;
    if (++count > maxFaults) return;
    const { template, args } = fault.sentence;
    const pointer = fault.path.map(name => step(String(name))).join('');
    const shown = args.map(arg => (typeof arg === 'string' && arg.length > maxQuoted ? `${arg.slice(0, maxQuoted)}…` : arg));
    note(pointer, { template, args: shown }, fault.disputed && { disputed: true });
  }
}

export const isOneOf =
  (...codes: readonly string[]) =>
  ({ code }: CardFault): boolean =>
    codes.includes(code);
