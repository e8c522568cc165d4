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

type Rendered = Pick<Prose, 'html' | 'headings' | 'minutes'>;

/** Prose whose Markdown is rendered when somebody first asks for it: of thousands of texts, a page shows one. */
export class LazyProse implements Prose {
  readonly #render: () => Rendered;

  /** @param render keeps what it has rendered */
  constructor(render: () => Rendered) {
    this.#render = render;
  }

  get html(): string {
    return this.#render().html;
  }

  get headings(): readonly Heading[] {
    return this.#render().headings;
  }

  get minutes(): number {
    return this.#render().minutes;
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

  /** What a page's payload says of a text. */
  toJSON(): Rendered {
    const { html, headings, minutes } = this.#render();
    return { html, headings, minutes };
  }
}
