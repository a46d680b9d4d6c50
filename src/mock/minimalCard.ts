import type { Version } from '../protocol/versions/shared/version.ts';

const common = {
  name: 'Scripted agent',
  description: 'Plays a script.',
  version: '1.0.0',
  capabilities: { streaming: true },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: 'script', name: 'Script', description: 'Answers as the script says.', tags: ['script'] }],
};

/** The members that differ between versions; the rest is common to all. */
const own: { readonly [protocolVersion: string]: (url: string, protocolBinding: string) => object } = {
  '0.1': url => ({ url, authentication: { schemes: [] } }),
  '0.2': (url, preferredTransport) => ({ protocolVersion: '0.2.6', url, ...(preferredTransport !== 'JSONRPC' && { preferredTransport }) }),
  '0.3': (url, preferredTransport) => ({ protocolVersion: '0.3.0', url, preferredTransport }),
  'task-rest': url => ({
    url,
    skills: undefined,
    capabilities: { streaming: false, pushNotifications: true, interactionModes: ['text', 'form'] },
    schema: { input: { type: 'object' } },
  }),
  '1.0-draft': (url, protocolBinding) => ({ protocolVersions: ['1.0'], supportedInterfaces: [{ url, protocolBinding }] }),
};

/** The smallest valid card for an agent at this address, in the version's shape (A2A 1.0 §4.4.1, 0.3 §5.5, 0.1 §5.5). */
export function minimalCard(url: string, protocolVersion: Version['protocolVersion'], protocolBinding = 'JSONRPC'): object {
  const members = own[protocolVersion]?.(url, protocolBinding) ?? { supportedInterfaces: [{ url, protocolBinding, protocolVersion }] };
  return { ...common, ...members };
}
