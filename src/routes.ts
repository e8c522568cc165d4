import { compile } from 'path-to-regexp';
import { reservedAddresses } from './model/addresses.ts';
import type { Content, SectionLink } from './model/content.ts';
import { postKindNames, postKinds } from './model/post-kinds.ts';
import { about } from './pages/company/about.page.tsx';
import { cargo } from './pages/company/cargo.page.tsx';
import { compliance } from './pages/company/compliance.page.tsx';
import { contacts } from './pages/company/contacts.page.tsx';
import { home } from './pages/company/home.page.tsx';
import { consent, policy, useragree } from './pages/company/legal.page.tsx';
import { siteMap } from './pages/company/map.page.tsx';
import { plainPage } from './pages/company/plain.page.tsx';
import { questions } from './pages/company/questions.page.tsx';
import type { Page, Params } from './pages/page.ts';
import { articlePages } from './pages/posts/blog.page.tsx';
import { casePages } from './pages/posts/cases.page.tsx';
import { newsPages } from './pages/posts/novosti.page.tsx';
import { reviewPages } from './pages/posts/reviews.page.tsx';
import { searchPage } from './pages/search/search.page.tsx';
import { calc } from './pages/services/calc.page.tsx';
import { rates } from './pages/services/rates.page.tsx';
import { service } from './pages/services/service.page.tsx';

/** The first match wins. The site map and the sitemap use this order. */
export const routes: readonly Page[] = [
  home,
  rates,
  cargo,
  about,
  ...casePages,
  ...reviewPages,
  ...articlePages,
  contacts,
  calc,
  compliance,
  questions,
  ...newsPages,
  siteMap,
  searchPage,
  service,
  policy,
  useragree,
  consent,
];

/** Pages with text in `pages/`. */
export const sections: readonly (SectionLink & { listed: boolean })[] = [
  ...routes.flatMap(({ name, path, section }) => (section ? [{ name, to: path, listed: section === 'listed' }] : [])),
  { name: 'contact', to: '/contact', listed: false },
];

/** Addresses that editors' own pages may not use. */
export const occupiedPaths: readonly string[] = [...routes.map(({ path }) => path), ...reservedAddresses];

/** Menus may name these before they exist. */
export function possibleLists({ categories }: Content): string[] {
  const folders = postKindNames.flatMap((name) => {
    const kind = postKinds[name];
    return 'categories' in kind ? categories[kind.categories].map(({ slug }) => `${kind.list.to}/${slug}`) : [];
  });
  return [...sections.map(({ to }) => to), ...folders];
}

export function pagesOf(content: Content): readonly Page[] {
  const added = content.sections.filter(({ name }) => !sections.some((section) => section.name === name));
  return [...routes, ...added.map(plainPage)];
}

export type Address = { path: string; page: Page; params: Params };

/** In the order of `routes`. */
export function addresses(content: Content): Address[] {
  return pagesOf(content).flatMap((page) => {
    const pathTo = compile(page.path);
    return page.paths(content).map((params) => ({ path: pathTo(params), page, params }));
  });
}
