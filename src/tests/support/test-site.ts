import type { OutgoingHttpHeaders } from 'node:http';
import { pino } from 'pino';
import { createApp, type Services } from '../../app.ts';
import { createHttpServer } from '../../http/http-server.ts';
import { createLimiters, type Limiters } from '../../http/limits.ts';
import type { Channel } from '../../leads/channels/channel.ts';
import { startLeadIntake } from '../../leads/intake/lead-intake.ts';
import { storeIn } from '../../leads/store/open-store.ts';
import type { Sql } from '../../leads/store/sql.ts';
import { openDatabase } from '../../leads/store/sqlite.ts';
import { paths } from '../../lib/paths.ts';
import { type ContentFiles, readFolder } from '../../loading/content-files.ts';
import type { Integrations } from '../../model/integrations.ts';
import { generalPreset } from '../../model/schemas/presets-schema.ts';
import { checkContent, publishable } from '../../publishing/check-site.ts';
import { serializeError } from '../../serialize-error.ts';
import { loadSite } from '../../site/load-site.ts';
import type { Site } from '../../site/site.ts';
import { type Ask, asForm, ask, type HttpAnswer } from './ask.ts';
import { atEnd } from './at-end.ts';
import { builtAt, siteUrl, testInputs } from './built.ts';
import { listen } from './listen.ts';
import { temporaryFolder } from './temporary-folder.ts';

export type TestSite = {
  /** `http://127.0.0.1:{port}` */
  url: string;
  port: number;
  services: Services;
  /** The connection of its store. */
  sql: Sql;
  /** The site that it serves. */
  served: Site;
  /** All log lines so far. */
  logs: string[];
  request(path: string, options?: Ask): Promise<HttpAnswer>;
  /** Posts a form as a browser does from a page of the site. */
  post(fields: Record<string, string> | URLSearchParams, headers?: OutgoingHttpHeaders): Promise<HttpAnswer>;
  /** For tests that must close it early. */
  close(): Promise<void>;
};

/** The options of a test site; by default it has the shipped content, the current time and no third parties. */
type SiteOptions = {
  files?: ContentFiles;
  integrations?: Integrations;
  siteUrl?: string;
  at?: Date;
  /** Shows drafts, marked as such. */
  drafts?: boolean;
};

/** Builds a site from content that passes the checks. @throws {ContentError} if it does not */
export async function siteOf(options: SiteOptions = {}): Promise<Site> {
  const { files, ...made } = madeOf(options);
  return publishable(await checkContent(files, made));
}

/** Builds a site as a server does from published content, with only the necessary checks. */
export async function shownSite(options: SiteOptions = {}): Promise<Site> {
  if (Object.values(options).some((one) => one !== undefined)) return load(options);
  shipped ??= load({});
  return shipped;
}

/** Cached, because a suite and its helpers ask for it several times. */
let shipped: Site | undefined;

function load(options: SiteOptions): Site {
  const { files, ...made } = madeOf(options);
  return loadSite(files, made).site;
}

function madeOf({ files, integrations, siteUrl: own = siteUrl, at = builtAt, drafts = false }: SiteOptions) {
  return {
    files: files ?? readFolder(paths.content),
    inputs: { ...testInputs(integrations), siteUrl: own },
    at,
    drafts,
  };
}

/** Returns the text at an address without content encoding, or an empty text if there is no such address. */
export function textAt({ find }: Pick<Site, 'find'>, path: string): string {
  return String(find(path)?.answer('identity', false).body ?? '');
}

/** Fields that every form accepts; `request` is a preset that all content has. */
export const filledForm = {
  preset: generalPreset,
  name: 'Анна',
  phone: '8 916 123-45-67',
  message: 'Сколько стоит короб?',
  consent: 'yes',
};

/** Limiters that start at these counts; limiters without a count never refuse. */
export function limitersAfter(counts: Partial<Record<keyof Limiters, number>> = {}): Limiters {
  return createLimiters((name) => {
    const before = counts[name];
    const hits = new Map<string, number>();
    return {
      async increment(client) {
        const totalHits = before === undefined ? 1 : (hits.get(client) ?? before) + 1;
        hits.set(client, totalHits);
        return { totalHits, resetTime: new Date(Date.now() + 60_000) };
      },
      decrement() {},
      resetKey() {},
      localKeys: true,
    };
  });
}

/**
 * Starts the production application on a loopback port, with the shipped content and a
 * real database in a temporary folder. Stops it after the tests of the file.
 *
 * @param overrides services that replace the real ones
 */
export async function startTestSite(
  overrides: Partial<Services> & {
    channels?: readonly Channel[];
    later?: readonly string[];
    /** Third parties of the site. */
    integrations?: Integrations;
  } = {},
): Promise<TestSite> {
  const dataDir = temporaryFolder();
  const logs: string[] = [];
  const { leads, deliveries, links, broadcast, ...store } = storeIn(openDatabase(dataDir));
  const { integrations, ...replaced } = overrides;
  const site = overrides.site ?? (await shownSite({ integrations, siteUrl: overrides.siteUrl }));
  const serializers = { err: serializeError };
  const logger = pino({ level: 'trace', serializers }, { write: (line: string) => void logs.push(line) });
  const intake = startLeadIntake({
    leads: overrides.leads ?? leads,
    deliveries,
    channels: overrides.channels ?? [],
    later: overrides.later ?? [],
    content: () => site.content,
    siteUrl,
    logger,
  });
  const services: Services = {
    siteUrl,
    trustProxy: 0,
    site,
    published: paths.published(dataDir),
    pictureFolders: paths.pictures(dataDir),
    leads,
    deliveries,
    links,
    intake,
    limiters: limitersAfter(),
    broadcast,
    logger,
    draining: () => false,
    countRequest: () => {},
    countMissing: () => {},
    ...replaced,
  };
  const server = createHttpServer(createApp(services));
  const port = await listen(server);

  const request: TestSite['request'] = (path, options) => ask(port, path, options);
  let closed = false;
  async function close(): Promise<void> {
    if (closed) return;
    closed = true;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await intake.stop();
    await store.close();
  }
  atEnd(close);
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    services,
    sql: store.sql,
    served: services.site,
    logs,
    request,
    post: (fields, headers = {}) => request('/contact', asForm(fields, { headers })),
    close,
  };
}
