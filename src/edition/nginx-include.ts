import type { EditionIndex } from './edition-index.ts';
import type { ErrorPage } from './prerender.ts';
import { cacheFor } from './resource.ts';

const policy = 'Content-Security-Policy';

/**
 * What nginx must know to serve an edition as this server does: which file
 * answers which address, with which headers. Included at the `http` level by
 * `scripts/deploy/nginx.conf`, which says how each variable is used.
 */
export function nginxInclude(index: EditionIndex, errorPages: readonly ErrorPage[]): string {
  const { entries } = index;
  const bare = entries.find(({ path }) => path === '/builds/latest.json');
  const common = index.security[bare?.security ?? 0] ?? {};
  const queryNames = [...new Set(entries.flatMap(({ query }) => query))];
  const styles = [
    ...entries.map(({ file, security }) => [`/${file}`, styleOf(index.security[security]?.[policy])] as const),
    ...errorPages.map(({ status, document }) => [`/${status}.html`, styleOf(document.headers[policy])] as const),
  ].filter(([, style]) => style !== "'none'");

  return [
    '# Generated with the edition; changes here are lost.',
    'map_hash_bucket_size 256;',
    `map_hash_max_size ${Math.max(2048, entries.length * 4)};`,
    map('""', '$korob_edition', [], index.id),
    '# Only an address in its plain spelling is looked up; the application redirects or refuses the others.',
    map('"$request_method $request_uri"', '$korob_plain', [['~^(GET|HEAD) [a-z0-9/._-]*(\\?|$)', '1']], ''),
    '# With these parameters a page is rendered on demand.',
    map('$args', '$korob_on_demand', queryNames.length ? [[`~(^|&)(${queryNames.join('|')})=`, '1']] : [], ''),
    map(
      '$uri',
      '$korob_known',
      entries.map(({ path, file }) => [path, `/${file}`]),
      '/.none',
    ),
    map('$korob_plain$korob_on_demand', '$korob_file', [['1', '$korob_known']], '/.none'),
    map(
      '$korob_file',
      '$korob_etag',
      entries.map(({ file, etag }) => [`/${file}`, etag]),
      '-',
    ),
    map('$korob_file', '$korob_cache_unversioned', cacheRules(index, 'cacheControl'), cacheFor.revalidate),
    map(
      '$korob_file',
      '$korob_cache_versioned',
      cacheRules(index, 'versionedCacheControl'),
      '$korob_cache_unversioned',
    ),
    map('$args', '$korob_cache', [[index.id, '$korob_cache_versioned']], '$korob_cache_unversioned'),
    map('$korob_file$korob_error', '$korob_style', styles, "'none'"),
    map('""', '$korob_policy', [], common[policy]?.replace("style-src 'none'", 'style-src $korob_style') ?? ''),
    ...Object.entries(common)
      .filter(([name]) => name !== policy)
      .map(([name, value]) => map('""', variable(name), [], value)),
    '',
  ].join('\n');
}

/** `X-Frame-Options` -> `$korob_x_frame_options` */
export function variable(header: string): string {
  return `$korob_${header.toLowerCase().replaceAll('-', '_')}`;
}

function cacheRules(index: EditionIndex, field: 'cacheControl' | 'versionedCacheControl'): [string, string][] {
  return index.entries.flatMap((entry) => {
    const value = entry[field];
    return value === undefined || value === cacheFor.revalidate ? [] : [[`/${entry.file}`, value]];
  });
}

function styleOf(value: string | undefined): string {
  return /style-src ([^;]+)/.exec(value ?? '')?.[1] ?? "'none'";
}

function map(source: string, target: string, rules: readonly (readonly [string, string])[], other: string): string {
  const lines = rules.map(([from, to]) => `  ${quote(from)} ${quote(to)};`);
  return `map ${source} ${target} {\n  default ${quote(other)};\n${lines.map((line) => `${line}\n`).join('')}}`;
}

function quote(value: string): string {
  return `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
