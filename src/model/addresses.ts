import type { Article, CaseStudy, NewsItem } from './content.ts';

/** What the process answers visitors besides pages and files; other spellings lead there. */
export const dynamicAddresses: readonly string[] = [
  '/contact',
  '/broadcast',
  '/video-broadcast',
  '/healthz',
  '/readyz',
];

/** The same with what it answers staff: nothing that editors write may stand there. */
export const reservedAddresses: readonly string[] = [...dynamicAddresses, '/take', '/desk', '/admin'];

/** Whether an address is a secret, of a receipt or of a request to take, or the desk's. */
export function isSecret(path: string): boolean {
  return /^\/(?:(?:contact|take)\/|desk(?:\/|$))/i.test(path);
}

/** Canonical address of an article. */
export function articlePath({ category, slug }: Pick<Article, 'category' | 'slug'>): string {
  return `/blog/${category}/${slug}`;
}

/** Canonical address of a case. */
export function casePath({ slug }: Pick<CaseStudy, 'slug'>): string {
  return `/cases/${slug}`;
}

/** Canonical address of a news item of the company. */
export function newsPath({ slug }: Pick<NewsItem, 'slug'>): string {
  return `/about/novosti/${slug}`;
}
