import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Coding, Edition, Prerendered } from '../edition/open.ts';

/**
 * Answers for what the edition holds, before Express is entered: headers and
 * bodies are ready, so a request costs a look-up and a write.
 *
 * @param proxied whether a proxy stands in front, which is told what it may keep
 * @returns a function that answers and returns true, or returns false if the
 *   request is not for a prerendered page as it stands in the edition
 */
export function servePrerendered(
  edition: Edition,
  proxied: boolean,
): (req: IncomingMessage, res: ServerResponse) => boolean {
  // The only spelling that browsers have for it (RFC 9842, 2.2); one with another dictionary gets the page without.
  const available = `:${edition.dictionary.sha256}:`;
  function pageAt(url: string): { page: Prerendered; query: string | undefined } | undefined {
    const mark = url.indexOf('?');
    const page = edition.find(mark === -1 ? url : url.slice(0, mark));
    const query = mark === -1 ? undefined : url.slice(mark + 1);
    return page === undefined || (query && dependsOn(page, query)) ? undefined : { page, query };
  }

  return (req, res) => {
    const { method, headers, url = '/' } = req;
    if (method !== 'GET' && method !== 'HEAD') return false;
    const found = pageAt(url);
    if (found === undefined) return false;
    const { page, query } = found;
    const versioned = query === edition.id;
    const dictionary = headers['available-dictionary'];
    const foreign = dictionary !== undefined && dictionary !== available;
    const keep = proxied && query === undefined ? keepUntil(page, foreign) : undefined;
    const known = headers['if-none-match'];
    if (known !== undefined && matches(known, page.etag)) {
      res.writeHead(304, told(page.unchanged(versioned), keep));
      res.end();
      return true;
    }
    const accepted = acceptedEncodings(headers['accept-encoding'], dictionary === available);
    const answer = page.answer(accepted, versioned);
    // What is damaged may still be rendered, and what is not made yet is made.
    if (answer === undefined) return false;
    res.writeHead(200, told(answer.headers, keep));
    res.end(method === 'HEAD' ? undefined : answer.body);
    return true;
  };
}

function told(own: readonly string[], keep: string | undefined): string[] {
  return keep === undefined ? (own as string[]) : ['X-Accel-Expires', keep, ...own];
}

/**
 * Until when nginx may keep a page: the end of this second, because a number of seconds would keep it for up to one
 * more. `X-Accel-Expires` comes before `Cache-Control`, because nginx before 1.23 believes whichever is first.
 *
 * @param foreign whether the visitor has another dictionary: kept by that, the page would be one more copy
 */
function keepUntil({ revalidated }: Prerendered, foreign: boolean): string | undefined {
  if (foreign) return '0';
  return revalidated ? `@${Math.floor(Date.now() / 1000)}` : undefined;
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

const identityOnly: ReadonlySet<Coding> = new Set(['identity']);
/** Browsers send few spellings, so nearly every header has been read before; without the dictionary and with it. */
const readBefore = [new Map<string, ReadonlySet<Coding>>(), new Map<string, ReadonlySet<Coding>>()] as const;

/**
 * Which of our encodings an `Accept-Encoding` header allows and likes best (RFC 9110, 12.5.3).
 *
 * @param dictionary whether the visitor has the edition's dictionary, without which there is no `dcz`
 */
export function acceptedEncodings(header: string | string[] | undefined, dictionary = false): ReadonlySet<Coding> {
  if (header === undefined) return identityOnly;
  const value = String(header);
  const known = readBefore[dictionary ? 1 : 0];
  let accepted = known.get(value);
  if (accepted === undefined) {
    accepted = readEncodings(value, dictionary);
    if (known.size >= 256) known.clear();
    known.set(value, accepted);
  }
  return accepted;
}

function readEncodings(header: string, dictionary: boolean): ReadonlySet<Coding> {
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', weight = 'q=1'] = part.split(';').map((word) => word.trim());
    weights.set(name, Number(weight.replace('q=', '')) || 0);
  }
  const weightOf = (coding: Coding) => {
    if (coding === 'dcz') return (dictionary && weights.get(coding)) || 0;
    return weights.get(coding) ?? weights.get('*') ?? 0;
  };
  const best = Math.max(...codings.map(weightOf), weights.get('identity') ?? 0);
  const liked = codings.filter((coding) => best > 0 && weightOf(coding) === best);
  const known = sets.get(liked.join()) ?? new Set(liked);
  sets.set(liked.join(), known);
  return known;
}

/** However it is spelt, the same is the same set: finished answers are found by it. */
const sets = new Map<string, ReadonlySet<Coding>>();

const codings = ['dcz', 'br', 'gzip'] as const;
