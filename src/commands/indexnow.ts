import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config, IndexNow } from '../config.ts';
import { variantOf } from '../edition/code.ts';
import { currentEdition } from '../edition/fitting.ts';
import { type Edition, openEdition } from '../edition/open.ts';
import { openEditions } from '../edition/stores.ts';
import { type Answer, postJson } from '../lib/http-client.ts';
import { printable } from '../lib/table.ts';
import { shorten } from '../lib/tidy.ts';
import { type Command, CommandError, configOf, count, note, parse, print } from './command.ts';
import { workshopOf } from './content.ts';

/** https://www.indexnow.org/documentation: addresses in one request. */
const batchSize = 10_000;
const timeoutMs = 20_000;

/** What a page says, as a hash, by its path. */
type Fingerprints = ReadonlyMap<string, string>;

export const indexNowCommand: Command = {
  name: 'indexnow',
  usage: '[--all] [--dry-run]',
  does: 'tells search engines which pages have changed or gone since they were last told; --all: of every page',
  async run(args, io) {
    const { values } = parse(args, { all: { type: 'boolean' }, 'dry-run': { type: 'boolean' } });
    const config = configOf(io);
    const { siteUrl, indexNow } = config;
    refuseLocal(siteUrl);
    const now = currentPages(config);
    const memory = remembered(config);
    const changed = [...now.keys()].filter((path) => values.all || memory.told.get(path) !== now.get(path));
    const gone = [...memory.told.keys()].filter((path) => !now.has(path));
    const due = [...changed, ...gone];
    if (due.length === 0) return note(io, 'Nothing has changed since search engines were last told.');
    if (values['dry-run']) {
      await print(io, [due.map((path) => `${siteUrl}${path}\n`).join('')]);
      return note(io, `${count(changed.length, 'page')} changed, ${gone.length} gone. Nothing was sent.`);
    }
    if (!indexNow) {
      throw new CommandError(
        'INDEXNOW_KEY is not set. Make one, such as "openssl rand -hex 16" gives, set it for the server too, and restart it.',
      );
    }
    for (let start = 0; start < due.length; start += batchSize) {
      const batch = due.slice(start, start + batchSize);
      await submit(batch, siteUrl, indexNow);
      memory.remember(batch, now);
      note(io, `${count(batch.length, 'page')} accepted by ${new URL(indexNow.endpoint).host}.`);
    }
  },
};

/** Search engines cannot look at a site that only this machine reaches. */
function refuseLocal(siteUrl: string): void {
  const { hostname } = new URL(siteUrl);
  if (!/^(localhost|.*\.localhost|127\..*|\[::1\])$/.test(hostname)) return;
  throw new CommandError(
    `SITE_URL is ${siteUrl}, which search engines cannot reach; set it to the address of the site.`,
  );
}

/** @returns what the edition that visitors see says @throws {CommandError} if there is none */
function currentPages(config: Config): Fingerprints {
  const editions = openEditions(config.dataDir, 'serve');
  try {
    const edition = openEdition(currentEdition(editions, variantOf(workshopOf(config)), new Date())?.index, editions);
    if (edition === undefined) {
      throw new CommandError('There is no edition of this version and address; "publish" or start the server first.');
    }
    return fingerprints(edition, config.siteUrl);
  } finally {
    editions.close();
  }
}

/**
 * What each page of the sitemap says: its title, its description and its main part. What surrounds
 * them, styles and scripts among it, changes with every release and is no news to search engines.
 */
export function fingerprints(edition: Pick<Edition, 'find'>, siteUrl: string): Fingerprints {
  const textAt = (path: string) => String(edition.find(path)?.answer(new Set(), false)?.body ?? '');
  const listed = [...textAt('/sitemap.xml').matchAll(/<loc>([^<]*)<\/loc>/g)];
  return new Map(
    listed.map(([, address = '']) => {
      const path = address.slice(siteUrl.length);
      const said =
        textAt(path).match(/<title>[^<]*<\/title>|<meta name="description"[^>]*>|<main[\s\S]*<\/main>/g) ?? [];
      return [path, createHash('sha256').update(said.join('\n')).digest('hex').slice(0, 16)];
    }),
  );
}

type Memory = {
  /** What search engines were told of, as it was then. */
  told: Map<string, string>;
  /** Keeps what they have accepted. @param now what the pages say; a page that is not in it has gone */
  remember(accepted: readonly string[], now: Fingerprints): void;
};

/** What was submitted under this address of the site; of another one, nothing counts. */
function remembered({ dataDir, siteUrl }: Config): Memory {
  const file = join(dataDir, 'indexnow.json');
  const told = new Map<string, string>();
  const kept = readJson(file);
  if (kept?.siteUrl === siteUrl) for (const [path, hash] of Object.entries(kept.pages)) told.set(path, hash);
  return {
    told,
    remember(accepted, now) {
      for (const path of accepted) {
        const hash = now.get(path);
        if (hash === undefined) told.delete(path);
        else told.set(path, hash);
      }
      mkdirSync(dataDir, { recursive: true });
      writeFileSync(`${file}.new`, JSON.stringify({ siteUrl, pages: Object.fromEntries(told) }));
      renameSync(`${file}.new`, file);
    },
  };
}

/** @returns `undefined` if there is no such file yet @throws {CommandError} if it cannot be read */
function readJson(file: string): { siteUrl: string; pages: Record<string, string> } | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (Error.isError(error) && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new CommandError(`${file} cannot be read (${error}); delete it, and every page counts as changed.`);
  }
}

/** @throws {CommandError} unless they are accepted */
async function submit(batch: readonly string[], siteUrl: string, { key, endpoint }: IndexNow): Promise<void> {
  const keyLocation = `${siteUrl}/${key}.txt`;
  const body = JSON.stringify({
    host: new URL(siteUrl).host,
    key,
    keyLocation,
    urlList: batch.map((path) => siteUrl + path),
  });
  const answer = await postJson(endpoint, { who: 'IndexNow', body, signal: AbortSignal.timeout(timeoutMs) });
  if (answer.status === 200) return answer.discard();
  throw new CommandError(
    `${endpoint} answered ${answer.status}${await reason(answer)}: ${advice(answer, keyLocation)}`,
  );
}

async function reason(answer: Answer): Promise<string> {
  const said = await answer.json().catch(() => undefined);
  const message = typeof said === 'object' && said !== null && 'message' in said ? said.message : undefined;
  return typeof message === 'string' ? ` (${printable(shorten(message, 200))})` : '';
}

/** https://yandex.com/support/webmaster/en/indexnow/reference/post-url */
function advice({ status, retryAfterMs }: Answer, keyLocation: string): string {
  switch (status) {
    case 202:
      return `the key is new and has yet to be verified at ${keyLocation}, and the addresses may be lost; run this again in ten minutes.`;
    case 400:
      return 'it does not understand the request; is INDEXNOW_ENDPOINT the address of an IndexNow service?';
    case 403:
      return `it does not find the key; ${keyLocation} must open from outside and show the key, so the server must run with the same INDEXNOW_KEY.`;
    case 422:
      return `it does not take these addresses for this key; SITE_URL must be the address that the site has outside, and ${keyLocation} must open.`;
    case 429:
      return `it has been asked too often; run this again in ${Math.max(10, Math.ceil(retryAfterMs / 60_000))} minutes, and not more often than pages change.`;
    default:
      return status >= 500
        ? 'it is out of order; run this again later.'
        : 'is INDEXNOW_ENDPOINT the address of an IndexNow service?';
  }
}
