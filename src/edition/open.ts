import { LRUCache } from 'lru-cache';
import { cacheFor } from '../lib/cache-for.ts';
import { type Hash, keyOf } from '../lib/hash.ts';
import { lazy } from '../lib/lazy.ts';
import type { Content, Redirect } from '../model/content.ts';
import { unpackContent } from '../reading/packed.ts';
import { withIndex } from '../search/index-of.ts';
import { openIndex } from '../search/search-index.ts';
import { MissingText } from '../store/memo.ts';
import type { EditionStore, Encoding, Stored } from '../store/store.ts';
import {
  type DictionaryEntry,
  type EditionIndex,
  type FixedImages,
  isPage,
  type NamedProfile,
} from './edition-index.ts';
import { type Entry, findEntry, readEntries } from './entries.ts';
import { contentType, editionTiming, sharePath } from './resource.ts';

/** A finished answer: headers as a flat list of names and values, ready for `writeHead`. */
export type Answer = { headers: readonly string[]; body: Buffer };

/** An encoding as HTTP names it; `dcz` is that with the dictionary of the edition. */
export type Coding = 'dcz' | 'br' | 'gzip' | 'identity';

/** One address of an edition with everything that is sent for it. */
export type Prerendered = {
  /** Names of query parameters with which the page must be rendered on demand. */
  query: readonly string[];
  etag: string;
  type: string;
  /** Whether visitors ask for it each time, though a proxy may keep it for a moment. */
  revalidated: boolean;
  /**
   * The best encoding of those that the visitor accepts; `undefined` if the body is missing, because it is damaged or
   * has still to be made. `versioned`: the query is the edition's id.
   */
  answer(accepted: ReadonlySet<Coding>, versioned: boolean): Answer | undefined;
  /** Headers of a 304. */
  unchanged(versioned: boolean): readonly string[];
};

/** Everything prerendered, immutable. */
export type Edition = {
  id: string;
  /** From then on there is another edition of the same content; `undefined` if this one stays true. */
  until: Date | undefined;
  snapshot: Hash;
  demo: boolean;
  /** Addresses of the prerendered pages. */
  pages(): string[];
  redirects: readonly Redirect[];
  images: FixedImages;
  dictionary: DictionaryEntry;
  find(path: string): Prerendered | undefined;
  /** Address of the picture that a shared link shows. @param path of a page without its query */
  sharePicture(path: string): string;
  /** What pages are rendered from on demand. @throws {MissingText} if it is damaged */
  content(): Content;
  /** Whether something could not be read that should be there. */
  damaged(): boolean;
  /** Forgets what was read and what could not be: there may be smaller bodies, or whole ones. */
  refresh(): void;
};

/** Bytes that bodies take in memory, and about what an address takes without its body. */
const bytesKept = 4 * 1024 * 1024;
const bytesOfAddress = 2_000;
/** Addresses that were asked for once lately. */
const pathsNoted = 500;

/** @returns `undefined` if there is no index, or its addresses or what pages are rendered from are damaged */
export function openEdition(index: EditionIndex | undefined, store: EditionStore): Edition | undefined {
  const core = index && store.bytes(index.content.core);
  const entries = index && store.bytes(index.entries);
  if (index === undefined || core === undefined || entries === undefined) return undefined;
  const { id, images, dictionary, profiles, search } = index;
  const { posts } = index.content;
  let missing = false;
  /** Pages that are asked for again and again, with their bodies. */
  const shelf = new LRUCache<string, Prerendered>({ maxSize: bytesKept });
  const askedOnce = new Set<string>();

  /** A robot that walks all pages must not drive out those that visitors ask for. */
  function askedAgain(path: string): boolean {
    if (askedOnce.delete(path)) return true;
    if (askedOnce.size >= pathsNoted) askedOnce.clear();
    askedOnce.add(path);
    return false;
  }

  function part(hash: Hash): Buffer {
    const bytes = store.bytes(hash);
    if (bytes !== undefined) return bytes;
    missing = true;
    throw new MissingText('A part of the edition is damaged; it is made again.');
  }

  function unpacked(): Content {
    const text = (hash: Hash) => part(hash).toString();
    const content = unpackContent(String(core), () => text(posts), text);
    return withIndex(content, () => openIndex(search, part));
  }

  function open({ path, profile: position, hash, recipe }: Entry): Prerendered {
    const profile = profiles[position] as NamedProfile;
    const kept = askedAgain(path);
    let size = bytesOfAddress;
    const page = prerendered(profile, hash, id, (codings) => {
      const body = recipe ? store.memo(hash) : hash;
      const found = body === undefined ? undefined : bodyOf(body, codings);
      // What follows later is not missed.
      missing ||= found === undefined && body !== undefined;
      size += found?.bytes.length ?? 0;
      // Set once more, the same value would keep the size that it had.
      shelf.delete(path);
      if (kept) shelf.set(path, page, { size });
      return found;
    });
    if (kept) shelf.set(path, page, { size });
    return page;
  }

  function bodyOf(hash: Hash, codings: readonly Coding[]): Stored | undefined {
    const encodings = codings.map((coding): Encoding => (coding === 'dcz' ? `dcz ${dictionary.hash}` : coding));
    const stored = store.stored(hash, [...encodings, 'identity']);
    if (stored) return stored;
    const bytes = store.bytes(hash);
    return bytes && { encoding: 'identity', bytes };
  }

  return {
    id,
    until: index.until === null ? undefined : new Date(index.until),
    snapshot: index.snapshot,
    demo: index.demo,
    pages: () => readEntries(entries).flatMap((entry) => (isPage(entry, index) ? [entry.path] : [])),
    redirects: index.redirects,
    images,
    dictionary,
    find(path) {
      const known = shelf.get(path);
      if (known) return known;
      const entry = findEntry(entries, path);
      return entry && open(entry);
    },
    sharePicture(path) {
      const mark = findEntry(entries, path)?.shareMark;
      return mark ? sharePath(path, mark) : images.share;
    },
    content: lazy(unpacked),
    damaged: () => missing,
    refresh() {
      missing = false;
      shelf.clear();
    },
  };
}

/** @param load reads the body in the first of these codings that there is, or as it is */
export function prerendered(
  profile: NamedProfile,
  hash: Hash,
  edition: string,
  load: (codings: readonly Coding[]) => Stored | undefined,
): Prerendered {
  // The headers count too: a 304 must not keep a page under an old policy.
  const etag = `W/"${keyOf(profile.name, hash).slice(0, 20)}"`;
  const { type, cacheControl, versionedCacheControl = cacheControl, query, security } = profile;
  const isPage = type === contentType('.html');
  const codings = isPage ? preferred : preferred.filter((coding) => coding !== 'dcz');
  const vary = isPage ? 'Accept-Encoding, Available-Dictionary' : 'Accept-Encoding';
  const timing = isPage ? ['Server-Timing', editionTiming(edition)] : [];
  const common = lazy(() =>
    [cacheControl, versionedCacheControl].map((control) => [
      ...['ETag', etag, 'Cache-Control', control, 'Vary', vary],
      ...Object.entries(security).flat(),
      ...timing,
    ]),
  );
  const headersOf = (versioned: boolean) => common()[versioned ? 1 : 0] as string[];
  /** By what the visitor accepts, of which there are few sets; without and with the edition's id as the query. */
  const answers = [new Map<ReadonlySet<Coding>, Answer>(), new Map<ReadonlySet<Coding>, Answer>()] as const;

  return {
    query,
    etag,
    type,
    revalidated: cacheControl === cacheFor.revalidate,
    answer(accepted, versioned) {
      const ready = answers[versioned ? 1 : 0];
      const known = ready.get(accepted);
      if (known) return known;
      const body = load(codings.filter((coding) => accepted.has(coding)));
      if (body === undefined) return undefined;
      const { encoding, bytes } = body;
      const headers = [
        ...['Content-Type', type, 'Content-Length', String(bytes.length)],
        ...(encoding === 'identity' ? [] : ['Content-Encoding', encoding.split(' ', 1).join()]),
        ...headersOf(versioned),
      ];
      const answer = { headers, body: bytes };
      ready.set(accepted, answer);
      return answer;
    },
    unchanged: headersOf,
  };
}

const preferred = ['dcz', 'br', 'gzip'] as const;
