import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { createServer, request as httpRequest, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { createApp, type Services } from '../app.ts';
import { storedBroadcast } from '../broadcast/broadcast.ts';
import { readCode } from '../edition/inputs.ts';
import type { Edition } from '../edition/open.ts';
import { prepareEdition } from '../edition/prepare.ts';
import { ownCounters } from '../http/limits.ts';
import { siteOf } from '../http/site.ts';
import type { Channel } from '../leads/channels/channel.ts';
import { openDatabase } from '../leads/database.ts';
import { startDesk } from '../leads/desk.ts';
import { sqliteLeadStore } from '../leads/sqlite-store.ts';
import { paths } from '../paths.ts';
import type { Integrations } from '../site/integrations.ts';

/** The address that the build prerenders for, so that tests serve the very edition that was built. */
export const siteUrl = 'http://localhost:3000';

export type Answer = { status: number; headers: IncomingHttpHeaders; body: Buffer; text: string };

export type TestSite = {
  /** `http://127.0.0.1:{port}` */
  url: string;
  port: number;
  services: Services;
  edition: Edition;
  /** Every line that was logged so far. */
  logs: string[];
  /** Sends a request exactly as given: nothing is normalised, followed or unpacked. An `undefined` header is left out. */
  request(
    path: string,
    options?: { method?: string; headers?: OutgoingHttpHeaders; body?: string | Buffer },
  ): Promise<Answer>;
  /** Posts a form as a browser does from a page of the site. */
  post(fields: Record<string, string> | URLSearchParams, headers?: OutgoingHttpHeaders): Promise<Answer>;
  close(): Promise<void>;
};

/** The edition that `npm run build` left in `dist/`; with third parties, one made for this test, which takes some seconds. */
export async function builtEdition(integrations: Integrations = {}): Promise<Edition> {
  const made = Object.keys(integrations).length > 0 ? await mkdtemp(join(tmpdir(), 'korob-edition-')) : undefined;
  // Pictures are the same, and most of what is compressed.
  if (made !== undefined) await symlink(join(paths.shippedEditions, 'cache'), join(made, 'cache'));
  const edition = await prepareEdition({
    code: readCode(paths.code),
    contentDir: paths.content,
    publicDir: paths.public,
    siteUrl,
    integrations,
    shippedDir: paths.shippedEditions,
    ownDir: made ?? paths.shippedEditions,
    onBuild: () => {},
  });
  if (made !== undefined) {
    // Whatever is read later is read now, for the folder goes.
    edition.content();
    await rm(made, { recursive: true });
  }
  return edition;
}

/** What a person's browser says of itself; without it, errors are answered as to a bot. */
export const browserHeaders = {
  'user-agent':
    'Mozilla/5.0 (Linux; Android 10) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0 Mobile Safari/537.36',
  accept: 'text/html,application/xhtml+xml',
};

/**
 * The production application on a loopback port, with the built edition and a
 * real database in a temporary folder.
 *
 * @param overrides services to put in the place of the real ones
 */
export async function startTestSite(
  overrides: Partial<Services> & { channels?: readonly Channel[]; later?: readonly string[] } = {},
): Promise<TestSite> {
  const dataDir = await mkdtemp(join(tmpdir(), 'korob-test-'));
  const logs: string[] = [];
  const database = openDatabase(dataDir);
  const leads = sqliteLeadStore(database);
  const edition = overrides.edition ?? (await builtEdition());
  const site = siteOf(edition, { siteUrl, code: readCode(paths.code) });
  const logger = pino({ level: 'trace' }, { write: (line: string) => void logs.push(line) });
  const desk = await startDesk({
    store: { ...leads, ...overrides.leads },
    channels: overrides.channels ?? [],
    later: overrides.later ?? [],
    content: site.content,
    siteUrl,
    logger,
  });
  const services: Services = {
    siteUrl,
    trustProxy: 0,
    edition,
    site,
    leads,
    desk,
    counters: ownCounters(),
    broadcast: storedBroadcast(database),
    logger,
    draining: () => false,
    ...overrides,
  };
  const server = createServer(createApp(services));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A test that fails before it closes its site must not keep the whole run from ending.
  server.unref();
  const { port } = server.address() as AddressInfo;

  const request: TestSite['request'] = (path, { method = 'GET', headers = {}, body } = {}) =>
    new Promise((resolve, reject) => {
      const given = Object.entries({ ...browserHeaders, ...headers }).filter(([, value]) => value !== undefined);
      const sent = httpRequest(
        { host: '127.0.0.1', port, path, method, headers: Object.fromEntries(given), agent: false },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const whole = Buffer.concat(chunks);
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              body: whole,
              text: whole.toString(),
            });
          });
        },
      );
      sent.on('error', reject);
      sent.end(body);
    });

  return {
    url: `http://127.0.0.1:${port}`,
    port,
    services,
    edition,
    logs,
    request,
    post: (fields, headers = {}) =>
      request('/contact', {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin', ...headers },
        body: new URLSearchParams(fields).toString(),
      }),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await desk.stop();
      await leads.close();
      database.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
