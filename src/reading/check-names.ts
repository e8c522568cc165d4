import { basename } from 'node:path';
import type { Name } from '../model/schema.ts';
import type { Assets } from './assets.ts';
import { type Path, valueAt } from './front-matter.ts';
import { nearestName } from './nearest-name.ts';
import { guillemets } from './problem.ts';
import { type Marked, markedIn } from './schema-walk.ts';
import type { Source } from './source.ts';

/** What can be referred to, by kind; a kind that is missing is not known, because the file that says it is wrong. */
type KnownNames = ReadonlyMap<Name, ReadonlySet<unknown>>;

/**
 * Reports every name that is taken already, every reference to what does not exist, and every picture of `public/` that
 * is not there.
 *
 * @param sources the files that are right in themselves
 * @param paths of the files that there are, right or wrong, by kind: their names are referred to
 */
export function checkNames(
  sources: readonly Source<unknown>[],
  paths: Readonly<Record<'article' | 'service', readonly string[]>>,
  assets: Assets,
): void {
  const all = sources.flatMap((source) => markedIn(source.schema, source.value).map((one) => ({ ...one, source })));
  const known = takeNames(all, paths);
  for (const { source, path, value, mark } of all) {
    const names = 'refersTo' in mark ? known.get(mark.refersTo) : undefined;
    if ('refersTo' in mark && names?.has(value) === false) {
      report(source, path, `${guillemets(String(value))}: ${mark.expected}.`, [...names].map(String));
    }
    if ('shows' in mark && mark.shows === 'asset' && String(value).startsWith('/') && !assets.has(String(value))) {
      report(source, path, `В папке public нет файла ${guillemets(String(value))}.`, assets.keys());
    }
  }
}

type Named = Marked & { source: Source<unknown> };

/** Every name that content gives, those being reported that are taken already. */
function takeNames(all: readonly Named[], paths: Parameters<typeof checkNames>[1]): KnownNames {
  const known = new Map<Name, Set<unknown>>([
    ['service', new Set(paths.service.map((path) => `/${path.replace('.md', '')}`))],
    ['article', new Set(paths.article.map((path) => basename(path, '.md')))],
  ]);
  const taken = new Map<string, Named>();
  for (const named of all) {
    const { source, path, value, mark } = named;
    if (!('own' in mark)) continue;
    const like = path.filter((key) => typeof key === 'string').join('.');
    const place = `${source.file.split('/', 1)} ${like} ${value}`;
    const first = taken.get(place);
    if (first === undefined) taken.set(place, named);
    else {
      const same = first.source.file === source.file;
      const where = same ? `на строке ${first.source.lineOf(first.path)}` : `в ${first.source.file}`;
      source.report(path, `${guillemets(String(value))} уже есть ${where}. Здесь нужно другое, своё.`);
    }
    if (mark.as) known.set(mark.as, (known.get(mark.as) ?? new Set()).add(value));
  }
  return known;
}

/** @param names of what there is; the one that was probably meant is told */
function report({ report, value: whole }: Source<unknown>, path: Path, message: string, names: Iterable<string>): void {
  const near = nearestName(String(valueAt(whole, path)), names);
  report(path, near === undefined ? message : `${message} Наверное, это ${near}.`, { value: near });
}
