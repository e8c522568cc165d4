import type { Hash } from '../lib/hash.ts';
import type { Redirect } from '../model/content.ts';
import type { EditionStore } from '../store/store.ts';
import { type Entry, readEntries } from './entries.ts';
import { contentType, type Profile } from './resource.ts';

/** The pictures that the site itself needs, with any content. */
export type FixedImages = {
  /** What links to a page show that has no picture of its own. */
  share: string;
  /** What stands in for the live video while there is none. */
  placeholder: string;
  /** The same, as text. */
  placeholderDrawing: string;
  /** Drawings of error pages as text, by status. */
  errors: Readonly<Record<number, string>>;
};

/** What pages share, for browsers to keep. */
export type DictionaryEntry = {
  path: string;
  /** Of the resource at that address. */
  hash: Hash;
  /** In base64, as browsers name what they have. */
  sha256: string;
};

/** A kind of answers, and the hash of all that it says. */
export type NamedProfile = Profile & { name: Hash };

/** What an edition is: everything else hangs on it by its hash. */
export type EditionIndex = {
  id: string;
  /** ISO 8601, UTC: from then on the same content makes another edition; `null` if it never does. */
  until: string | null;
  /** True while the company's facts are the invented ones that ship. */
  demo: boolean;
  redirects: readonly Redirect[];
  images: FixedImages;
  dictionary: DictionaryEntry;
  profiles: readonly NamedProfile[];
  /** All its addresses, by `writeEntries`. */
  entries: Hash;
  /** How many of them are pages. */
  pages: number;
  /** What pages are rendered from on demand: what every page needs, and the posts. */
  content: { core: Hash; posts: Hash };
  /** What it is searched by. */
  search: Hash;
  snapshot: Hash;
  /** Names what was remembered for it. */
  memos: Hash;
};

/** @returns none if they are damaged */
export function entriesOf({ entries }: EditionIndex, store: Pick<EditionStore, 'bytes'>): Entry[] {
  return readEntries(store.bytes(entries) ?? Buffer.alloc(0));
}

/** Whether an entry is a page, and not a picture, a style or the data of one. */
export function isPage({ profile }: Entry, { profiles }: Pick<EditionIndex, 'profiles'>): boolean {
  return profiles[profile]?.type === contentType('.html');
}

/** @returns `undefined` if there is none, or it is damaged */
export function readIndex(root: Hash, store: Pick<EditionStore, 'bytes'>): EditionIndex | undefined {
  const bytes = store.bytes(root);
  return bytes && (JSON.parse(bytes.toString()) as EditionIndex);
}
