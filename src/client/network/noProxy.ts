import { BlockList, isIP, isIPv4 } from 'node:net';
import { isLoopback } from '../../protocol/card/agentOrigin.ts';

/**
 * True for an address that is reached without the proxy. The list is that of NO_PROXY, as curl reads it: names (with their subdomains,
 * with or without a leading dot), IP addresses, CIDR blocks, and `*` for everything, separated by commas or white space. As other
 * programs have it, an entry may also have a port, and begin with `*.`.
 */
export function isDirect(url: URL, list: string): boolean {
  const host = bare(url.hostname);
  if (isLoopback(url.hostname)) return true;
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return list
    .split(/[\s,]+/)
    .filter(entry => entry !== '')
    .some(entry => matches(entry.toLowerCase(), host, port));
}

function matches(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true;
  const { name, wantedPort } = withoutPort(entry);
  if (wantedPort !== undefined && wantedPort !== port) return false;
  return isIP(host) === 0 ? matchesName(bare(name), host) : matchesAddress(bare(name), host);
}

function matchesName(entry: string, host: string): boolean {
  const domain = entry.replace(/^\*?\./, '');
  return domain !== '' && (host === domain || host.endsWith(`.${domain}`));
}

function matchesAddress(entry: string, host: string): boolean {
  const [address = '', prefix, ...more] = entry.split('/');
  const start = bare(address);
  if (more.length > 0 || isIP(start) === 0 || isIP(start) !== isIP(host)) return false;
  const bits = isIPv4(start) ? 32 : 128;
  const length = prefix === undefined ? bits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : -1;
  if (length < 0 || length > bits) return false;
  const family = isIPv4(start) ? 'ipv4' : 'ipv6';
  const block = new BlockList();
  block.addSubnet(start, length, family);
  return block.check(host, family);
}

/** The port after a name, an IPv4 address or an IPv6 address in brackets. The colons of a plain IPv6 address are not followed by a port. */
function withoutPort(entry: string): { readonly name: string; readonly wantedPort?: string } {
  const [, name, wantedPort] = /^(\[[^\]]*\]|[^:]*):(\d+)$/.exec(entry) ?? [];
  return name === undefined || wantedPort === undefined ? { name: entry } : { name, wantedPort };
}

/** Without brackets and without the dot at the end of an absolute name. */
const bare = (name: string): string => name.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
