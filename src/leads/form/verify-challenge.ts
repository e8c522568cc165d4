import * as z from 'zod';

const address = 'https://challenges.cloudflare.com/turnstile/v0/siteverify';

/** The maximum by Cloudflare's documentation. */
const maxTokenLength = 2048;

/** `unknown`: no token, or not the visitor's fault. No personal data. */
export type ChallengeOutcome = { verdict: 'passed' | 'failed' | 'unknown'; reason?: string };

/** Never rejects. */
export type Challenge = (token: string) => Promise<ChallengeOutcome>;

const answerSchema = z.object({
  success: z.boolean(),
  'error-codes': z.array(z.string().regex(/^[a-z-]{1,60}$/)).default([]),
});

/** Expired and reused tokens do not count against visitors: they come from slow typing and double clicks. */
export function verifyChallenge(options: {
  secret: string;
  fetch?: typeof globalThis.fetch;
  /** Milliseconds; the visitor is waiting. */
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
    // Errors have a JSON body, too.
    const { success, 'error-codes': codes } = answerSchema.parse(await answer.json());
    if (success) return { verdict: 'passed' };
    const invalid = codes.every((code) => code === 'invalid-input-response');
    return { verdict: invalid ? 'failed' : 'unknown', reason: codes.join(' ') };
  }

  return async (token) => {
    if (token === '') return { verdict: 'unknown', reason: 'no-token' };
    if (token.length > maxTokenLength) return { verdict: 'unknown', reason: 'too-long' };
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
