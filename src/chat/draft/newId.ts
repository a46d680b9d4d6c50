/** A random id. `crypto.randomUUID` needs a secure context, and VS Code in a browser may be served without TLS. */
export function newId(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map(byte => byte.toString(16).padStart(2, '0')).join('');
}
