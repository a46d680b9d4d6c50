import type { AgentInterface } from '../../protocol/card/agentCard.ts';
import { isObject } from '../../protocol/json.ts';
import { Problem } from '../../protocol/problem.ts';
import { detectCard, type CardDetection } from '../../protocol/versions/detectCard.ts';
import { unwrappedCard } from '../../protocol/card/unwrappedCard.ts';
import type { InterfaceSelector } from '../../protocol/card/interfaceSelector.ts';
import type { ResolvedAgentCard } from '../card/agentCardResolver.ts';
import { chooseInterface } from '../interfaces/agentInterface.ts';
import type { GivenHeaders } from '../http/configuredHeaders.ts';
import { isApproved, type Trust, trustIn } from '../http/origin.ts';
import type { ConnectionOptions } from '../network/network.ts';
import { offeredInterfaces, type OfferedInterface } from '../interfaces/offeredInterface.ts';

/** A card and the settings of its agent. */
export interface DiagnosisTarget {
  readonly resolved: ResolvedAgentCard;
  /** The interface selected in the agent's settings. */
  readonly wanted: InterfaceSelector;
  /** Sent to approved origins only. */
  readonly headers?: GivenHeaders;
  /** Approved origins besides the agent's own, as `URL.origin` writes them. */
  readonly approvedOrigins: ReadonlySet<string>;
  /** Connection options in the agent's settings. */
  readonly connection?: ConnectionOptions;
  /** Set where the agent refused the version in the card. */
  readonly versionRefused?: boolean;
}

/** The input of the checks. */
export interface DiagnosisContext {
  readonly target: DiagnosisTarget;
  /** The card as it was received. */
  readonly card: Readonly<Record<string, unknown>>;
  readonly detection: CardDetection | undefined;
  readonly offered: readonly OfferedInterface[];
  /** The interface that would be used; undefined if none of the card can be. */
  readonly usedInterface: AgentInterface | undefined;
  /** The entry of the card for it; undefined if a person gave the address. */
  readonly entry: OfferedInterface | undefined;
  /** RFC 6901 pointer to a member of that entry. */
  pointer(member: 'url' | 'protocolBinding' | 'protocolVersion'): string;
}

export function diagnosisContextOf(target: DiagnosisTarget): DiagnosisContext {
  const { card: core, cardUrl, source } = target.resolved;
  const value = unwrappedCard(JSON.parse(source));
  const card = isObject(value) ? value : {};
  const offered = offeredInterfaces(core, cardUrl);
  const used = interfaceFor(target);
  const entry = offered.find(
    each =>
      each.interface.url === used?.url &&
      each.interface.protocolBinding === used.protocolBinding &&
      each.interface.protocolVersion === used.protocolVersion,
  );
  return {
    target,
    card,
    offered,
    usedInterface: used,
    entry,
    detection: detectCard(card, new URL(cardUrl).pathname),
    pointer: member => pointerTo(member, card, entry === undefined ? -1 : offered.indexOf(entry), entry),
  };
}

function interfaceFor(target: DiagnosisTarget): AgentInterface | undefined {
  const {
    resolved: { card, cardUrl },
    wanted,
  } = target;
  try {
    return chooseInterface(card, cardUrl, wanted, { trust: trustOf(target) }).interface;
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

/** True for an address to which requests with the person's headers are allowed. */
export function mayAsk(target: DiagnosisTarget, url: string): boolean {
  return URL.canParse(url) && isApproved(new URL(url), trustOf(target));
}

const trustOf = ({ resolved: { agentUrl }, approvedOrigins, headers }: DiagnosisTarget): Trust =>
  trustIn(new URL(agentUrl), approvedOrigins, headers);

/** Earlier protocol versions have the first interface at the top level of the card and call a binding `transport`. */
function pointerTo(member: string, card: Readonly<Record<string, unknown>>, index: number, entry: OfferedInterface | undefined): string {
  if (index < 0) return '';
  if (Array.isArray(card['supportedInterfaces'])) return `/supportedInterfaces/${index}/${member}`;
  if (member === 'protocolVersion') return '/protocolVersion';
  const name = member === 'url' ? 'url' : 'transport';
  const further = Array.isArray(card['additionalInterfaces']) ? (card['additionalInterfaces'] as readonly unknown[]) : [];
  const place =
    index === 0
      ? -1
      : further.findIndex(
          other => isObject(other) && other['url'] === entry?.declaredUrl && other['transport'] === entry?.interface.protocolBinding,
        );
  if (place >= 0) return `/additionalInterfaces/${place}/${name}`;
  return member === 'url' ? '/url' : '/preferredTransport';
}
