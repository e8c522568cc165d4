import type { Headers } from '../document/security-headers.ts';
import type { EditionIndex } from './edition-index.ts';
import type { ErrorPage } from './prerender.ts';
import { cacheFor, editionTiming } from './resource.ts';

/** Files of an edition that `scripts/deploy/nginx.conf` includes, by name. */
export type NginxIncludes = { 'edition.conf': string; 'headers.conf': string };

type Rule = readonly [from: string, to: string];

/** A file that no edition has: the application answers instead. */
const noFile = '/.none';

/** Addresses that nginx looks up by itself. `map` ignores case, so they must not contain any. */
const plainPath = '[a-z0-9/._-]*';

/**
 * What nginx must know to serve an edition as this server does: which file
 * answers which address, with which headers.
 *
 * `edition.conf` is for the `http` level and sets these variables:
 *
 *     $korob_edition    id of the edition, which is the name of its folder
 *     $korob_known      file of the address that is asked for, whatever its query
 *     $korob_page       file that answers as long as the edition is true, or one that does not exist
 *     $korob_file       the same, or one that does not exist once the application has a newer one
 *     $korob_etag, $korob_cache   its ETag and Cache-Control
 *     $korob_unchanged  1 if the visitor has this very file already
 *
 * They are first read before nginx rewrites `$uri` and keep their values for the
 * whole request. `headers.conf` is for a location that sends files, and adds the
 * headers that protect them.
 */
export function nginxIncludes(index: EditionIndex, errorPages: readonly ErrorPage[]): NginxIncludes {
  const plain = new RegExp(`^${plainPath}$`);
  const entries = index.entries.filter(({ path, file }) => plain.test(path) && plain.test(file));
  const queryNames = [...new Set(entries.flatMap(({ query }) => query))];
  const etags = entries.map(({ file, etag }): Rule => [`/${file}`, etag]);
  const cached = entries.flatMap(({ file, cacheControl }): Rule[] =>
    cacheControl === cacheFor.revalidate ? [] : [[`/${file}`, cacheControl]],
  );
  const cachedByVersion = entries.flatMap(({ file, versionedCacheControl }): Rule[] =>
    versionedCacheControl === undefined ? [] : [[`versioned/${file}`, versionedCacheControl]],
  );
  const protection = protectionOf({ ...index, entries }, errorPages);

  const maps = [
    map('""', '$korob_edition', [], index.id),
    '',
    '# Plain requests for an address in its plain spelling; the application redirects or refuses the others.',
    map(
      '"$request_method $request_uri $http_if_match$http_if_unmodified_since"',
      '$korob_path',
      [[`~^(?:GET|HEAD) (?<korob_plain>${plainPath})(?:\\?[^ #]*)? $`, '$korob_plain']],
      '',
    ),
    map(
      '$korob_path',
      '$korob_known',
      entries.map(({ path, file }): Rule => [path, `/${file}`]),
      noFile,
    ),
    '',
    '# Rendered on demand: a parameter that some page reads, or one whose name is encoded.',
    map('$args', '$korob_on_demand', queryNames.length > 0 ? [[onDemand(queryNames), '1']] : [], ''),
    map('$korob_on_demand', '$korob_page', [['1', noFile]], '$korob_known'),
    '',
    '# Once the time of this edition is over, the application has a newer one; what never changes stays here.',
    map('$msec', '$korob_over', index.until === null ? [] : [[notBefore(index.until), 'over']], ''),
    map(
      '$korob_known',
      '$korob_lasting',
      entries
        .filter(({ cacheControl }) => cacheControl === cacheFor.ever)
        .map(({ file }): Rule => [`/${file}`, ' but lasting']),
      '',
    ),
    map('$korob_over$korob_lasting', '$korob_old', [['over', '1']], ''),
    map('$korob_old', '$korob_file', [['1', noFile]], '$korob_page'),
    '',
    map('$korob_page', '$korob_etag', etags, ''),
    '# If-None-Match is a list; tags are compared weakly (RFC 9110, 13.1.2). nginx itself knows what * means.',
    map(
      '"$korob_old$korob_etag $http_if_none_match"',
      '$korob_unchanged',
      [['~^W/("[^"]+") (?:.*,\\s*)?(?:W/)?\\1\\s*(?:,|$)', '1']],
      '',
    ),
    '',
    map('$korob_page', '$korob_cache_unversioned', cached, cacheFor.revalidate),
    map('$args', '$korob_versioned', [[`~^${index.id}$`, 'versioned']], ''),
    map('$korob_versioned$korob_page', '$korob_cache', cachedByVersion, '$korob_cache_unversioned'),
    '',
    map('$korob_page', '$korob_timing', [['~\\.html$', editionTiming(index.id)]], ''),
    ...protection.maps,
    types(entries.map(({ file, type }): Rule => [file, type])),
  ];
  const longest = Math.max(...maps.flatMap((text) => text.split('\n')).map((line) => line.length));
  return {
    'edition.conf': [
      generated,
      `map_hash_bucket_size ${Math.max(256, 2 ** Math.ceil(Math.log2(longest + 32)))};`,
      `map_hash_max_size ${Math.max(2048, entries.length * 4)};`,
      '',
      ...maps,
      '',
    ].join('\n'),
    'headers.conf': [generated, ...protection.headers, 'add_header Server-Timing $korob_timing;', ''].join('\n'),
  };
}

const generated = '# Generated with the edition; changes here are lost.';

/**
 * The headers that protect each file, error pages among them. Those that are the
 * same for all are written out; the others hang on `$uri`, which by the time that
 * headers are sent is the file.
 */
function protectionOf(index: EditionIndex, errorPages: readonly ErrorPage[]): { maps: string[]; headers: string[] } {
  const sets: Headers[] = [...index.security];
  const numberOf = (wanted: Headers) => {
    const known = sets.findIndex((headers) => JSON.stringify(headers) === JSON.stringify(wanted));
    return known === -1 ? sets.push(wanted) - 1 : known;
  };
  const files: Rule[] = [
    ...index.entries.map(({ file, security }): Rule => [`/${file}`, String(security)]),
    ...errorPages.map(({ status, document }): Rule => [`/.errors/${status}.html`, String(numberOf(document.headers))]),
  ];
  const names = [...new Set(sets.flatMap((headers) => Object.keys(headers)))];
  const variable = (name: string) => `$korob_${name.toLowerCase().replaceAll('-', '_')}`;
  const varying = names.filter((name) => sets.some((headers) => headers[name] !== sets[0]?.[name]));
  return {
    maps: [
      map('$uri', '$korob_protection', files, '0'),
      ...varying.map((name) =>
        map(
          '$korob_protection',
          variable(name),
          sets.map((headers, number): Rule => [String(number), headers[name] ?? '']),
          '',
        ),
      ),
    ],
    headers: names.map((name) => {
      const value = varying.includes(name) ? variable(name) : (sets[0]?.[name] ?? '');
      return `add_header ${name} ${quote(value)} always;`;
    }),
  };
}

/** A regular expression for queries with any of these parameters. */
function onDemand(names: readonly string[]): string {
  return `~(?:^|&)(?:(?:${names.join('|')})(?:[=&]|$)|[^=&]*%)`;
}

/** A regular expression for what nginx calls `$msec`, seconds with three decimals, from an instant on. */
function notBefore(instant: string): string {
  const digits = String(Math.ceil(Date.parse(instant) / 1000));
  const greater = [...digits].flatMap((digit, at) =>
    digit === '9' ? [] : [`${digits.slice(0, at)}[${Number(digit) + 1}-9]\\d{${digits.length - at - 1}}`],
  );
  return `~^(?:${[digits, ...greater].join('|')})\\.`;
}

/** Content types by the ending of a file. */
function types(files: readonly Rule[]): string {
  const byEnding = new Map(files.map(([file, type]) => [file.slice(file.lastIndexOf('.') + 1), type]));
  return `types {\n${[...byEnding].map(([ending, type]) => `  ${quote(type)} ${ending};\n`).join('')}}`;
}

function map(source: string, target: string, rules: readonly Rule[], other: string): string {
  const lines = rules.map(([from, to]) => `  ${quote(from)} ${quote(to)};`);
  return `map ${source} ${target} {\n  default ${quote(other)};\n${lines.map((line) => `${line}\n`).join('')}}`;
}

function quote(value: string): string {
  return `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
