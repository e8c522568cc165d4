import { movedAddresses } from '../http/redirects.ts';
import type { Problem } from '../loading/problem.ts';
import type { Content } from '../model/content.ts';
import { postPages } from '../model/post-kinds.ts';
import type { Site } from '../site/site.ts';

/** Warnings for pages of which visitors had the address, and which neither a page nor a redirect answers any more. */
export function lostAddresses(before: Site, after: Site): Problem[] {
  const [old, now] = [pagesOf(before), pagesOf(after)];
  const movedTo = movedAddresses(after.content.redirects);
  const renamed = renamedPosts(before.content, after.content);
  const lost = [...old].filter(([from]) => !now.has(from) && movedTo(from, '') === undefined);
  return lost.map(([from, title]) => {
    const namesake = [...now].find(([path, other]) => other === title && !old.has(path))?.[0];
    const to = renamed.get(from) ?? namesake;
    const where =
      to === undefined ? 'Если есть страница вместо него' : `Теперь это ${to}, чтобы старые ссылки вели туда`;
    return {
      file: 'redirects.yaml',
      line: 1,
      field: '',
      message: `Адрес ${from} пропал. ${where}, добавьте сюда строку:`,
      instead: `- { from: ${from}, to: ${to ?? '/…'} }`,
      warning: true,
    };
  });
}

/** Titles by address; posts also have an address by number, which is left out. */
function pagesOf(site: Site): ReadonlyMap<string, string> {
  const heads = site.paths.map((path) => ({ path, head: site.open(path).head }));
  return new Map(heads.flatMap(({ path, head }) => (head.path === path ? [[path, head.title] as const] : [])));
}

/** Old addresses of posts, which keep their numbers, and the new ones. */
function renamedPosts(before: Content, after: Content): ReadonlyMap<string, string> {
  const now = addressesById(after);
  return new Map(
    [...addressesById(before)].flatMap(([id, from]) => {
      const to = now.get(id);
      return to === undefined ? [] : [[from, to] as const];
    }),
  );
}

function addressesById(content: Content): ReadonlyMap<string, string> {
  return new Map(postPages(content).map(({ name, path, post }) => [`${name} ${post.id}`, path]));
}
