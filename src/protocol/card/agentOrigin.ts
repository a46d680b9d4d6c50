/** Names by which programs on this machine are reached. Each may lead to another program: for credentials they are origins of their own. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}

/** The origin of an agent as its contexts are remembered by it, which permits nothing: the names of this machine count as one, and so do a WebSocket and HTTP. */
export function originOf({ protocol, hostname, port }: URL): string {
  const scheme = protocol.replace(/^ws/, 'http');
  return `${scheme}//${isLoopback(hostname) ? 'localhost' : hostname}${port === '' ? '' : `:${port}`}`;
}
