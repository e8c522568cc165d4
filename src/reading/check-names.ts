import type { Name } from '../model/schema.ts';
import type { Assets } from './assets.ts';
import { markedIn } from './marks.ts';
import type { Source } from './source.ts';

/** What can be referred to, by kind; a kind that is missing is not known, because the file that says it is wrong. */
export type KnownNames = ReadonlyMap<Name, ReadonlySet<unknown>>;

/**
 * Reports every name that is taken already, every reference to what does not exist, and every picture of `public/` that
 * is not there.
 *
 * @param sources the files that are right in themselves
 * @param files what the names of files say
 * @returns everything that can be referred to
 */
export function checkNames(
  sources: readonly Source<unknown>[],
  files: ReadonlyMap<Name, readonly string[]>,
  assets: Assets,
): KnownNames {
  const known = new Map([...files].map(([name, values]) => [name, new Set<unknown>(values)]));
  const all = sources.flatMap((source) => markedIn(source.schema, source.value).map((one) => ({ ...one, source })));
  const taken = new Map<string, string>();
  for (const { source, path, value, mark } of all) {
    if (!('own' in mark)) continue;
    const like = path.filter((key) => typeof key === 'string').join('.');
    const place = `${source.file.split('/', 1)} ${like} ${value}`;
    const first = taken.get(place);
    if (first === undefined) taken.set(place, source.file);
    else if (typeof value === 'number') source.report(path, 'a number of its own', `${value}, as in ${first}`);
    else source.report(path, 'a name of its own', JSON.stringify(value));
    if (mark.as) known.set(mark.as, (known.get(mark.as) ?? new Set()).add(value));
  }
  for (const { source, path, value, mark } of all) {
    if ('refersTo' in mark && known.get(mark.refersTo)?.has(value) === false) {
      source.report(path, mark.expected, JSON.stringify(value));
    }
    if ('shows' in mark && mark.shows === 'asset' && !assets.has(String(value))) {
      source.report(path, 'a file under public/', String(value));
    }
  }
  return known;
}
