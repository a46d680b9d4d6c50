/** The same server under a name that counts as another host than this machine's usual names. */
export function atOtherHost(address: string): string {
  const url = new URL(address);
  url.hostname = '[::ffff:127.0.0.1]';
  return url.href;
}
