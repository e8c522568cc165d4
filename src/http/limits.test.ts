import { expect, test } from '@jest/globals';
import type { Request, Response } from 'express';
import { createLimiters } from './limits.ts';

type Limit = keyof ReturnType<typeof createLimiters>;

/** A request that a store has counted so often, whose window ends then. */
async function countedAs(name: Limit, totalHits: number, resetTime?: Date) {
  const seen = { windowMs: 0, warnings: 0, headers: {} as Record<string, unknown>, status: 0 };
  const limiters = createLimiters((stored) => ({
    init({ windowMs }) {
      if (stored === name) seen.windowMs = windowMs;
    },
    increment: async () => ({ totalHits, resetTime }),
    decrement() {},
    resetKey() {},
  }));
  const log = {
    warn() {
      seen.warnings += 1;
    },
  };
  const res = {
    locals: { log },
    set(name: string, value: unknown) {
      seen.headers[name] = value;
    },
  };
  const req = { ip: '203.0.113.7', headers: {}, socket: {}, app: { get: () => 1 } };
  await new Promise<void>((resolve) => {
    limiters[name](req as unknown as Request, res as unknown as Response, (error?: unknown) => {
      seen.status = Number((error as { status?: number } | undefined)?.status ?? 200);
      resolve();
    });
  });
  return seen;
}

test.each<[Limit, number, number]>([
  ['requests', 100, 10],
  ['forms', 600, 600],
])('of %s, a network may send %i in %i seconds, and is logged once when it sends more', async (name, most, seconds) => {
  expect(await countedAs(name, most)).toMatchObject({
    windowMs: seconds * 1_000,
    status: 200,
    warnings: 0,
    headers: {},
  });
  const refused = { status: 429, headers: { 'Retry-After': String(seconds) } };
  expect(await countedAs(name, most + 1)).toMatchObject({ ...refused, warnings: 1 });
  expect(await countedAs(name, most + 2)).toMatchObject({ ...refused, warnings: 0 });
});

test.each([
  [4_500, '5'],
  [900, '1'],
  [-5_000, '1'],
])('a refusal asks to wait until the window ends in %i ms, for at least a second', async (left, seconds) => {
  const { headers } = await countedAs('requests', 500, new Date(Date.now() + left));
  expect(headers).toEqual({ 'Retry-After': seconds });
});

test.each<[string, string[]]>([
  ['203.0.113.7', ['203.0.113.7', '203.0.113.7:4711', '::ffff:203.0.113.7', '[::ffff:cb00:7107]:4711']],
  ['2001:db8:0:1200::/56', ['2001:db8:0:12aa::1', '2001:DB8::12bb:0:0:0:2', '[2001:db8:0:12cc::3]:443']],
  [
    '198.51.100.1',
    ['', 'unknown', '203.0.113.7.8', '203.0.113.777', '203.0.113.7:port', '[::1', `${'1:'.repeat(8_000)}x`],
  ],
])('requests of %s count together, however a proxy spells it', async (network, spellings) => {
  const counted = new Set<string>();
  const { requests } = createLimiters(() => ({
    increment: async (key: string) => {
      counted.add(key);
      return { totalHits: 1, resetTime: undefined };
    },
    decrement() {},
    resetKey() {},
  }));
  for (const ip of spellings) {
    const req = { ip, headers: {}, socket: { remoteAddress: '198.51.100.1' }, app: { get: () => 1 } };
    await new Promise((resolve) => requests(req as unknown as Request, { locals: {} } as unknown as Response, resolve));
  }
  expect([...counted]).toEqual([network]);
});
