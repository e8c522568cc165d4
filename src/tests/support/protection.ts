import { fileHeaders, pageHeaders } from '../../site/security-headers.ts';
import type { HttpAnswer } from './ask.ts';
import { siteUrl } from './built.ts';

/**
 * Returns the security headers that an answer lacks, and headers that it must not have. This proves that an answer has
 * the headers of the site; site/document.test.ts proves what those are.
 */
export function unprotected({ headers, text }: Pick<HttpAnswer, 'headers' | 'text'>, url = siteUrl): string[] {
  const [, css] = /<style>(.*?)<\/style>/s.exec(text) ?? [];
  const ofFile = fileHeaders(url);
  const isFile = headers['content-security-policy'] === ofFile['content-security-policy'];
  // Data for scripts needs no policy.
  const isData = headers['content-type'] === 'application/json' && headers['cache-control'] === 'no-store';
  const wanted = isData
    ? { 'x-content-type-options': 'nosniff' }
    : isFile
      ? ofFile
      : pageHeaders(url, css === undefined ? {} : { css });
  const missing = Object.entries(wanted).filter(([name, value]) => headers[name] !== value);
  const telling = ['x-powered-by', 'server', 'set-cookie'].filter((name) => name in headers);
  // Answers at secret addresses have a stricter referrer policy.
  const isStricter = headers['referrer-policy'] === 'strict-origin';
  return [...missing.map(([name]) => name).filter((name) => name !== 'referrer-policy' || !isStricter), ...telling];
}
