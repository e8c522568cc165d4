import { compile } from 'path-to-regexp';
import { about } from './pages/about.tsx';
import { article } from './pages/article.tsx';
import { blog } from './pages/blog.tsx';
import { blogCategory } from './pages/blog-category.tsx';
import { calc } from './pages/calc.tsx';
import { cargo } from './pages/cargo.tsx';
import { caseStudy } from './pages/case.tsx';
import { cases } from './pages/cases.tsx';
import { compliance } from './pages/compliance.tsx';
import { contacts } from './pages/contacts.tsx';
import { home } from './pages/home.tsx';
import { consent, policy, useragree } from './pages/legal.tsx';
import { siteMap } from './pages/map.tsx';
import { novosti } from './pages/novosti.tsx';
import { newsItem } from './pages/novosti-item.tsx';
import type { Page, Params } from './pages/page.ts';
import { questions } from './pages/questions.tsx';
import { rates } from './pages/rates.tsx';
import { reviewCategory } from './pages/review-category.tsx';
import { reviews } from './pages/reviews.tsx';
import { searchPage } from './pages/search.tsx';
import { service } from './pages/service.tsx';
import { videoNews } from './pages/video-news.tsx';
import type { Content } from './site/content.ts';

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
  { path: '/blog/video-news', page: videoNews, middleware: onDemand },
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
