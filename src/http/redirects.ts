import { isReserved } from '../model/addresses.ts';
import type { Redirect } from '../model/content.ts';

/** `hash` has its `#`. */
type Moved = { path: string; search: string; hash: string };

/**
 * Precedence: path with query, path, nearest folder `/catalog/*`. Other parameters are kept.
 *
 * @returns a function of a decoded lower-case path and a query with its `?`
 */
export function movedAddresses(redirects: readonly Redirect[]): (path: string, search: string) => Moved | undefined {
  const paths = new Map<string, string>();
  const folders = new Map<string, string>();
  const queries = new Map<string, { wanted: [string, string][]; to: string }[]>();
  for (const { from, to } of redirects) {
    const [path = '', query] = from.split('?');
    // Content may have been published before the address was reserved.
    if (isReserved(path)) continue;
    if (query !== undefined) {
      const wanted = [...new URLSearchParams(query)];
      queries.set(path, [...(queries.get(path) ?? []), { wanted, to }]);
    } else if (path.endsWith('/*')) folders.set(path.slice(0, -2), to);
    else paths.set(path, to);
  }

  function byQuery(path: string, search: string): Moved | undefined {
    const known = queries.get(path);
    if (known === undefined) return undefined;
    const parameters = new URLSearchParams(search);
    const found = known.find(({ wanted }) => wanted.every(([name, value]) => parameters.has(name, value)));
    if (found === undefined) return undefined;
    for (const [name] of found.wanted) parameters.delete(name);
    return movedTo(found.to, parameters.size === 0 ? '' : `?${parameters}`);
  }

  function around(path: string): string | undefined {
    if (folders.size === 0) return undefined;
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const to = folders.get(path.slice(0, end));
      if (to !== undefined) return to;
    }
    return undefined;
  }

  return (path, search) => {
    const moved = byQuery(path, search);
    if (moved) return moved;
    const to = paths.get(path) ?? around(path);
    return to === undefined ? undefined : movedTo(to, search);
  };
}

function movedTo(to: string, search: string): Moved {
  const [path = ''] = to.split('#', 1);
  return { path, search, hash: to.slice(path.length) };
}
