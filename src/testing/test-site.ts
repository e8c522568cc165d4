import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request as httpRequest, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { createApp, type Services } from '../app.ts';
import { storedBroadcast } from '../broadcast/broadcast.ts';
import { openDatabase } from '../database/sqlite.ts';
import { readCode } from '../edition/code.ts';
import { type EditionIndex, entriesOf } from '../edition/edition-index.ts';
import type { Entry } from '../edition/entries.ts';
import { type MakeOptions, makeEdition } from '../edition/make.ts';
import { type Edition, openEdition } from '../edition/open.ts';
import { openShipped } from '../edition/stores.ts';
import { ownCounters } from '../http/limits.ts';
import { siteOf } from '../http/site.ts';
import type { Channel } from '../leads/delivery/channel.ts';
import { startDesk } from '../leads/operator/desk.ts';
import { leadStore } from '../leads/store/lead-store.ts';
import { paths } from '../lib/paths.ts';
import type { Integrations } from '../model/integrations.ts';
import { readFolder } from '../reading/content-files.ts';
import { openEditionStore } from '../store/store.ts';
import { builtAt, lastBuilt, siteUrl, testWorkshop } from './built.ts';

export type Answer = { status: number; headers: IncomingHttpHeaders; body: Buffer; text: string };

export type TestSite = {
  /** `http://127.0.0.1:{port}` */
  url: string;
  port: number;
  services: Services;
  edition: Edition;
  /** Every line that was logged so far. */
  logs: string[];
  /** Sends a request as given: nothing is normalised, followed or unpacked. An `undefined` header is left out. */
  request(
    path: string,
    options?: { method?: string; headers?: OutgoingHttpHeaders; body?: string | Buffer },
  ): Promise<Answer>;
  /** Posts a form as a browser does from a page of the site. */
  post(fields: Record<string, string> | URLSearchParams, headers?: OutgoingHttpHeaders): Promise<Answer>;
  close(): Promise<void>;
};

/** An edition with all that it is made of. */
export type MadeEdition = Edition & { index: EditionIndex; entries: readonly Entry[] };

/** An edition of some content in a store of its own, in memory; what the build has made is not made again. */
export async function editionOf(options: Partial<MakeOptions> = {}): Promise<MadeEdition> {
  const { files = readFolder(paths.content), workshop = testWorkshop(), at = builtAt } = options;
  const store = options.store ?? openEditionStore(':memory:', { for: 'make' }, openShipped());
  const { index } = await makeEdition({ ...options, files, workshop, store, at });
  const edition = openEdition(index, store);
  if (edition === undefined) throw new Error('The edition was made but cannot be read.');
  return { ...edition, index, entries: entriesOf(index, store) };
}

/** What an edition has at an address, as it is without any encoding; nothing if it has no such address. */
export function textAt(edition: Pick<Edition, 'find'>, path: string): string {
  return String(edition.find(path)?.answer(new Set(), false)?.body ?? '');
}

/** The edition of `npm run build`; with third parties, one made for this test. */
export async function builtEdition(integrations: Integrations = {}): Promise<Edition> {
  const built = Object.keys(integrations).length === 0 ? lastBuilt() : undefined;
  return built ?? editionOf({ workshop: testWorkshop(integrations) });
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
  overrides: Partial<Services> & {
    channels?: readonly Channel[];
    later?: readonly string[];
    /** Third parties of the edition. */
    integrations?: Integrations;
  } = {},
): Promise<TestSite> {
  const dataDir = await mkdtemp(join(tmpdir(), 'korob-test-'));
  const logs: string[] = [];
  const database = openDatabase(dataDir);
  const leads = leadStore(database);
  const edition = overrides.edition ?? (await builtEdition(overrides.integrations));
  const site = siteOf(edition, { siteUrl: overrides.siteUrl ?? siteUrl, code: readCode(paths.code) });
  const logger = pino({ level: 'trace' }, { write: (line: string) => void logs.push(line) });
  const desk = await startDesk({
    store: { ...leads, ...overrides.leads },
    channels: overrides.channels ?? [],
    later: overrides.later ?? [],
    content: () => site.content,
    siteUrl,
    logger,
  });
  const services: Services = {
    siteUrl,
    trustProxy: 0,
    edition,
    makePicture: async () => {},
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
