/**
 * True for host names of this machine. Different names may lead to different programs, so credentials treat each as an origin of its own.
 */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}

/**
 * The origin by which the contexts of an agent are stored. Not for permissions: all names of this machine count as one, and `ws` as `http`.
 */
export function originOf({ protocol, hostname, port }: URL): string {
  const scheme = protocol.replace(/^ws/, 'http');
  return `${scheme}//${isLoopback(hostname) ? 'localhost' : hostname}${port === '' ? '' : `:${port}`}`;
}
