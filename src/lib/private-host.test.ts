import { expect, test } from '@jest/globals';
import { isPrivateAddress, isPrivateHost } from './private-host.ts';

test.each(['localhost', 'korob', 'app.localhost', 'korob.local', 'db.internal', 'nas.lan', 'nas.home.arpa'])(
  'the host %s is private',
  (host) => {
    expect(isPrivateHost(host)).toBe(true);
  },
);

test.each(['korob.ru', 'local.ru', 'korob.lan.ru', 'mylocal.example', '8.8.8.8', '[2a00:1450::1]'])(
  'the host %s is public',
  (host) => {
    expect(isPrivateHost(host)).toBe(false);
  },
);

// RFC 1918, 3927, 4193 and 4291: the first and the last private address, and their public neighbours.
test.each([
  ['10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0'],
  ['172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0'],
  ['::1', '::1', '::', '::2'],
  ['fc00::', 'fdff:ffff::1', 'fbff:ffff::1', 'fe00::'],
])('the addresses from %s to %s are private, and %s and %s are not', (first, last, before, after) => {
  expect([first, last, before, after].map(isPrivateAddress)).toEqual([true, true, false, false]);
  const host = (address: string) => (address.includes(':') ? `[${address}]` : address);
  expect([first, last, before, after].map((address) => isPrivateHost(host(address)))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test('classifies an IPv4-mapped IPv6 address by its IPv4 address, and a name as no private address', () => {
  const addresses = ['::ffff:10.0.0.1', '::FFFF:172.17.0.1', '::ffff:8.8.8.8', 'localhost', ''];
  expect(addresses.map(isPrivateAddress)).toEqual([true, true, false, false, false]);
});
