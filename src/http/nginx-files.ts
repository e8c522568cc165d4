import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { paths } from '../lib/paths.ts';

/** Debian with systemd, or the image in compose.yaml. */
export type NginxPlace = 'debian' | 'compose';

/** Text by file name, with the site's host names filled in. @throws if the site is not https */
export function nginxFiles(siteUrl: string, place: NginxPlace): Record<string, string> {
  const { protocol, origin, hostname } = new URL(siteUrl);
  if (protocol !== 'https:') throw new Error(`nginx serves https alone, so SITE_URL cannot be ${siteUrl}.`);
  const other = hostname.startsWith('www.') ? hostname.slice(4) : `www.${hostname}`;
  const names: Readonly<Record<string, string>> = { 'https://': origin, 'www.': other, '': hostname };
  const read = (name: string) =>
    readFileSync(join(paths.deploy, name), 'utf8').replaceAll(
      /(https:\/\/|www\.|)example\.ru/g,
      (_, before: string) => names[before] ?? '',
    );
  const suffix = place === 'compose' ? '-compose' : '';
  return {
    'nginx.conf': read('nginx.conf'),
    'site.conf': read(`site${suffix}.conf`),
    'listen.conf': read(`listen${suffix}.conf`),
    'unavailable.html': read('unavailable.html'),
  };
}
