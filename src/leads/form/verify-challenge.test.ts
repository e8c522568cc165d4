import { describe, expect, test } from '@jest/globals';
import { verifyChallenge } from './verify-challenge.ts';

describe('a challenge', () => {
  const asked: unknown[] = [];
  const challenge = (answer: (signal?: AbortSignal | null) => Response | Promise<Response>) => {
    asked.length = 0;
    return verifyChallenge({
      secret: 'a-secret',
      timeoutMs: 30,
      fetch: async (address, { method, body, redirect, signal } = {}) => {
        asked.push([address, method, String(body), redirect]);
        return answer(signal);
      },
    });
  };
  const passed = () => Response.json({ success: true, 'error-codes': [] });
  const refused = (...codes: string[]) => Response.json({ success: false, 'error-codes': codes });

  test('sends Cloudflare the token and the secret, and nothing else', async () => {
    expect(await challenge(passed)('a token & more')).toEqual({ verdict: 'passed' });
    const address = 'https://challenges.cloudflare.com/turnstile/v0/siteverify';
    expect(asked).toEqual([[address, 'POST', 'secret=a-secret&response=a+token+%26+more', 'error']]);
  });

  test.each([
    [['invalid-input-response'], 'failed'],
    [[], 'failed'],
    [['invalid-input-secret'], 'unknown'],
    [['invalid-input-response', 'internal-error'], 'unknown'],
  ])(
    'fails only for a false token, and is unknown after an error that is not the visitor’s: %j',
    async (codes, verdict) => {
      expect(await challenge(() => refused(...codes))('a-token')).toEqual({ verdict, reason: codes.join(' ') });
    },
  );

  test.each([
    ['', 'no-token'],
    ['x'.repeat(2049), 'too-long'],
  ])('is unknown without asking Cloudflare when the token is missing or too long (%#)', async (token, reason) => {
    expect(await challenge(passed)(token)).toEqual({ verdict: 'unknown', reason });
    expect(asked).toEqual([]);
  });

  test.each<[string, Parameters<typeof challenge>[0]]>([
    ['a body that is not JSON', () => new Response('<h1>Bad gateway</h1>', { status: 502 })],
    ['error codes that are plain text', () => refused('Анна, +79161234567')],
    ['a broken connection', () => Promise.reject(new TypeError('fetch failed'))],
  ])('is unknown when Cloudflare gives no usable answer: %s', async (_, answer) => {
    expect(await challenge(answer)('a-token')).toEqual({ verdict: 'unknown', reason: 'no-answer' });
  });

  test('times out when Cloudflare never answers', async () => {
    const never = challenge(
      (signal) => new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
    );
    expect(await never('a-token')).toEqual({ verdict: 'unknown', reason: 'timeout' });
  });
});
