import type { AgentInterface } from '../../protocol/card/agentCard.ts';
import type { InterfaceSelector } from '../../protocol/card/interfaceSelector.ts';

/** Binding and version of an interface, such as `HTTP+JSON 1.0`. Untrusted text. */
export const interfaceName = ({ protocolBinding, protocolVersion }: Pick<AgentInterface, 'protocolBinding' | 'protocolVersion'>): string =>
  `${protocolBinding} ${protocolVersion}`;

/** The members of a selector that are set, separated by blanks. */
export const selectorLabel = ({ protocolBinding, protocolVersion, url }: InterfaceSelector): string =>
  [protocolBinding, protocolVersion, url].filter(word => word !== undefined).join(' ');
