import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Edition, Encoding, Prerendered } from '../edition/open.ts';

/**
 * Answers for what the edition holds, before Express is entered: headers and
 * bodies are ready, so a request costs a look-up and a write.
 *
 * @returns a function that answers and returns true, or returns false if the
 *   request is not for a prerendered page as it stands in the edition
 */
export function servePrerendered(edition: Edition): (req: IncomingMessage, res: ServerResponse) => boolean {
  return (req, res) => {
    const { method, headers, url = '/' } = req;
    if (method !== 'GET' && method !== 'HEAD') return false;
    const mark = url.indexOf('?');
    const page = edition.find(mark === -1 ? url : url.slice(0, mark));
    if (page === undefined) return false;
    const query = mark === -1 ? '' : url.slice(mark + 1);
    if (query !== '' && dependsOn(page, query)) return false;
    const versioned = query === edition.id;
    const known = headers['if-none-match'];
    if (known !== undefined && matches(known, page.etag)) {
      res.writeHead(304, page.unchanged(versioned) as string[]);
      res.end();
      return true;
    }
    const answer = page.answer(acceptedEncodings(headers['accept-encoding']), versioned);
    res.writeHead(200, answer.headers as string[]);
    res.end(method === 'HEAD' ? undefined : answer.body);
    return true;
  };
}

function dependsOn(page: Prerendered, query: string): boolean {
  if (page.query.length === 0) return false;
  const parameters = new URLSearchParams(query);
  return page.query.some((name) => parameters.has(name));
}

/** `If-None-Match` is a list, or `*`; tags are compared weakly (RFC 9110, 13.1.2). */
function matches(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === etag || ifNoneMatch === '*') return true;
  const opaque = etag.replace(/^W\//, '');
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === opaque);
}

const identityOnly: ReadonlySet<Encoding> = new Set(['identity']);
/** Browsers send a handful of spellings, so nearly every header has been read before. */
const readBefore = new Map<string, ReadonlySet<Encoding>>();

/** Which of our encodings an `Accept-Encoding` header allows and likes best (RFC 9110, 12.5.3). */
export function acceptedEncodings(header: string | string[] | undefined): ReadonlySet<Encoding> {
  if (header === undefined) return identityOnly;
  const value = String(header);
  let accepted = readBefore.get(value);
  if (accepted === undefined) {
    accepted = readEncodings(value);
    if (readBefore.size >= 256) readBefore.clear();
    readBefore.set(value, accepted);
  }
  return accepted;
}

function readEncodings(header: string): ReadonlySet<Encoding> {
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', weight = '1'] = part.trim().split(/\s*;\s*q=/);
    weights.set(name, Number(weight) || 0);
  }
  const weightOf = (encoding: Encoding) => weights.get(encoding) ?? weights.get('*') ?? 0;
  const best = Math.max(weightOf('br'), weightOf('gzip'), weights.get('identity') ?? 0);
  return new Set((['br', 'gzip'] as const).filter((encoding) => best > 0 && weightOf(encoding) === best));
}
