import type { Response } from 'express';
import type { Document } from '../site/document.tsx';
import type { Headers } from '../site/security-headers.ts';

/** For pages at secret addresses, and for links on them. */
export const referrer = {
  originOnly: { 'Referrer-Policy': 'strict-origin' },
  none: { 'Referrer-Policy': 'no-referrer' },
} as const;

/** The caller sets status and caching. */
export function sendDocument(res: Response, { html, headers }: Document, own: Headers = {}): void {
  // `compression` omits it on a 304.
  res
    .set({ ...headers, ...own })
    .vary('Accept-Encoding')
    .type('html')
    .send(html);
}
