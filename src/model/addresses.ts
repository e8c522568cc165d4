import type { Service } from './content.ts';

/** Routes outside the page table. */
export const dynamicAddresses: readonly string[] = [
  '/contact',
  '/broadcast',
  '/video-broadcast',
  '/healthz',
  '/readyz',
];

/** With all below them; editors' pages and redirects may not use them, and no router answers elsewhere. */
export const reservedAddresses: readonly string[] = [...dynamicAddresses, '/take', '/desk', '/admin'];

export function isReserved(path: string): boolean {
  return reservedAddresses.some((own) => path === own || path.startsWith(`${own}/`));
}

/** Analytics must skip error pages there. */
export function isSecret(path: string): boolean {
  return /^\/(?:(?:contact|take)\/|desk(?:\/|$))/i.test(path);
}

export function servicePath({ slug }: Pick<Service, 'slug'>): string {
  return `/services/${slug}`;
}
