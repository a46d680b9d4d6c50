/** The least card an agent at this address can have, in the shape of its generation (A2A 1.0 §4.4.1, 0.3 §5.5). */
export function plainCard(url: string, protocolVersion: string): object {
  const common = {
    name: 'Scripted agent',
    description: 'Plays a script.',
    version: '1.0.0',
    capabilities: { streaming: true },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 'script', name: 'Script', description: 'Answers as the script says.', tags: ['script'] }],
  };
  return protocolVersion === '0.3'
    ? { protocolVersion: '0.3.0', url, preferredTransport: 'JSONRPC', ...common }
    : { supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion }], ...common };
}
