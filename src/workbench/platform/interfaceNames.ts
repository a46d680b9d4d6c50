import type { AgentInterface } from '../../protocol/card/agentCard.ts';
import type { InterfaceSelector } from '../../protocol/card/interfaceSelector.ts';

/** An interface in two words, such as `HTTP+JSON 1.0`. Untrusted text. */
export const interfaceName = ({ protocolBinding, protocolVersion }: Pick<AgentInterface, 'protocolBinding' | 'protocolVersion'>): string =>
  `${protocolBinding} ${protocolVersion}`;

/** A wish in the words it has. */
export const selectorLabel = ({ protocolBinding, protocolVersion, url }: InterfaceSelector): string =>
  [protocolBinding, protocolVersion, url].filter(word => word !== undefined).join(' ');
