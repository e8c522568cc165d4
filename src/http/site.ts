import type { Response } from 'express';
import { type Document, documentRenderer, type Renderer, shellOf } from '../document/document.tsx';
import type { Headers } from '../document/security-headers.ts';
import { type Code, entryScript } from '../edition/code.ts';
import type { FixedImages } from '../edition/edition-index.ts';
import type { Edition } from '../edition/open.ts';
import type { Content } from '../model/content.ts';

/** What pages are rendered from while the server runs. */
export type Site = {
  content: Content;
  render: Renderer['render'];
  images: FixedImages;
};

/** @param code what was compiled: the styles and the script of the pages */
export function siteOf(edition: Edition, { siteUrl, code }: { siteUrl: string; code: Code }): Site {
  const content = edition.content();
  const shell = shellOf(content, { siteUrl, script: entryScript(code.scripts) });
  const { render } = documentRenderer({ shell, styles: code.styles, sharePicture: edition.sharePicture });
  return { content, render, images: edition.images };
}

/**
 * Sends a document with the headers that protect it; the caller has set status and caching.
 *
 * @param own headers that take the place of the document's
 */
export function sendDocument(res: Response, { html, headers }: Document, own: Headers = {}): void {
  // Compression says so by itself, but not on a 304.
  res
    .set({ ...headers, ...own })
    .vary('Accept-Encoding')
    .type('html')
    .send(html);
}
