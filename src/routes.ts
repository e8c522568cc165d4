import { compile } from 'path-to-regexp';
import { article } from './blog/article.page.tsx';
import { blog, blogCategory } from './blog/blog.page.tsx';
import { calc } from './calculator/calc.page.tsx';
import { caseStudy } from './cases/case.page.tsx';
import { cases } from './cases/cases.page.tsx';
import { about } from './company/about.page.tsx';
import { cargo } from './company/cargo.page.tsx';
import { compliance } from './company/compliance.page.tsx';
import { contacts } from './company/contacts.page.tsx';
import { home } from './company/home.page.tsx';
import { consent, policy, useragree } from './company/legal.page.tsx';
import { siteMap } from './company/map.page.tsx';
import { questions } from './company/questions.page.tsx';
import type { Page, Params } from './document/page.ts';
import type { Content } from './model/content.ts';
import { novosti } from './news/novosti.page.tsx';
import { newsItem } from './news/novosti-item.page.tsx';
import { rates } from './rates/rates.page.tsx';
import { reviewCategory, reviews } from './reviews/reviews.page.tsx';
import { searchPage } from './search/search.page.tsx';
import { service } from './services/service.page.tsx';

/** Middleware that a route can ask for by name; `http/named-middleware.ts` says what each does. */
export type MiddlewareName = 'limit';

/** One row of the table: an address, the page behind it, the middleware before it. */
export type Route = {
  /** A pattern of path-to-regexp, the library that Express matches with. */
  path: string;
  page: Page;
  /** Run in this order when the page is rendered on demand; a prerendered page needs none. */
  middleware?: readonly MiddlewareName[];
};

/** Pages of a list, what is searched for, and addresses that name nothing, are rendered on demand, which costs something. */
const onDemand = ['limit'] as const;

/** Every page of the site. Where two patterns match, the first one counts. */
export const routes: readonly Route[] = [
  { path: '/', page: home },
  { path: '/rates', page: rates },
  { path: '/rates/calc', page: calc, middleware: onDemand },
  { path: '/cargo', page: cargo },
  { path: '/services/:slug', page: service, middleware: onDemand },
  { path: '/cases', page: cases, middleware: onDemand },
  { path: '/cases/:id', page: caseStudy, middleware: onDemand },
  { path: '/reviews', page: reviews, middleware: onDemand },
  { path: '/reviews/:category', page: reviewCategory, middleware: onDemand },
  { path: '/blog', page: blog, middleware: onDemand },
  { path: '/blog/:category', page: blogCategory, middleware: onDemand },
  { path: '/blog/:category/:id', page: article, middleware: onDemand },
  { path: '/contacts', page: contacts },
  { path: '/about', page: about },
  { path: '/about/novosti', page: novosti, middleware: onDemand },
  { path: '/about/novosti/:id', page: newsItem, middleware: onDemand },
  { path: '/compliance', page: compliance },
  { path: '/questions', page: questions },
  { path: '/map', page: siteMap },
  { path: '/search', page: searchPage, middleware: onDemand },
  { path: '/policy', page: policy },
  { path: '/useragree', page: useragree },
  { path: '/consent', page: consent },
];

/** A page at one address, with the parameters that the address gives it. */
export type Address = { path: string; route: Route; params: Params };

/** Every address that exists without a query, in the order of the table. */
export function addresses(content: Content): Address[] {
  return routes.flatMap((route) => {
    const pathTo = compile(route.path);
    return route.page.paths(content).map((params) => ({ path: pathTo(params), route, params }));
  });
}
