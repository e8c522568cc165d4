import type { Hash } from '../lib/hash.ts';
import { plainText } from './plain-text.ts';

export type Heading = { id: string; text: string };

/** What stands under a heading of the second level. */
export type Part = Heading & Pick<Prose, 'html'>;

/** Rendered Markdown: HTML that is safe to send as it is, because raw HTML in the source is shown as text. */
export type Prose = {
  html: string;
  /** Its words in one line, without pictures. */
  text: string;
  /** Headings of the second level, for a table of contents. */
  headings: readonly Heading[];
  /** The text cut at these headings; what stands before the first of them belongs to it. */
  parts: readonly Part[];
  /** Reading time, at least 1. */
  minutes: number;
};

/** Prose by reference: what pages and contents that are only compared or kept hold of a text. */
export type ProseReference = { prose: Hash; headings: readonly Heading[]; minutes: number };

/** Prose whose words are read when a page or a search asks for them: of thousands of texts, few at a time. */
export class StoredProse implements Prose {
  readonly headings: readonly Heading[];
  readonly minutes: number;
  readonly #hash: Hash;
  readonly #read: (hash: Hash) => string;

  constructor({ prose, headings, minutes }: ProseReference, read: (hash: Hash) => string) {
    this.headings = headings;
    this.minutes = minutes;
    this.#hash = prose;
    this.#read = read;
  }

  get html(): string {
    return this.#read(this.#hash);
  }

  get text(): string {
    return plainText(this.html);
  }

  get parts(): readonly Part[] {
    const [before = '', ...parts] = this.html.split(/<h2[^>]*>.*?<\/h2>/s);
    return this.headings.map((heading, index) => {
      return { ...heading, html: (index === 0 ? before : '') + (parts[index] ?? '') };
    });
  }

  toJSON(): ProseReference {
    return { prose: this.#hash, headings: this.headings, minutes: this.minutes };
  }
}

/** JSON with every text written out, for readers that have no store. */
export function wholeJson(value: unknown): string {
  return JSON.stringify(value, function (this: Record<string, unknown>, key: string, plain: unknown) {
    // By now, what is handed in has become a reference.
    const held = this[key];
    return held instanceof StoredProse ? { html: held.html, headings: held.headings, minutes: held.minutes } : plain;
  });
}
