import { readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { type ClientHttp2Session, connect as connectHttp2, type OutgoingHttpHeaders } from 'node:http2';
import { request } from 'node:https';
import { join } from 'node:path';
import { connect, type SecureVersion, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { ask, question } from '../faults/testing.ts';
import { asForm, browserHeaders } from '../testing/ask.ts';
import { type Nginx, nginxPath, startNginx } from '../testing/nginx.ts';
import { plainService } from '../testing/pages.ts';
import { has, testWith } from '../testing/requires.ts';
import { systemUser } from '../testing/system-user.ts';
import { shownSite, startTestSite, type TestSite } from '../testing/test-site.ts';

const missing = [nginxPath, 'openssl'].find((program) => !has(program));
const test = testWith(missing ?? nginxPath, 'the site is served over TLS');

const siteUrl = 'https://korob.example';
const name = 'korob.example';

type Answer = { status: number; headers: Record<string, unknown>; body: string };

describe('nginx with TLS, as it ships for Debian', () => {
  let site: TestSite;
  let nginx: Nginx;
  let ca: Buffer;
  let session: ClientHttp2Session;

  beforeAll(async () => {
    if (missing) return;
    site = await startTestSite({ trustProxy: 1, siteUrl, site: await shownSite({ siteUrl }) });
    nginx = await startNginx(site.port, undefined, siteUrl);
    ca = readFileSync(join(nginx.folder, 'tls/fullchain.pem'));
    session = connectHttp2(`https://127.0.0.1:${nginx.port}`, { ca, servername: name });
  });
  afterAll(async () => {
    session?.close();
    await nginx?.stop();
    await site?.close();
  });

  function over1(path: string, host = name): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const options = { host: '127.0.0.1', port: nginx.port, path, ca, servername: host, agent: false };
      request({ ...options, headers: { ...browserHeaders, host, 'accept-encoding': 'br' } }, async (response) => {
        const body = Buffer.concat(await response.toArray()).toString('latin1');
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
      })
        .on('error', reject)
        .end();
    });
  }

  function over2(path: string, options: { method?: string; headers?: OutgoingHttpHeaders; body?: string } = {}) {
    const { method = 'GET', headers = {}, body } = options;
    return new Promise<Answer>((resolve, reject) => {
      const pseudo = { ':method': method, ':path': path, ':authority': name };
      const stream = session.request({ ...pseudo, ...browserHeaders, 'accept-encoding': 'br', ...headers });
      stream.on('error', reject).on('response', async ({ ':status': status = 0, ...headers }) => {
        resolve({ status, headers, body: Buffer.concat(await stream.toArray()).toString('latin1') });
      });
      stream.end(body);
    });
  }

  /** @returns the cipher, or the error */
  function handshake(options: { maxVersion?: SecureVersion; ciphers?: string }): Promise<string> {
    return new Promise((resolve) => {
      const socket: TLSSocket = connect(
        { host: '127.0.0.1', port: nginx.port, ca, servername: name, minVersion: 'TLSv1', ...options },
        () => {
          resolve([socket.getProtocol(), socket.getCipher().name, socket.getTLSTicket() && 'ticket'].join(' ').trim());
          socket.destroy();
        },
      );
      socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    });
  }

  test('HTTP/2 is spoken, with the headers of the process, HSTS among them', async () => {
    const [direct, answer] = [await ask(site.port, '/rates'), await over2('/rates')];
    expect([session.alpnProtocol, answer.status]).toEqual(['h2', 200]);
    expect(answer.headers['strict-transport-security']).toMatch(/^max-age=\d{8}; includeSubDomains/);
    expect(answer.headers['content-security-policy']).toBe(direct.headers['content-security-policy']);
    expect(answer.headers.server).toBe('nginx');
  });

  test('a page that is kept is the same by HTTP/2 and by HTTP/1.1', async () => {
    for (const path of [plainService, '/favicon.svg']) {
      const answers = [await over1(path), await over2(path), await over1(path), await over2(path)];
      const { status, body, headers } = answers[0] ?? (await over1(path));
      expect([status, body.length > 100]).toEqual([200, true]);
      for (const answer of answers) {
        expect([path, answer.status, answer.body]).toEqual([path, status, body]);
        for (const header of ['etag', 'content-encoding', 'cache-control', 'strict-transport-security'])
          expect([header, answer.headers[header]]).toEqual([header, headers[header]]);
      }
    }
    expect(await nginx.accessLog()).toMatch(/"cache":"HIT"/);
  });

  test('a form is taken', async () => {
    const sent = await over2('/contact', asForm(question('По шифрованному каналу'), { headers: { origin: siteUrl } }));
    expect([sent.status, sent.headers.location]).toEqual([303, expect.stringMatching(/^\/contact\/[\w-]+$/)]);
    expect((await over2(String(sent.headers.location))).status).toBe(200);
  });

  test('TLS 1.2 and 1.3 with authenticated ciphers, nothing older, no tickets', async () => {
    expect(await handshake({ maxVersion: 'TLSv1.3' })).toMatch(/^TLSv1\.3 TLS_/);
    expect(await handshake({ maxVersion: 'TLSv1.2' })).toBe('TLSv1.2 ECDHE-ECDSA-AES128-GCM-SHA256');
    const all = 'ALL:@SECLEVEL=0';
    expect(await handshake({ maxVersion: 'TLSv1.1', ciphers: all })).toBe('ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION');
    const old = 'ECDHE-ECDSA-AES128-SHA:ECDHE-ECDSA-AES256-SHA384:@SECLEVEL=0';
    expect(await handshake({ maxVersion: 'TLSv1.2', ciphers: old })).toMatch(/ALERT_HANDSHAKE_FAILURE$/);
  });

  test('http leads to the address of the site, whatever the visitor calls it', async () => {
    for (const host of [name, `www.${name}`, 'evil.example', '127.0.0.1', `${name}:8080`])
      for (const path of ['/', '/rates?utm_source=a', '//evil.example/']) {
        const { status, headers } = await ask(nginx.httpPort, path, { headers: { host }, agent: false });
        expect([host, status, headers.location]).toEqual([host, 301, `${siteUrl}${path}`]);
      }
    const sent = await ask(nginx.httpPort, '/contact', { ...asForm(question('Открыто'), {}), agent: false });
    expect([sent.status, sent.headers.location]).toEqual([301, `${siteUrl}/contact`]);
  });

  test('another name of the site leads to the one that it has', async () => {
    const { status, headers } = await over1('/rates?utm_source=a', `www.${name}`);
    expect([status, headers.location]).toEqual([301, `${siteUrl}/rates?utm_source=a`]);
  });

  test("what certbot answers Let's Encrypt with is found by http", async () => {
    const folder = join(nginx.folder, 'webroot/.well-known/acme-challenge');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'token'), 'answer');
    const path = '/.well-known/acme-challenge';
    expect(await ask(nginx.httpPort, `${path}/token`, { agent: false })).toMatchObject({ status: 200, text: 'answer' });
    expect((await ask(nginx.httpPort, `${path}/other`, { agent: false })).status).toBe(404);
  });

  test('no process of it is root, none can write its configuration, and it complains of nothing', async () => {
    const user = systemUser('www-data')?.uid ?? process.getuid?.();
    const children = readFileSync(`/proc/${nginx.pid}/task/${nginx.pid}/children`, 'utf8').trim().split(' ');
    expect(children.length).toBeGreaterThanOrEqual(3);
    for (const pid of [nginx.pid, ...children]) {
      const ids = /^Uid:\t(.*)$/m
        .exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
        ?.split('\t')
        .map(Number);
      expect(ids).toEqual(Array(4).fill(user));
    }
    if (process.getuid?.() === 0) {
      const entries = readdirSync(nginx.folder, { withFileTypes: true, recursive: true });
      const written = entries.filter(({ parentPath, name }) => statSync(join(parentPath, name)).uid === user);
      const others = written.filter(
        ({ parentPath, name }) => !join(parentPath, name).startsWith(`${nginx.folder}/own`),
      );
      expect([written.length > 0, others]).toEqual([true, []]);
    }
    const lines = (await nginx.errorLog()).split('\n').filter((line) => line && !line.includes('[notice]'));
    expect(lines).toEqual([]);
  });
});
