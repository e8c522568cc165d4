import * as z from 'zod';

/** Where Cloudflare tells whether a token is one of its own. */
const address = 'https://challenges.cloudflare.com/turnstile/v0/siteverify';

/** Characters; Cloudflare makes no longer tokens. */
const longestToken = 2048;

/**
 * `passed`, `failed`: Cloudflare says so. `unknown`: there was no token, or nothing
 * that can be held against the visitor; `reason` is one of Cloudflare's codes or a
 * word of ours, and never has personal data.
 */
export type ChallengeOutcome = { verdict: 'passed' | 'failed' | 'unknown'; reason?: string };

/** Asks about the token of one form. Never rejects. */
export type Challenge = (token: string) => Promise<ChallengeOutcome>;

const answerSchema = z.object({
  success: z.boolean(),
  'error-codes': z.array(z.string().regex(/^[a-z-]{1,60}$/)).default([]),
});

/**
 * Verifies tokens of Turnstile.
 *
 * Only a token that Cloudflare calls invalid counts against a visitor. One that has
 * expired or was used before comes from people who write slowly or press twice; and
 * what is wrong with our key, or with Cloudflare, is no fault of theirs.
 */
export function verifyChallenge(options: {
  secret: string;
  fetch?: typeof globalThis.fetch;
  /** Milliseconds for the whole question, its answer included: the visitor is waiting. */
  timeoutMs?: number;
}): Challenge {
  const { secret, fetch = globalThis.fetch, timeoutMs = 1_500 } = options;

  async function ask(token: string): Promise<ChallengeOutcome> {
    const answer = await fetch(address, {
      method: 'POST',
      body: new URLSearchParams({ secret, response: token }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    // Refusals have a body that says why, under any status.
    const { success, 'error-codes': codes } = answerSchema.parse(await answer.json());
    if (success) return { verdict: 'passed' };
    const invalid = codes.every((code) => code === 'invalid-input-response');
    return { verdict: invalid ? 'failed' : 'unknown', reason: codes.join(' ') };
  }

  return async (token) => {
    if (token === '') return { verdict: 'unknown', reason: 'no-token' };
    if (token.length > longestToken) return { verdict: 'unknown', reason: 'too-long' };
    try {
      return await ask(token);
    } catch (error) {
      return {
        verdict: 'unknown',
        reason: Error.isError(error) && error.name === 'TimeoutError' ? 'timeout' : 'no-answer',
      };
    }
  };
}
