import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { lazy } from '../lazy.ts';
import type { Content, Redirect } from '../site/content.ts';
import type { EditionIndex, IndexEntry } from './edition-index.ts';
import type { SiteImages } from './prerender.ts';
import { contentType, editionTiming } from './resource.ts';

export type Encoding = 'br' | 'gzip' | 'identity';

/** A finished answer: headers as a flat list of names and values, ready for `writeHead`. */
export type Answer = { headers: readonly string[]; body: Buffer };

/** One address of an edition with everything that is sent for it. */
export type Prerendered = {
  /** Names of query parameters with which the page must be rendered on demand. */
  query: readonly string[];
  etag: string;
  /** The best encoding of those that the visitor accepts. `versioned`: the query is the edition's id. */
  answer(accepted: ReadonlySet<Encoding>, versioned: boolean): Answer;
  /** Headers of a 304. */
  unchanged(versioned: boolean): readonly string[];
};

/** Everything prerendered, immutable. */
export type Edition = {
  id: string;
  /** From then on there is another edition of the same inputs; `undefined` if this one stays true. */
  until: Date | undefined;
  demo: boolean;
  prerendered: readonly string[];
  redirects: ReadonlyMap<string, string>;
  images: SiteImages;
  find(path: string): Prerendered | undefined;
  /** What pages are rendered from on demand; read when it is first needed. */
  content(): Content;
};

/** @returns the index of the edition in `dir`; `undefined` if there is none or it cannot be read */
export function readIndex(dir: string): EditionIndex | undefined {
  try {
    return JSON.parse(readFileSync(join(dir, 'index.json'), 'utf8')) as EditionIndex;
  } catch {
    return undefined;
  }
}

/** Whether an edition was made from these inputs, and its time is not over. */
export function isCurrent(index: EditionIndex | undefined, inputs: string, now = new Date()): index is EditionIndex {
  return index?.inputs === inputs && (index.until === null || new Date(index.until) > now);
}

/**
 * Opens an edition. Its bodies are read at once, so that the folder may go while
 * the edition is being served.
 *
 * @param dir folder of one edition
 * @throws if a file of the edition is missing
 */
export function openEdition(dir: string, index: EditionIndex): Edition {
  const bodies = readFileSync(join(dir, 'bodies'));
  let end = 0;
  const take = (length: number) => {
    end += length;
    return bodies.subarray(end - length, end);
  };
  const entries = new Map<string, Prerendered>();
  for (const entry of index.entries) entries.set(entry.path, prerendered(entry, index, take));
  if (end !== bodies.length) throw new Error(`The bodies of the edition in ${dir} are not whole; build it again.`);
  let content: Content | undefined;
  return {
    id: index.id,
    until: index.until === null ? undefined : new Date(index.until),
    demo: index.demo,
    prerendered: index.prerendered,
    redirects: new Map(index.redirects.map(({ from, to }: Redirect) => [from, to])),
    images: index.images,
    find: (path) => entries.get(path),
    content() {
      content ??= JSON.parse(readFileSync(join(dir, 'content.json'), 'utf8')) as Content;
      return content;
    },
  };
}

function prerendered(entry: IndexEntry, index: EditionIndex, take: (length: number) => Buffer): Prerendered {
  const [br, gzip, plain] = entry.stored.map((length) => (length === 0 ? undefined : take(length)));
  // Few clients want a body without any encoding: it is unpacked for them rather than kept beside the packed ones.
  const identity = gzip ? () => gunzipSync(gzip) : keep(plain ?? Buffer.alloc(0));

  const protection = Object.entries(index.security[entry.security] ?? {}).flat();
  const timing = entry.type === contentType('.html') ? ['Server-Timing', editionTiming(index.id)] : [];
  const common = (cacheControl: string) => [
    'ETag',
    entry.etag,
    'Cache-Control',
    cacheControl,
    'Vary',
    'Accept-Encoding',
    ...protection,
    ...timing,
  ];
  const full = (cacheControl: string, encoding: Encoding, length: number) => [
    'Content-Type',
    entry.type,
    'Content-Length',
    String(length),
    ...(encoding === 'identity' ? [] : ['Content-Encoding', encoding]),
    ...common(cacheControl),
  ];
  // An edition has many more addresses than are asked for.
  const versions = lazy(() =>
    [entry.cacheControl, entry.versionedCacheControl ?? entry.cacheControl].map((cacheControl) => ({
      br: br && { headers: full(cacheControl, 'br', br.length), body: br },
      gzip: gzip && { headers: full(cacheControl, 'gzip', gzip.length), body: gzip },
      identity: full(cacheControl, 'identity', entry.length),
      unchanged: common(cacheControl),
    })),
  );
  type Version = ReturnType<typeof versions>[number];
  const version = (versioned: boolean) => versions()[versioned ? 1 : 0] as Version;

  return {
    query: entry.query,
    etag: entry.etag,
    answer(accepted, versioned) {
      const answers = version(versioned);
      if (answers.br && accepted.has('br')) return answers.br;
      if (answers.gzip && accepted.has('gzip')) return answers.gzip;
      return { headers: answers.identity, body: identity() };
    },
    unchanged: (versioned) => version(versioned).unchanged,
  };
}

function keep<T>(value: T): () => T {
  return () => value;
}
