import { compile } from 'path-to-regexp';
import { about } from './company/about.page.tsx';
import { cargo } from './company/cargo.page.tsx';
import { compliance } from './company/compliance.page.tsx';
import { contacts } from './company/contacts.page.tsx';
import { home } from './company/home.page.tsx';
import { consent, policy, useragree } from './company/legal.page.tsx';
import { siteMap } from './company/map.page.tsx';
import { plainPage } from './company/plain.page.tsx';
import { questions } from './company/questions.page.tsx';
import type { Page, Params } from './document/page.ts';
import { reservedAddresses } from './model/addresses.ts';
import type { Content, Section } from './model/content.ts';
import { article } from './posts/article.page.tsx';
import { blog, blogCategory } from './posts/blog.page.tsx';
import { caseStudy } from './posts/case.page.tsx';
import { cases } from './posts/cases.page.tsx';
import { novosti } from './posts/novosti.page.tsx';
import { newsItem } from './posts/novosti-item.page.tsx';
import { reviewCategory, reviews } from './posts/reviews.page.tsx';
import { searchPage } from './search/search.page.tsx';
import { calc } from './services/calc.page.tsx';
import { rates } from './services/rates.page.tsx';
import { service } from './services/service.page.tsx';

/** The first match wins. The site map and the sitemap use this order. */
export const routes: readonly Page[] = [
  home,
  rates,
  cargo,
  about,
  cases,
  caseStudy,
  reviews,
  reviewCategory,
  blog,
  blogCategory,
  article,
  contacts,
  calc,
  compliance,
  questions,
  novosti,
  newsItem,
  siteMap,
  searchPage,
  service,
  policy,
  useragree,
  consent,
];

/** Pages with text in `pages/`. */
export const sections: readonly (Section & { listed: boolean })[] = [
  ...routes.flatMap(({ name, path, section }) => (section ? [{ name, to: path, listed: section === 'listed' }] : [])),
  { name: 'contact', to: '/contact', listed: false },
];

/** Addresses that editors' own pages may not use. */
export const taken: readonly string[] = [...routes.map(({ path }) => path), ...reservedAddresses];

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
