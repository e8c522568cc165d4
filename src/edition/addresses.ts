import type { Hash } from '../lib/hash.ts';
import type { Redirect } from '../model/content.ts';
import type { ContentLink, LoadedContent } from '../reading/load.ts';
import { ContentError } from '../reading/problem.ts';
import type { Memo } from '../store/memo.ts';

/** Stands for the site while addresses are taken apart. */
const placeholder = 'http://site.invalid';

type Addresses = {
  /** What is published, by its address: the hash of its body. */
  published: ReadonlyMap<string, Hash>;
  /** Pages that posts will have which visitors do not see yet. */
  upcoming: ReadonlySet<string>;
  /** Reads a body. */
  read(hash: Hash): string;
  memo: Memo;
};

/** @throws {ContentError} with every wrong picture, link to nowhere, and moved address that a page still has */
export function checkAddresses({ content, links, moved, problems: known }: LoadedContent, addresses: Addresses): void {
  const { published, upcoming, read, memo } = addresses;

  function leadsSomewhere({ href, unpublished }: ContentLink): boolean {
    if (/^([a-z][a-z\d+.-]*:|#)/i.test(href)) return true;
    const url = href.startsWith('/') ? URL.parse(href, placeholder) : null;
    if (url?.origin !== placeholder) return false;
    if (url.pathname === '/broadcast') return true;
    if (url.pathname === '/contact') {
      const preset = url.searchParams.get('preset');
      return preset === null || content.presets.some(({ slug }) => slug === preset);
    }
    if (unpublished && upcoming.has(url.pathname)) return true;
    const hash = published.get(url.pathname);
    if (hash === undefined) return false;
    return url.hash === '' || anchorsOf(hash).includes(decodeURIComponent(url.hash.slice(1)));
  }

  function anchorsOf(hash: Hash): string[] {
    return memo.once(['anchors', hash], () => [...read(hash).matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id));
  }

  const problems = [
    ...links
      .filter((link) => !leadsSomewhere(link))
      .map((link) => ({ ...link, expected: expectedOf(link.href, content.redirects) })),
    ...moved
      .filter(({ href }) => published.has(href))
      .map((link) => ({ ...link, expected: 'an address that no page has' })),
  ];
  const wrong = problems.map(({ file, line, href, expected }) => ({
    file,
    line,
    field: 'link',
    expected,
    found: href,
  }));
  if (known.length + wrong.length > 0) throw new ContentError([...known, ...wrong]);
}

/** What should stand in the place of a link to nowhere; of an address that was moved, it is known where it has gone. */
function expectedOf(href: string, redirects: readonly Redirect[]): string {
  const moves = new Map(redirects.map(({ from, to }) => [from, to]));
  const passed = new Set<string>();
  let path = href.replace(/[?#].*$/, '');
  for (let to = moves.get(path); to !== undefined && !passed.has(path); to = moves.get(path)) {
    passed.add(path);
    path = to;
  }
  if (passed.size === 0) return 'an address that this site has';
  if (passed.has(path)) return 'an address that this site has; redirects lead from this one in a circle';
  return `${path}, where redirects lead from this one`;
}
