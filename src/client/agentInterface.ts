import type { AgentCard, AgentInterface } from '../protocol/agentCard.ts';
import { Problem, sentence, type Sentence } from '../protocol/problem.ts';
import { releases, versionOf } from '../protocol/versions/index.ts';
import type { Version } from '../protocol/versions/version.ts';
import { isUnspecified } from './origin.ts';
import { transportFor, transports, type Transport } from './transport.ts';

/** What the user asks for instead of the card's own order; each member narrows the choice. */
export interface WantedInterface {
  /** An address the card does not list is taken as it is: the user's word beats the card's. */
  readonly url?: string;
  readonly protocolBinding?: string;
  readonly protocolVersion?: string;
}

export interface ChosenInterface {
  /** As the card has it, its url made absolute. */
  readonly interface: AgentInterface;
  readonly version: Version;
  readonly transport: Transport;
  /** Why this one, for people. */
  readonly reason: Sentence;
}

/**
 * The first interface of the card, in the card's order of preference, that is spoken here (A2A 1.0 §8.3.2).
 * @param cardUrl where the card was read; relative addresses are resolved against it.
 * @throws Problem `no-interface` naming what the card offers and what is spoken here.
 */
export function chooseInterface(card: AgentCard, cardUrl: string, wanted: WantedInterface = {}): ChosenInterface {
  const offered = card.supportedInterfaces.flatMap(entry => absolute(entry, cardUrl));
  const fitting = offered.filter(entry => fits(entry, wanted, cardUrl));
  const candidates = fitting.length === 0 && wanted.url !== undefined ? [ownWord(wanted, wanted.url, offered, cardUrl)] : fitting;
  for (const entry of candidates) {
    const version = versionOf(entry.protocolVersion);
    const transport = transportFor(entry.protocolBinding);
    if (version !== undefined && transport?.speaks(version) && isWeb(entry.url)) {
      return { interface: entry, version, transport, reason: reasonFor(entry, offered, wanted) };
    }
  }
  throw nothingSpoken(card, wanted);
}

function absolute(entry: AgentInterface, cardUrl: string): AgentInterface[] {
  const url = parsed(entry.url, entry.protocolBinding, cardUrl);
  return url === undefined ? [] : [{ ...entry, url: url.href }];
}

/**
 * An address as the binding writes it; undefined where it has no such addresses. A card of a server that listens everywhere often says
 * `0.0.0.0`, which is no place to connect to: the card's own host is meant.
 */
function parsed(address: string, protocolBinding: string, cardUrl: string): URL | undefined {
  const written = transportFor(protocolBinding)?.address?.(address, cardUrl) ?? address;
  if (!URL.canParse(written, cardUrl)) return undefined;
  const url = new URL(written, cardUrl);
  if (isUnspecified(url)) url.hostname = new URL(cardUrl).hostname;
  return url;
}

function fits(entry: AgentInterface, wanted: WantedInterface, cardUrl: string): boolean {
  const { url, protocolBinding, protocolVersion } = wanted;
  return (url === undefined || parsed(url, entry.protocolBinding, cardUrl)?.href === entry.url)
    && (protocolBinding === undefined || transportFor(protocolBinding) === transportFor(entry.protocolBinding))
    && (protocolVersion === undefined || versionOf(protocolVersion) === versionOf(entry.protocolVersion));
}

/** An interface from the user's own address, the rest of it from the first of the card's that could be spoken. */
function ownWord(wanted: WantedInterface, url: string, offered: readonly AgentInterface[], cardUrl: string): AgentInterface {
  const like = offered.find(entry => fits(entry, { ...wanted, url: undefined }, cardUrl) && isSpoken(entry));
  const protocolBinding = wanted.protocolBinding ?? like?.protocolBinding ?? transports[0]!.protocolBinding;
  return {
    ...like,
    url: parsed(url, protocolBinding, cardUrl)?.href ?? url,
    protocolBinding,
    protocolVersion: wanted.protocolVersion ?? like?.protocolVersion ?? releases[0]!.protocolVersion,
  };
}

function isSpoken(entry: AgentInterface): boolean {
  const version = versionOf(entry.protocolVersion);
  return version !== undefined && transportFor(entry.protocolBinding)?.speaks(version) === true;
}

const isWeb = (url: string): boolean => /^https?:/.test(url);

function reasonFor(entry: AgentInterface, offered: readonly AgentInterface[], wanted: WantedInterface): Sentence {
  const { protocolBinding, protocolVersion, url } = entry;
  if (Object.values(wanted).some(value => value !== undefined)) {
    return sentence('Speaks {0} {1} at {2}, as the agent\'s settings say.', protocolBinding, protocolVersion, url);
  }
  return entry === offered[0]
    ? sentence('Speaks {0} {1} at {2}, the interface the card prefers.', protocolBinding, protocolVersion, url)
    : sentence('Speaks {0} {1} at {2}, the first interface of the card that this tool speaks.', protocolBinding, protocolVersion, url);
}

function nothingSpoken(card: AgentCard, wanted: WantedInterface): Problem {
  const offers = card.supportedInterfaces.map(({ protocolBinding, protocolVersion }) => `${protocolBinding} ${protocolVersion}`);
  const spoken = transports.flatMap(transport => releases.filter(version => transport.speaks(version)).map(version => `${transport.protocolBinding} ${version.protocolVersion}`));
  const wish = [wanted.protocolBinding, wanted.protocolVersion, wanted.url].filter(Boolean).join(' ');
  const offer = offers.join(', ') || '–';
  return new Problem('no-interface', wish === ''
    ? sentence('The agent offers {0}; this tool speaks {1}.', offer, spoken.join(', '))
    : sentence('No interface fits {0}: the agent offers {1}; this tool speaks {2}.', wish, offer, spoken.join(', ')), {
    nextStep: wish === ''
      ? sentence('Ask for an agent card with an interface of that kind.')
      : sentence('Correct or remove the interface in the agent\'s settings.'),
    details: card.supportedInterfaces.map(entry => `${entry.protocolBinding} ${entry.protocolVersion} ${entry.url}`).join('\n') || undefined,
  });
}
