import { BlockList, isIP } from 'node:net';

const privateAddresses = new BlockList();
for (const [network, prefix, family] of [
  ['127.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['::1', 128, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
] as const) {
  privateAddresses.addSubnet(network, prefix, family);
}

/** @param address as a socket has it, also an IPv4 address written as `::ffff:10.0.0.1` */
export function isPrivateAddress(address: string): boolean {
  const plain = address.replace(/^::ffff:(?=[\d.]+$)/i, '');
  const version = isIP(plain);
  return version !== 0 && privateAddresses.check(plain, version === 6 ? 'ipv6' : 'ipv4');
}

/** Whether a name of an address leads into this machine or its network. Public names have a dot. */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0) return isPrivateAddress(host);
  return !host.includes('.') || /\.(?:localhost|local|internal|lan|home\.arpa)$/.test(host);
}
