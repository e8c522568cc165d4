import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// SITE_URL=https://example.ru node scripts/nginx.ts DIR [compose]: writes nginx's configuration for this address into
// DIR, for a machine with Debian or for the image of compose.yaml.

/** @returns name and text of each file of nginx's, with the names of the site. @throws if its address is not https */
export function nginxFiles(siteUrl: string, setUp: 'debian' | 'compose'): Record<string, string> {
  const { protocol, origin, hostname } = new URL(siteUrl);
  if (protocol !== 'https:') throw new Error(`nginx serves https alone, so SITE_URL cannot be ${siteUrl}.`);
  const other = hostname.startsWith('www.') ? hostname.slice(4) : `www.${hostname}`;
  const names: Readonly<Record<string, string>> = { 'https://': origin, 'www.': other, '': hostname };
  const read = (name: string) =>
    readFileSync(join(import.meta.dirname, 'deploy', name), 'utf8').replaceAll(
      /(https:\/\/|www\.|)example\.ru/g,
      (_, before: string) => names[before] ?? '',
    );
  const suffix = setUp === 'compose' ? '-compose' : '';
  return {
    'nginx.conf': read('nginx.conf'),
    'site.conf': read(`site${suffix}.conf`),
    'listen.conf': read(`listen${suffix}.conf`),
    'unavailable.html': read('unavailable.html'),
  };
}

if (import.meta.main) {
  const [folder, setUp] = process.argv.slice(2);
  const { SITE_URL } = process.env;
  if (!folder || !SITE_URL) throw new Error('Say for what and where to: SITE_URL=https://… node scripts/nginx.ts DIR');
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(nginxFiles(SITE_URL, setUp === 'compose' ? 'compose' : 'debian')))
    writeFileSync(join(folder, name), text);
}
