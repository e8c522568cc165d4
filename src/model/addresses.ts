import type { Article, CaseStudy, NewsItem, Service } from './content.ts';

/** Routes outside the table of pages. */
export const dynamicAddresses: readonly string[] = [
  '/contact',
  '/broadcast',
  '/video-broadcast',
  '/healthz',
  '/readyz',
];

/** Nothing that editors write may stand there. */
export const reservedAddresses: readonly string[] = [...dynamicAddresses, '/take', '/desk', '/admin'];

/** Whether an error page at this address must not be counted. */
export function isSecret(path: string): boolean {
  return /^\/(?:(?:contact|take)\/|desk(?:\/|$))/i.test(path);
}

export function articlePath({ category, slug }: Pick<Article, 'category' | 'slug'>): string {
  return `/blog/${category}/${slug}`;
}

export function servicePath({ slug }: Pick<Service, 'slug'>): string {
  return `/services/${slug}`;
}

export function casePath({ slug }: Pick<CaseStudy, 'slug'>): string {
  return `/cases/${slug}`;
}

export function newsPath({ slug }: Pick<NewsItem, 'slug'>): string {
  return `/about/novosti/${slug}`;
}
