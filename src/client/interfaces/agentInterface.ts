import type { AgentCard, AgentInterface } from '../../protocol/card/agentCard.ts';
import { hint, Problem, sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import { releases, versionOf, versions } from '../../protocol/versions/index.ts';
import type { Version } from '../../protocol/versions/shared/version.ts';
import { isEmptySelector, type InterfaceSelector } from '../../protocol/card/interfaceSelector.ts';
import { grpc } from '../grpc/grpc.ts';
import { isApproved, type Trust } from '../http/origin.ts';
import { absoluteUrl, whyUnsupported, offeredInterfaces } from './offeredInterface.ts';
import type { Transport } from '../transport/transport.ts';
import { transportFor, transports } from './transports.ts';

export interface ChosenInterface {
  /** Interface of the card, with an absolute URL. */
  readonly interface: AgentInterface;
  readonly version: Version;
  readonly transport: Transport;
  /** Why this interface was chosen, for people. */
  readonly reason: LocalizedMessage;
  /** Sentence with its address and the source of that, for people. */
  readonly address: LocalizedMessage;
}

/** Source of the selection of an interface. */
export type SelectionSource = 'settings' | 'request' | 'options' | 'address';

interface Choosing {
  /** Source of the selection, for the reason. */
  readonly source?: SelectionSource;
  /** Origins that requests may go to; without it, any. */
  readonly trust?: Trust;
}

/**
 * The first interface that is supported here, in the card's order of preference (A2A 1.0 §8.3.2). Interfaces at approved origins are
 * preferred; where there are none, the first one is returned, and connecting to it throws ForeignOriginProblem.
 * @param cardUrl address of the card; relative addresses are resolved against it.
 * @throws Problem `no-interface` with what the card offers and what is supported here
 */
export function chooseInterface(
  card: AgentCard,
  cardUrl: string,
  wanted: InterfaceSelector = {},
  { source = 'settings', trust }: Choosing = {},
): ChosenInterface {
  const offered = offeredInterfaces(card, cardUrl).map(({ interface: entry }) => entry);
  const fitting = offered.filter(entry => fits(entry, wanted, cardUrl));
  const candidates = fitting.length === 0 ? ownWords(wanted, offered, cardUrl) : fitting;
  const supported = candidates.filter(entry => whyUnsupported(entry) === undefined);
  const [first] = supported;
  if (first === undefined) throw noInterface(card, wanted, source);
  const chosen = supported.find(({ url }) => trust === undefined || isApproved(new URL(url), trust)) ?? first;
  const reason = chosen === first ? reasonFor(chosen, offered, wanted, source) : insteadOf(first, chosen);
  const isOwn = wanted.url !== undefined || source === 'address';
  return chosenInterface(chosen, reason, isOwn ? sentencesBySource[source].address(chosen.url) : ofCard(chosen, card, cardUrl));
}

/** Sentence about the address of an interface, which a card may have in another form: relative, or with a host to listen on. */
export function ofCard({ url }: AgentInterface, card: AgentCard, cardUrl: string): LocalizedMessage {
  const declared = offeredInterfaces(card, cardUrl).find(({ interface: entry }) => entry.url === url)?.declaredUrl ?? url;
  return URL.canParse(declared) && new URL(declared).href === url
    ? sentence('The address {0} is the one in the agent card.', url)
    : sentence('The agent card says {0}, which leads to the address {1}.', declared, url);
}

const insteadOf = (preferred: AgentInterface, { protocolBinding, protocolVersion, url }: AgentInterface): LocalizedMessage =>
  sentence(
    'Uses {0} {1} at {2}, because the address {3}, which comes first, is not allowed for this agent.',
    protocolBinding,
    protocolVersion,
    url,
    preferred.url,
  );

/** A supported interface (see {@link whyUnsupported}) with its version and transport. */
export function chosenInterface(entry: AgentInterface, reason: LocalizedMessage, address: LocalizedMessage): ChosenInterface {
  const { protocolBinding, protocolVersion } = entry;
  return { interface: entry, version: versionOf(protocolVersion)!, transport: transportFor(protocolBinding)!, reason, address };
}

function fits(entry: AgentInterface, wanted: InterfaceSelector, cardUrl: string): boolean {
  const { url, protocolBinding, protocolVersion } = wanted;
  return (
    (url === undefined || absoluteUrl(url, entry.protocolBinding, cardUrl) === entry.url) &&
    (protocolBinding === undefined || sameBinding(protocolBinding, entry.protocolBinding)) &&
    (protocolVersion === undefined || sameVersion(protocolVersion, entry.protocolVersion))
  );
}

/** Unsupported bindings are compared by their names only. */
function sameBinding(one: string, other: string): boolean {
  return one === other || (transportFor(one) !== undefined && transportFor(one) === transportFor(other));
}

function sameVersion(one: string, other: string): boolean {
  return one === other || (versionOf(one) !== undefined && versionOf(one) === versionOf(other));
}

/** Interfaces that a person selects although the card does not have their address or version. */
function ownWords(wanted: InterfaceSelector, offered: readonly AgentInterface[], cardUrl: string): readonly AgentInterface[] {
  const { url, protocolVersion } = wanted;
  if (url !== undefined) return [ownWord(wanted, url, offered, cardUrl)];
  const version = protocolVersion === undefined ? undefined : versionOf(protocolVersion);
  if (version === undefined) return [];
  return offered
    .filter(entry => fits(entry, { ...wanted, protocolVersion: undefined }, cardUrl))
    .map(entry => inVersion(entry, version, wanted));
}

/** The interface in another version; with another binding where the version does not have its own and none was selected. */
function inVersion(entry: AgentInterface, version: Version, { protocolBinding }: InterfaceSelector): AgentInterface {
  const { protocolVersion } = version;
  const own = transportFor(entry.protocolBinding);
  if (own?.supports(version) === true || protocolBinding !== undefined || own === grpc) return { ...entry, protocolVersion };
  const other = transports.find(transport => transport !== grpc && transport.supports(version));
  return { ...entry, protocolVersion, protocolBinding: other?.protocolBinding ?? entry.protocolBinding };
}

/** An interface at the address from the user, with its other members from the first interface of the card that would be supported. */
function ownWord(wanted: InterfaceSelector, url: string, offered: readonly AgentInterface[], cardUrl: string): AgentInterface {
  const like = offered.find(entry => fits(entry, { ...wanted, url: undefined }, cardUrl) && whyUnsupported(entry) === undefined);
  const protocolBinding = wanted.protocolBinding ?? like?.protocolBinding ?? transports[0]!.protocolBinding;
  return {
    ...like,
    url: absoluteUrl(url, protocolBinding, cardUrl),
    protocolBinding,
    protocolVersion: wanted.protocolVersion ?? like?.protocolVersion ?? releases[0]!.protocolVersion,
  };
}

function reasonFor(
  entry: AgentInterface,
  offered: readonly AgentInterface[],
  wanted: InterfaceSelector,
  source: SelectionSource,
): LocalizedMessage {
  const { protocolBinding, protocolVersion, url } = entry;
  if (!isEmptySelector(wanted)) {
    return sentencesBySource[source].reason(protocolBinding, protocolVersion, url);
  }
  return entry === offered[0]
    ? sentence('Uses {0} {1} at {2}, the interface the card prefers.', protocolBinding, protocolVersion, url)
    : sentence('Uses {0} {1} at {2}, the first interface of the card that this tool supports.', protocolBinding, protocolVersion, url);
}

const given = (url: string): LocalizedMessage => sentence('The address {0} is the one that was given.', url);

const sentencesBySource: Readonly<
  Record<
    SelectionSource,
    {
      readonly reason: (binding: string, version: string, url: string) => LocalizedMessage;
      readonly address: (url: string) => LocalizedMessage;
      readonly mend: LocalizedMessage;
    }
  >
> = {
  settings: {
    reason: (binding, version, url) =>
      hint(
        sentence("Uses {0} {1} at {2}, as set in the agent's settings.", binding, version, url),
        'Uses {0} {1} at {2}, as .vscode/settings.json says.',
      ),
    address: url =>
      hint(sentence("The address {0} is the one in the agent's settings.", url), 'The address {0} is the one in .vscode/settings.json.'),
    mend: hint(
      sentence("Correct or remove the interface in the agent's settings."),
      'Correct or leave out --interface and --protocol-version, or correct the interface of the agent in .vscode/settings.json.',
    ),
  },
  request: {
    reason: (binding, version, url) => sentence('Uses {0} {1} at {2}, as set in the request.', binding, version, url),
    address: url => sentence('The address {0} is the one in the request.', url),
    mend: sentence('Correct or remove the interface of the request.'),
  },
  address: {
    reason: (binding, version, url) => sentence('Uses {0} {1} at {2}, the address that was given.', binding, version, url),
    address: given,
    mend: sentence("Correct the agent's address."),
  },
  options: {
    reason: (binding, version, url) => sentence('Uses {0} {1} at {2}, as set by the options.', binding, version, url),
    address: given,
    mend: sentence('Correct or leave out {0} and {1}.', '--interface', '--protocol-version'),
  },
};

function noInterface(card: AgentCard, wanted: InterfaceSelector, source: SelectionSource): Problem {
  const offers = card.supportedInterfaces.map(({ protocolBinding, protocolVersion }) => `${protocolBinding} ${protocolVersion}`);
  const supported = transports.flatMap(transport =>
    (isEmptySelector(wanted) ? releases : versions)
      .filter(version => transport.supports(version))
      .map(version => `${transport.protocolBinding} ${version.protocolVersion}`),
  );
  const wish = [wanted.protocolBinding, wanted.protocolVersion, wanted.url].filter(Boolean).join(' ');
  const offer = offers.join(', ') || '–';
  return new Problem(
    'no-interface',
    wish === ''
      ? sentence('The agent offers {0}; this tool supports {1}.', offer, supported.join(', '))
      : sentence('No interface matches {0}: the agent offers {1}; this tool supports {2}.', wish, offer, supported.join(', ')),
    {
      nextStep: wish === '' ? sentence('Ask for an agent card with an interface of that kind.') : sentencesBySource[source].mend,
      details:
        card.supportedInterfaces.map(entry => `${entry.protocolBinding} ${entry.protocolVersion} ${entry.url}`).join('\n') || undefined,
    },
  );
}
