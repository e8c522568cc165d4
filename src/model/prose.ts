import { plainText } from './plain-text.ts';

export type ProseHeading = { id: string; text: string };

export type Part = Pick<Prose, 'html'> & { heading?: ProseHeading };

/** Raw HTML in the Markdown is escaped. */
export type Prose = {
  html: string;
  /** One line, without pictures. */
  text: string;
  /** Level 2 only. */
  headings: readonly ProseHeading[];
  /** Text before the first heading is a part without one. */
  parts: readonly Part[];
  /** At least 1. */
  minutes: number;
};

type Rendered = Pick<Prose, 'html' | 'headings' | 'minutes'>;

/** Renders on first use, because a page shows one text of thousands. */
export class LazyProse implements Prose {
  readonly #render: () => Rendered;

  /** @param render must cache its result */
  constructor(render: () => Rendered) {
    this.#render = render;
  }

  get html(): string {
    return this.#render().html;
  }

  get headings(): readonly ProseHeading[] {
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
    const headed = this.headings.map((heading, index) => ({ heading, html: parts[index] ?? '' }));
    return before === '' ? headed : [{ html: before }, ...headed];
  }

  toJSON(): Rendered {
    const { html, headings, minutes } = this.#render();
    return { html, headings, minutes };
  }
}
