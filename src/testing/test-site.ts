import { createServer, type OutgoingHttpHeaders } from 'node:http';
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
import { missedAddresses } from '../http/missed.ts';
import { siteOf } from '../http/site.ts';
import type { Channel } from '../leads/delivery/channel.ts';
import { startDesk } from '../leads/operator/desk.ts';
import { leadStore } from '../leads/store/lead-store.ts';
import { paths } from '../lib/paths.ts';
import { generalPreset } from '../model/content.ts';
import type { Integrations } from '../model/integrations.ts';
import { readFolder } from '../reading/content-files.ts';
import { openEditionStore } from '../store/store.ts';
import { type Answer, type Ask, asForm, ask } from './ask.ts';
import { atEnd } from './at-end.ts';
import { builtAt, lastBuilt, siteUrl, testWorkshop } from './built.ts';
import { listen } from './listen.ts';
import { temporaryFolder } from './temporary-folder.ts';

export type TestSite = {
  /** `http://127.0.0.1:{port}` */
  url: string;
  port: number;
  services: Services;
  edition: Edition;
  /** Every line that was logged so far. */
  logs: string[];
  request(path: string, options?: Ask): Promise<Answer>;
  /** Posts a form as a browser does from a page of the site. */
  post(fields: Record<string, string> | URLSearchParams, headers?: OutgoingHttpHeaders): Promise<Answer>;
  /** For tests that need it to be over before all have ended. */
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

/** What every form takes, whatever it asks; `request` is the preset that every content has. */
export const filledForm = {
  preset: generalPreset,
  name: 'Анна',
  phone: '8 916 123-45-67',
  message: 'Сколько стоит короб?',
  consent: 'yes',
};

/**
 * The production application on a loopback port, with the built edition and a
 * real database in a temporary folder, till the tests of the file have ended.
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
  const dataDir = temporaryFolder();
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
    missed: missedAddresses(database),
    logger,
    draining: () => false,
    ...overrides,
  };
  const server = createServer(createApp(services));
  const port = await listen(server);

  const request: TestSite['request'] = (path, options) => ask(port, path, options);
  let closed = false;
  async function close(): Promise<void> {
    if (closed) return;
    closed = true;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await desk.stop();
    await leads.close();
    database.close();
  }
  atEnd(close);
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    services,
    edition,
    logs,
    request,
    post: (fields, headers = {}) => request('/contact', asForm(fields, { headers })),
    close,
  };
}
