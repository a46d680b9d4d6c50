import { convertCard } from '../card/convertCard.ts';
import { minimalCard } from '../mock/minimalCard.ts';
import { servedCard } from '../mock/servedCard.ts';
import { isObject } from '../protocol/json.ts';
import type { Recording } from './recording.ts';

/** The recorded card for this address and interface, without what the played agent does not ask for: sign-ins, signatures. */
export function playedCard({ card, agent }: Recording, url: string, served: Parameters<typeof servedCard>[2]): unknown {
  const { generation, binding } = served;
  const plain = minimalCard(url, generation, binding);
  if (!isObject(card)) return { ...plain, name: agent.name ?? 'Recorded agent' };
  const { securitySchemes: _, security: __, securityRequirements: ___, signatures: ____, ...open } = card;
  if (generation === '0.1') return { ...plain, ...pick(open, ['name', 'description', 'version', 'capabilities', 'skills']) };
  const shape = generation.startsWith('1.') ? '1.0' : '0.3';
  const has = Array.isArray(open['supportedInterfaces']) ? '1.0' : '0.3';
  const own = shape === has ? open : (JSON.parse(convertCard(open, shape).text) as unknown);
  const shown = servedCard(own, url, served);
  return shape === '0.3' && isObject(shown) ? { ...shown, ...pick(plain as Record<string, unknown>, ['protocolVersion']) } : shown;
}

const pick = (from: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(names.flatMap(name => (from[name] === undefined ? [] : [[name, from[name]]])));
