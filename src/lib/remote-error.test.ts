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

test('includes an unknown code in the explanation', () => {
  expect([explainCode('EPROTO'), explainCode(undefined)]).toEqual([
    'the connection failed (EPROTO)',
    'the connection failed',
  ]);
});
