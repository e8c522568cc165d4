import { fileHeaders, securityHeaders } from '../../site/security-headers.ts';
import type { Answer } from './ask.ts';
import { siteUrl } from './built.ts';

/**
 * Headers that should protect an answer, allowing the one style block that it has, and do not. This proves that an answer
 * has the headers of the site; site/document.test.ts proves what those are.
 */
export function unprotected({ headers, text }: Pick<Answer, 'headers' | 'text'>, url = siteUrl): string[] {
  const [, css] = /<style>(.*?)<\/style>/s.exec(text) ?? [];
  const ofFile = fileHeaders(url);
  const isFile = headers['content-security-policy'] === ofFile['Content-Security-Policy'];
  // What a script reads needs no policy.
  const isData = headers['content-type'] === 'application/json' && headers['cache-control'] === 'no-store';
  const wanted = isData
    ? { 'X-Content-Type-Options': 'nosniff' }
    : isFile
      ? ofFile
      : securityHeaders(url, css === undefined ? {} : { css });
  const missing = Object.entries(wanted).filter(([name, value]) => headers[name.toLowerCase()] !== value);
  const telling = ['x-powered-by', 'server', 'set-cookie'].filter((name) => name in headers);
  // Answers at secret addresses tell even pages of the site no more than where it is.
  const isStricter = headers['referrer-policy'] === 'strict-origin';
  return [...missing.map(([name]) => name).filter((name) => name !== 'referrer-policy' || !isStricter), ...telling];
}
