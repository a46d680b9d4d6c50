import type { AgentCard, AgentInterface } from '../../protocol/card/agentCard.ts';
import { sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import { wrongScheme } from '../../protocol/card/webScheme.ts';
import { versionOf } from '../../protocol/versions/index.ts';
import type { InterfaceSelector } from '../../protocol/card/interfaceSelector.ts';
import { isUnspecified } from '../http/origin.ts';
import { transportFor } from './transports.ts';

/** One interface of a card, and whether it can be used. */
export interface OfferedInterface {
  /** Interface of the card, with an absolute URL; an unspecified host is replaced by that of the card. */
  readonly interface: AgentInterface;
  /** The URL in the card. */
  readonly declaredUrl: string;
  readonly isSupported: boolean;
  /** Why it cannot be used. */
  readonly obstacle?: LocalizedMessage;
  /** The selector that matches this interface and no other one of the card. */
  readonly wanted: InterfaceSelector;
}

/** Interfaces by card: tooltips, lenses and commands need them repeatedly. */
const known = new WeakMap<AgentCard, Map<string, readonly OfferedInterface[]>>();

/**
 * The interfaces of a card in its order.
 * @param cardUrl address of the card; relative addresses are resolved against it.
 */
export function offeredInterfaces(card: AgentCard, cardUrl: string): readonly OfferedInterface[] {
  const ofCard = known.get(card) ?? new Map<string, readonly OfferedInterface[]>();
  known.set(card, ofCard);
  const offered = ofCard.get(cardUrl) ?? offeredBy(card, cardUrl);
  ofCard.set(cardUrl, offered);
  return offered;
}

function offeredBy(card: AgentCard, cardUrl: string): OfferedInterface[] {
  const absolute = card.supportedInterfaces.map(entry => ({ ...entry, url: absoluteUrl(entry.url, entry.protocolBinding, cardUrl) }));
  const kindOf = ({ protocolBinding, protocolVersion }: AgentInterface): string => JSON.stringify([protocolBinding, protocolVersion]);
  /** How many there are of each binding and version. */
  const counts = new Map<string, number>();
  for (const entry of absolute) counts.set(kindOf(entry), (counts.get(kindOf(entry)) ?? 0) + 1);
  return absolute.map((entry, index) => {
    const obstacle = whyUnsupported(entry);
    const { url, protocolBinding, protocolVersion } = entry;
    return {
      interface: entry,
      declaredUrl: card.supportedInterfaces[index]!.url,
      isSupported: obstacle === undefined,
      ...(obstacle && { obstacle }),
      wanted: counts.get(kindOf(entry)) === 1 ? { protocolBinding, protocolVersion } : { url, protocolBinding, protocolVersion },
    };
  });
}

/** Converts an address in the notation of its binding to a web address. */
export const webAddress = (declared: string, protocolBinding: string, cardUrl: string): string =>
  transportFor(protocolBinding)?.address?.(declared, cardUrl) ?? declared;

/**
 * The absolute URL of an interface; unchanged where the address is invalid. Servers that listen on all interfaces often have `0.0.0.0` in
 * their card, which cannot be connected to: it is replaced by the card's own host.
 */
export function absoluteUrl(declared: string, protocolBinding: string, cardUrl: string): string {
  const written = webAddress(declared, protocolBinding, cardUrl);
  // `http:/host` would be read as a path on the card's host.
  if (!URL.canParse(written, cardUrl) || wrongScheme(written) !== undefined) return declared;
  const url = new URL(written, cardUrl);
  if (isUnspecified(url)) url.hostname = new URL(cardUrl).hostname;
  return url.href;
}

const isWeb = (url: string): boolean => /^https?:/.test(url) && URL.canParse(url);

/** Why an interface cannot be used, regardless of the server's answers. */
export function whyUnsupported({ url, protocolBinding, protocolVersion }: AgentInterface): LocalizedMessage | undefined {
  const transport = transportFor(protocolBinding);
  if (transport === undefined) return sentence('The binding {0} is not supported here.', protocolBinding);
  const version = versionOf(protocolVersion);
  if (version === undefined) return sentence('A2A {0} is not supported here.', protocolVersion);
  if (!transport.supports(version)) return sentence('A2A {0} has no binding {1}.', version.protocolVersion, transport.protocolBinding);
  const wrong = wrongScheme(url);
  if (wrong?.meant !== undefined) return sentence('{0} is not an address that can be connected to. Did you mean {1}?', url, wrong.meant);
  return isWeb(url) ? undefined : sentence('{0} is not an address that can be connected to.', url);
}
