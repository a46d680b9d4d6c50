import { BlockList, isIPv4, isIPv6 } from 'node:net';

/**
 * The kind of network of an IP address. `forbidden`: addresses that serve no files, such as link-local ones, where clouds offer the
 * metadata and credentials of their machines.
 */
export type Network = 'public' | 'private' | 'loopback' | 'forbidden';

type Ranges = readonly (readonly [address: string, prefix: number])[];

/** Ranges of RFC 6890 and its registries. Single addresses are metadata services of clouds outside the link-local range. */
const ranges: Readonly<Record<Exclude<Network, 'public'>, Ranges>> = {
  forbidden: [
    ['169.254.0.0', 16],
    ['fe80::', 10],
    ['0.0.0.0', 8],
    ['::', 128],
    ['224.0.0.0', 3],
    ['ff00::', 8],
    ['100.100.100.200', 32],
    ['168.63.129.16', 32],
    ['192.0.0.0', 24],
    ['fd00:ec2::', 32],
    ['fd20:ce::', 32],
  ],
  loopback: [
    ['127.0.0.0', 8],
    ['::1', 128],
  ],
  private: [
    ['10.0.0.0', 8],
    ['172.16.0.0', 12],
    ['192.168.0.0', 16],
    ['100.64.0.0', 10],
    ['198.18.0.0', 15],
    ['fc00::', 7],
    ['fec0::', 10],
  ],
};

const lists = Object.entries(ranges).map(([network, all]) => {
  const list = new BlockList();
  for (const [address, prefix] of all) list.addSubnet(address, prefix, isIPv4(address) ? 'ipv4' : 'ipv6');
  return [network as Network, list] as const;
});

/** IPv6 ranges that contain an IPv4 address: mapped, or translated (RFC 6052, RFC 3056). */
const holdsIpv4 = [
  ['::ffff:0:0', 96, 6],
  ['64:ff9b::', 96, 6],
  ['2002::', 16, 1],
  ['::', 96, 6],
] as const;

/** @param address an IP address without brackets */
export function networkOf(address: string): Network {
  const plain = inner(address) ?? address;
  return lists.find(([, list]) => list.check(plain, isIPv4(plain) ? 'ipv4' : 'ipv6'))?.[0] ?? 'public';
}

function inner(address: string): string | undefined {
  if (!isIPv6(address) || ['::', '::1'].includes(address)) return undefined;
  for (const [start, prefix, at] of holdsIpv4) {
    const list = new BlockList();
    list.addSubnet(start, prefix, 'ipv6');
    if (!list.check(address, 'ipv6')) continue;
    const groups = groupsOf(address);
    const [high, low] = [groups[at]!, groups[at + 1]!];
    return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  }
  return undefined;
}

/** The eight groups of 16 bits of an IPv6 address. */
function groupsOf(address: string): number[] {
  const [plain = ''] = new URL(`http://[${address.split('%')[0]}]`).hostname.slice(1, -1).split('%');
  const [head = '', tail] = plain.split('::');
  const numbers = (text: string): number[] => (text === '' ? [] : text.split(':').map(group => Number.parseInt(group, 16)));
  if (tail === undefined) return numbers(head);
  const [before, after] = [numbers(head), numbers(tail)];
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after];
}
