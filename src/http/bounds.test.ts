import type { IncomingMessage } from 'node:http';
import { expect, test } from '@jest/globals';
import { boundHeaders } from './bounds.ts';

test.each([
  ['accept', 1_000],
  ['cookie', 8_192],
  ['if-none-match', 1_000],
  ['referer', 8_000],
  ['user-agent', 1_000],
  ['x-forwarded-for', 16_384],
  ['accept-encoding', 300],
  ['range', 300],
  ['x-any-other', 300],
])('the header %s is dropped when it is longer than %i characters', (name, limit) => {
  const left = (length: number) => {
    const headers: Record<string, string> = { host: 'korob.example', [name]: 'a'.repeat(length) };
    boundHeaders({ headers } as unknown as IncomingMessage);
    expect(headers.host).toBe('korob.example');
    return headers[name]?.length;
  };
  expect([limit - 1, limit, limit + 1].map(left)).toEqual([limit - 1, limit, undefined]);
});
