import { expect, test } from '@jest/globals';
import { isPrivateAddress, isPrivateHost } from './private-host.ts';

test.each([
  'localhost',
  'korob',
  'korob.local',
  'db.internal',
  '10.0.0.1',
  '192.168.1.20',
  '127.0.0.1',
  '[::1]',
  '[fd00::1]',
])('the host %s is private', (host) => {
  expect(isPrivateHost(host)).toBe(true);
});

test.each(['korob.ru', 'local.ru', '8.8.8.8', '[2a00:1450::1]'])('the host %s is public', (host) => {
  expect(isPrivateHost(host)).toBe(false);
});

test('classifies an IPv4-mapped IPv6 address by its IPv4 address', () => {
  expect([isPrivateAddress('::ffff:10.0.0.1'), isPrivateAddress('::ffff:8.8.8.8')]).toEqual([true, false]);
});
