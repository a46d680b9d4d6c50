import type { AgentInterface } from '../protocol/agentCard.ts';
import type { WantedInterface } from '../protocol/wantedInterface.ts';

/** An interface in two words, such as `HTTP+JSON 1.0`. Untrusted text. */
export const interfaceName = ({ protocolBinding, protocolVersion }: Pick<AgentInterface, 'protocolBinding' | 'protocolVersion'>): string =>
  `${protocolBinding} ${protocolVersion}`;

/** A wish in the words it has. */
export const wishName = ({ protocolBinding, protocolVersion, url }: WantedInterface): string =>
  [protocolBinding, protocolVersion, url].filter(word => word !== undefined).join(' ');

const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i;
/** A bare `host:port` may be either. */
const asUrls = (address: string): readonly string[] => (hasScheme.test(address) ? [address] : [`http://${address}`, `https://${address}`]);

/** Whether an agent's requests may go to an origin without anybody being asked: its own, and those that its settings allow. */
export function isTrustedWith({ url, settings }: {
  readonly url: string;
  readonly settings: { readonly origins?: readonly string[] };
}, origin: string): boolean {
  return [url, ...settings.origins ?? []].flatMap(asUrls).some(address => URL.canParse(address) && new URL(address).origin === origin);
}
