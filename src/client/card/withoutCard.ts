import { emptyCard } from '../../protocol/card/emptyCard.ts';
import type { InterfaceSelector } from '../../protocol/card/interfaceSelector.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { absoluteUrl, whyUnsupported } from '../interfaces/offeredInterface.ts';
import { parseAddress } from './agentAddress.ts';
import type { ResolvedAgentCard } from './agentCardResolver.ts';

/** Failures that mean that a server answered and gave no card that can be read. */
const answered: readonly string[] = [
  'no-card',
  'html-instead-of-card',
  'card-not-json',
  'not-a-card',
  'http2-instead-of-card',
  'grpc-without-card',
  'unauthorized',
];

/**
 * An agent that is used without a card, since a person gave its interface by all three members; undefined where they did not, or where the
 * card is missing because nothing answered.
 * @param error why there is no card
 * @param address the address of the agent as the person typed it
 * @throws Problem `no-interface` for an interface that is not supported here
 */
export function withoutCard(error: unknown, address: string, wanted: InterfaceSelector | undefined): ResolvedAgentCard | undefined {
  const { url, protocolBinding, protocolVersion } = wanted ?? {};
  if (!(error instanceof Problem) || !answered.includes(error.code)) return undefined;
  if (url === undefined || protocolBinding === undefined || protocolVersion === undefined) return undefined;
  const agentUrl = parseAddress(address).href;
  const entry = { url: absoluteUrl(url, protocolBinding, agentUrl), protocolBinding, protocolVersion };
  const obstacle = whyUnsupported(entry);
  if (obstacle !== undefined) throw new Problem('no-interface', sentence('{0} {1}', error.sentence, obstacle), { cause: error });
  const card = { ...emptyCard, name: new URL(entry.url).host, supportedInterfaces: [entry] };
  return { card, cardUrl: agentUrl, agentUrl, source: JSON.stringify(card), findings: [], attempts: [], noCard: error };
}
