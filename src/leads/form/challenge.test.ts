import { createServer, type RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { listen } from '../../testing/listen.ts';
import { type Challenge, verifyChallenge } from './challenge.ts';

const secret = 'a-secret-of-ours';
let asked: { method: string | undefined; type: string | undefined; body: string }[];
let addresses: string[];
let answer: RequestListener;

const say =
  (body: unknown, status = 200): RequestListener =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
const refuse = (...codes: string[]) => say({ success: false, 'error-codes': codes });

const server = createServer(async (request, response) => {
  asked.push({ method: request.method, type: request.headers['content-type'], body: await text(request) });
  answer(request, response);
});
const url = `http://127.0.0.1:${await listen(server)}/`;

beforeEach(() => {
  asked = [];
  addresses = [];
  answer = say({ success: true, 'error-codes': [], hostname: 'korob.example' });
});

function challenge(timeoutMs = 60_000): Challenge {
  return verifyChallenge({
    secret,
    timeoutMs,
    fetch: (address, init) => {
      addresses.push(String(address));
      return fetch(url, init);
    },
  });
}

test('asks Cloudflare about the token, and about nothing else', async () => {
  expect(await challenge()('a token & more')).toEqual({ verdict: 'passed' });
  expect(addresses).toEqual(['https://challenges.cloudflare.com/turnstile/v0/siteverify']);
  expect(asked).toEqual([
    {
      method: 'POST',
      type: 'application/x-www-form-urlencoded;charset=UTF-8',
      body: `secret=${secret}&response=a+token+%26+more`,
    },
  ]);
});

test.each([[['invalid-input-response']], [[]]])('a token that Cloudflare calls false has failed: %j', async (codes) => {
  answer = refuse(...codes);
  expect((await challenge()('forged')).verdict).toBe('failed');
});

test.each(['timeout-or-duplicate', 'invalid-input-secret', 'missing-input-secret', 'bad-request', 'internal-error'])(
  'what is no fault of the visitor is not held against them: %s',
  async (code) => {
    answer = refuse(code);
    expect(await challenge()('a-token')).toEqual({ verdict: 'unknown', reason: code });
    answer = refuse('invalid-input-response', code);
    expect((await challenge()('a-token')).verdict).toBe('unknown');
  },
);

test.each([
  ['', 'no-token'],
  ['x'.repeat(2049), 'too-long'],
])('of no token, or of one that Cloudflare never made, nobody is asked (%#)', async (token, reason) => {
  expect(await challenge()(token)).toEqual({ verdict: 'unknown', reason });
  expect(asked).toEqual([]);
});

test('the longest token of Cloudflare is asked about', async () => {
  expect(await challenge()('x'.repeat(2048))).toEqual({ verdict: 'passed' });
});

describe('without an answer, a token speaks neither for nor against', () => {
  test.each<[string, RequestListener]>([
    ['no JSON', say('<h1>Bad gateway</h1>', 502)],
    ['other JSON', say({ success: 'no' })],
    ['words that are no codes', say({ success: false, 'error-codes': ['Анна, +79161234567'] })],
    ['an empty body', say('')],
    ['a redirect', (_, response) => void response.writeHead(302, { location: '/elsewhere' }).end()],
    ['a broken connection', (_, response) => void response.destroy()],
  ])('%s', async (_, given) => {
    answer = given;
    expect(await challenge()('a-token')).toEqual({ verdict: 'unknown', reason: 'no-answer' });
    expect(asked).toHaveLength(1);
  });

  test.each<[string, RequestListener]>([
    ['that never comes', () => {}],
    ['that never ends', (_, response) => void response.write('{"success": ')],
  ])('one %s is not waited for', async (_, given) => {
    answer = given;
    expect(await challenge(30)('a-token')).toEqual({ verdict: 'unknown', reason: 'timeout' });
  });
});
