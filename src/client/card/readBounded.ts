import type { AgentCard } from '../../protocol/card/agentCard.ts';
import type { Note } from '../../protocol/finding.ts';
import { readAgentCard } from '../../protocol/versions/index.ts';
import { isObject } from '../../protocol/json.ts';
import { sentence } from '../../protocol/problem.ts';

/**
 * Reads a card of any version. It may be wrapped in another object, so its size is limited before and after reading.
 * @throws Problem `not-a-card`, `nested-too-deeply`
 */
export const readBounded = (value: unknown, note: Note, place: string): AgentCard =>
  boundedCard(readAgentCard(boundedCard(value, note), note, place), note);

/** Most interfaces, skills, schemes and similar items that are read from a card: they are shown and searched often. */
const most = 1_000;

/** Members of a card that are lists or maps, in any protocol version. */
const lists = [
  'supportedInterfaces',
  'additionalInterfaces',
  'skills',
  'securitySchemes',
  'securityRequirements',
  'security',
  'signatures',
  'defaultInputModes',
  'defaultOutputModes',
];

/** The card without the items that exceed the limit; what was left out is noted. */
function boundedCard<Card>(card: Card, note: Note): Card {
  if (!isObject(card)) return card;
  const bounded = boundedMembers(card, lists, '', note);
  const { capabilities } = bounded;
  return (
    isObject(capabilities) ? { ...bounded, capabilities: boundedMembers(capabilities, ['extensions'], '/capabilities', note) } : bounded
  ) as Card;
}

function boundedMembers(
  from: Readonly<Record<string, unknown>>,
  names: readonly string[],
  pointer: string,
  note: Note,
): Readonly<Record<string, unknown>> {
  const cut: Record<string, unknown> = {};
  for (const name of names) {
    const value = from[name];
    const count = Array.isArray(value) ? value.length : isObject(value) ? Object.keys(value).length : 0;
    if (count <= most) continue;
    cut[name] = Array.isArray(value) ? value.slice(0, most) : Object.fromEntries(Object.entries(value as object).slice(0, most));
    note('CARD-03', `${pointer}/${name}`, sentence('The card has {0} of {1}; the first {2} were read.', count, name, most));
  }
  return Object.keys(cut).length === 0 ? from : { ...from, ...cut };
}
