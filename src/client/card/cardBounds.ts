import type { Note } from '../../protocol/finding.ts';
import { isObject } from '../../protocol/json.ts';

/** So many interfaces, skills, schemes and the like of one card are read: what is made of them is shown and looked through again and again. */
const most = 1_000;

/** Members of a card that are lists, or objects with a member for each name, in any generation. */
const lists = ['supportedInterfaces', 'additionalInterfaces', 'skills', 'securitySchemes', 'securityRequirements', 'security', 'signatures', 'defaultInputModes', 'defaultOutputModes'];

/** A card as it came with no more of anything than is read; what was left out is noted. */
export function boundedCard<Card>(card: Card, note: Note): Card {
  if (!isObject(card)) return card;
  const bounded = boundedMembers(card, lists, '', note);
  const { capabilities } = bounded;
  return (isObject(capabilities) ? { ...bounded, capabilities: boundedMembers(capabilities, ['extensions'], '/capabilities', note) } : bounded) as Card;
}

function boundedMembers(from: Readonly<Record<string, unknown>>, names: readonly string[], pointer: string, note: Note): Readonly<Record<string, unknown>> {
  const cut: Record<string, unknown> = {};
  for (const name of names) {
    const value = from[name];
    const count = Array.isArray(value) ? value.length : isObject(value) ? Object.keys(value).length : 0;
    if (count <= most) continue;
    cut[name] = Array.isArray(value) ? value.slice(0, most) : Object.fromEntries(Object.entries(value as object).slice(0, most));
    note('CARD-03', `${pointer}/${name}`, `The card has ${count} of ${name}; the first ${most} were read.`);
  }
  return Object.keys(cut).length === 0 ? from : { ...from, ...cut };
}
