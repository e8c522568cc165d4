import { expect, test } from '@jest/globals';
import { explainCode } from './remote-error.ts';

test.each([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'CERT_HAS_EXPIRED',
  'ERR_TLS_CERT_ALTNAME_INVALID',
])('explains %s as an untrusted certificate', (code) => {
  expect(explainCode(code)).toBe(`its certificate is not trusted (${code})`);
});

test.each([
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'TLS'],
  ['HPE_INVALID_CONSTANT', 'HTTP'],
])('explains %s as another protocol than %s', (code, protocol) => {
  expect(explainCode(code)).toBe(`it does not speak ${protocol} there; check the protocol and the port of the address`);
});

test('includes an unknown code in the explanation', () => {
  expect([explainCode('EPROTO'), explainCode(undefined)]).toEqual([
    'the connection failed (EPROTO)',
    'the connection failed',
  ]);
});
