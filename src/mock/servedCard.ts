import { isObject } from '../protocol/json.ts';
import { ignoreFindings } from '../protocol/finding.ts';
import { readAgentCard, versionOf } from '../protocol/versions/index.ts';
import { bindings, type BindingName } from './binding.ts';

/** The interface that a mock serves of a card. */
interface ServedInterface {
  readonly generation: string;
  readonly binding: BindingName;
  /** Undefined where the card has none that can be served: then it is JSON-RPC in the version of the first. */
  readonly index: number | undefined;
}

/** The first interface of a card that a mock can serve. @throws Problem `not-a-card` */
export function servedInterface(card: unknown): ServedInterface {
  const { supportedInterfaces } = readAgentCard(card, ignoreFindings);
  const index = supportedInterfaces.findIndex(({ protocolBinding, protocolVersion }) => {
    const version = versionOf(protocolVersion ?? '');
    return (
      version !== undefined &&
      Object.hasOwn(bindings, protocolBinding) &&
      bindings[protocolBinding as BindingName].versionFor(version) !== undefined
    );
  });
  const found = supportedInterfaces[index];
  if (found?.protocolVersion !== undefined)
    return { generation: found.protocolVersion, binding: found.protocolBinding as BindingName, index };
  return { generation: supportedInterfaces[0]?.protocolVersion ?? '1.0', binding: 'JSONRPC', index: undefined };
}

/** The card with one interface, at the address of the mock; all else as it was written. */
export function servedCard(card: unknown, url: string, { generation, binding, index }: ServedInterface): unknown {
  if (!isObject(card)) return card;
  const interfaces: unknown = card['supportedInterfaces'];
  if (Array.isArray(interfaces)) {
    const own: unknown = index === undefined ? undefined : interfaces[index];
    const one = { ...(isObject(own) && own), url, protocolBinding: binding, protocolVersion: generation };
    return { ...card, ...('url' in card && { url }), supportedInterfaces: [one] };
  }
  return {
    ...card,
    url,
    ...(('preferredTransport' in card || binding !== 'JSONRPC') && { preferredTransport: binding }),
    ...('additionalInterfaces' in card && { additionalInterfaces: [] }),
  };
}
