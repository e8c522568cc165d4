import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { paths } from '../lib/paths.ts';
import { companyFile } from '../loading/content-files.ts';
import { type Company, callPhone, isSample } from '../model/content.ts';
import { type Command, configOf, note, parse } from './command.ts';
import { currentContent } from './content-commands.ts';

export const nginxCommand: Command = {
  name: 'nginx',
  usage: 'DIR [--compose]',
  does: "writes nginx's configuration for SITE_URL into DIR; --compose: as the image of compose.yaml needs it",
  async run(args, io) {
    const { values, positionals } = parse(args, { compose: { type: 'boolean' } }, ['DIR']);
    const [folder = ''] = positionals;
    const config = configOf(io);
    const { siteUrl } = config;
    const { company, sample } = await currentContent(config);
    const invented = isSample(sample, companyFile);
    const place = values.compose ? 'compose' : 'debian';
    const files = nginxFiles(siteUrl, place, invented ? undefined : callPhone(company));
    mkdirSync(folder, { recursive: true });
    for (const [name, text] of Object.entries(files)) {
      const kept = keepOther(join(folder, name), text);
      if (kept) note(io, `${name} was different. The old file is now ${kept}.`);
      writeFileSync(join(folder, name), text);
    }
    note(io, `${Object.keys(files).join(', ')} in ${folder}, for ${siteUrl}.`);
    if (invented) note(io, 'unavailable.html names no phone, because the company is the invented one.');
  },
};

/** Renames a file that another text will replace. nginx includes no file with such a name. @returns its new path */
function keepOther(path: string, text: string): string | undefined {
  if (!existsSync(path) || readFileSync(path, 'utf8') === text) return undefined;
  const kept = `${path}.${new Date().toISOString().replaceAll(':', '')}`;
  renameSync(path, kept);
  return kept;
}

/**
 * @param place Debian with systemd, or the image of compose.yaml
 * @param phone none if it is an invented one
 * @returns texts with the site's host names, by file name
 * @throws if the site is not https, or has a port
 */
export function nginxFiles(
  siteUrl: string,
  place: 'debian' | 'compose',
  phone?: Company['phone'],
): Record<string, string> {
  const { protocol, origin, hostname, port } = new URL(siteUrl);
  if (protocol !== 'https:') throw new Error(`SITE_URL must be an https address for nginx, not ${siteUrl}.`);
  if (port !== '') throw new Error(`These files listen on 443, so SITE_URL must be ${siteUrl} without a port.`);
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
    'unavailable.html': withPhone(read('unavailable.html'), phone),
  };
}

const withoutPhone = 'Наш телефон и адрес есть';

/** While no process answers, the page that has it may be missing as well. */
export function withPhone(html: string, phone: Company['phone'] | undefined): string {
  if (!phone) return html;
  const text = phone.text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const link = `<a href="tel:${phone.number}">${text}</a>`;
  if (!html.includes(withoutPhone)) throw new Error(`unavailable.html must contain «${withoutPhone}».`);
  return html.replace(withoutPhone, () => `Наш телефон: ${link}. Адрес есть`);
}
