import { pageTemplates } from './sample-pages.ts';
import type { TestSite } from './test-site.ts';

/** Returns templates that together have every module and every Cache-Control. */
export async function variedPages(site: TestSite): Promise<string[]> {
  const seen = new Set<string | undefined>();
  const varied: string[] = [];
  for (const path of pageTemplates) {
    const { headers, text } = await site.request(path);
    const modules = [...text.matchAll(/ data-module="([^"]*)"/g)].map(([, name]) => name);
    const unseen = [headers['cache-control'], ...modules].filter((one) => !seen.has(one));
    if (unseen.length > 0) varied.push(path);
    for (const one of unseen) seen.add(one);
  }
  return varied;
}
