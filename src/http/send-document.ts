import type { Response } from 'express';
import type { Document } from '../document/document.tsx';
import type { Headers } from '../document/security-headers.ts';

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
