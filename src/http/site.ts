import type { Response } from 'express';
import type { Document, Renderer } from '../document/document.tsx';
import type { SiteImages } from '../edition/prerender.ts';
import type { Content } from '../site/content.ts';

/** What pages are rendered from while the server runs. */
export type Site = {
  content: Content;
  render: Renderer;
  images: SiteImages;
};

/** Sends a document with the headers that protect it; the caller has set status and caching. */
export function sendDocument(res: Response, { html, headers }: Document): void {
  // Compression says so by itself, but not on a 304.
  res.set(headers).vary('Accept-Encoding').type('html').send(html);
}
