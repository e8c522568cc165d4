import type { IncomingMessage } from 'node:http';
import { expect, test } from '@jest/globals';
import { pino } from 'pino';
import { watchForwarded } from './forwarded.ts';

/** @returns the number of warnings after requests from these addresses */
function warningsAfter(
  trustProxy: number,
  requests: [remoteAddress: string | undefined, forwarded: boolean][],
): number {
  const lines: string[] = [];
  const watch = watchForwarded(trustProxy, pino({}, { write: (line: string) => void lines.push(line) }));
  for (const [remoteAddress, forwarded] of requests) {
    const headers = forwarded ? { 'x-forwarded-for': '203.0.113.7' } : {};
    watch({ headers, socket: { remoteAddress } } as unknown as IncomingMessage);
  }
  return lines.length;
}

test('a proxy that is not counted is warned of once, and visitors who send its header are not', () => {
  expect(warningsAfter(0, [['10.0.0.1', true]])).toBe(1);
  expect(warningsAfter(0, [['::ffff:172.18.0.2', true]])).toBe(1);
  expect(
    warningsAfter(
      0,
      [...Array(3)].map(() => ['127.0.0.1', true]),
    ),
  ).toBe(1);
  expect(
    warningsAfter(0, [
      ['10.0.0.1', false],
      ['203.0.113.9', true],
      [undefined, true],
    ]),
  ).toBe(0);
  expect(
    warningsAfter(0, [
      ['203.0.113.9', true],
      ['10.0.0.1', false],
      ['10.0.0.1', true],
    ]),
  ).toBe(1);
  expect(warningsAfter(1, [['10.0.0.1', true]])).toBe(0);
});
