import { type Examined, type Finding, fail, warn } from './finding.ts';

export async function* examineConfiguration({
  config: { siteUrl, trustProxy, unread, doubtful },
}: Examined): AsyncGenerator<Finding> {
  yield* unread.map(fail);
  yield* doubtful.map(warn);
  if (isLocal(siteUrl)) yield warn(`SITE_URL is ${siteUrl}: links in messages work only on this machine`);
  if (trustProxy === 0 && siteUrl.startsWith('https:')) {
    const remedy = 'set it to the number of proxies, 1 behind nginx';
    yield warn(`TRUST_PROXY: 0, but SITE_URL is https, which a proxy speaks; ${remedy}, so limits count each visitor`);
  }
}

export function isLocal(siteUrl: string): boolean {
  return new URL(siteUrl).hostname === 'localhost';
}
