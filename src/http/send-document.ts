import type { Response } from 'express';
import type { Document } from '../site/document.tsx';
import type { Headers } from '../site/security-headers.ts';

/** The caller sets status and caching. */
export function sendDocument(res: Response, { html, headers }: Document, own: Headers = {}): void {
  // `compression` omits it on a 304.
  res
    .set({ ...headers, ...own })
    .vary('Accept-Encoding')
    .type('html')
    .send(html);
}
