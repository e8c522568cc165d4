import type { Memo } from '../store/memo.ts';
import { type Link, type PictureReference, picturesIn, renderMarkdown } from './markdown.ts';
import type { Illustration } from './pictures.ts';
import type { ProseReference } from './prose.ts';

/** A Markdown text, by the hash of what it stands in, and read only if it has not been rendered before. */
export type WrittenText = { name: string; read(): string };

/** Pictures that a text names, in their order. */
export function namedPictures(text: WrittenText, memo: Memo): PictureReference[] {
  return memo.once(['pictures', text.name], () => picturesIn(text.read()));
}

/** @param shown the pictures of `namedPictures`, as far as they can be shown */
export function renderedText(
  text: WrittenText,
  shown: readonly (Illustration | null)[],
  memo: Memo,
): { reference: ProseReference; links: Link[] } {
  return memo.once(
    ['prose', text.name, shown],
    () => {
      const { prose, links } = renderMarkdown(text.read(), shown);
      const { html, headings, minutes } = prose;
      return { reference: { prose: memo.keep(html), headings, minutes }, links };
    },
    ({ reference }) => memo.has(reference.prose),
  );
}
