import { basename } from 'node:path';
import { servicePath } from '../model/addresses.ts';
import type { Name } from '../model/schema.ts';
import type { Assets } from './assets.ts';
import { kindOf } from './kinds.ts';
import { nearestName } from './nearest-name.ts';
import { guillemets, type Problem } from './problem.ts';
import { type Marked, markedIn } from './schema.ts';
import { problemAt, type Source } from './source.ts';
import type { ReadContent } from './sources.ts';

type Named = Marked & { source: Source<unknown> };

/** Names that are taken twice, references to what does not exist, and pictures that `public/` does not have. */
export function referenceProblems(read: ReadContent, assets: Assets): Problem[] {
  const all = Object.values(read.sources)
    .flat()
    .flatMap((source: Source<unknown>) => markedIn(source.schema, source.value).map((one) => ({ ...one, source })));
  const known = knownNames(read, all);
  const drafts = new Set(read.sources.service.filter(({ value }) => value.draft).map(servicePath));
  return [
    ...takenTwice(all),
    ...all.flatMap(
      (named) => wrongReference(named, known) ?? draftReference(named, drafts) ?? missingAsset(named, assets) ?? [],
    ),
  ];
}

/** A kind is missing if the file that names it is wrong, which is reported there; a wrong file can be referred to. */
function knownNames({ files }: ReadContent, all: readonly Named[]): ReadonlyMap<Name, ReadonlySet<unknown>> {
  const slugs = (kind: string) =>
    [...files.keys()].filter((file) => kindOf(file) === kind).map((file) => basename(file, '.md'));
  const known = new Map<Name, Set<unknown>>([
    ['service', new Set(slugs('service').map((slug) => servicePath({ slug })))],
    ['article', new Set(slugs('article'))],
  ]);
  for (const { value, mark } of all) {
    if (!('own' in mark) || mark.as === undefined) continue;
    known.set(mark.as, (known.get(mark.as) ?? new Set()).add(value));
  }
  return known;
}

/** Names are unique in the same list of one file, or in the same field of one folder. */
function takenTwice(all: readonly Named[]): Problem[] {
  const taken = new Map<string, Named>();
  return all.flatMap((named): Problem[] => {
    const { source, path, value, mark } = named;
    if (!('own' in mark)) return [];
    const fields = path.filter((key) => typeof key === 'string').join('.');
    const place = `${source.file.split('/', 1)} ${fields} ${value}`;
    const first = taken.get(place);
    if (first === undefined) {
      taken.set(place, named);
      return [];
    }
    const where = `${first.source.file}:${first.source.lineOf(first.path)}`;
    return [problemAt(source, path, `${guillemets(value)} уже есть в ${where}. Здесь нужно другое, своё.`)];
  });
}

function wrongReference(
  { source, path, value, mark }: Named,
  known: ReturnType<typeof knownNames>,
): Problem | undefined {
  const names = 'refersTo' in mark ? known.get(mark.refersTo) : undefined;
  if (!('refersTo' in mark) || names === undefined || names.has(value)) return undefined;
  return problemAt(source, path, `${guillemets(value)}: ${mark.expected}.${meant(value, [...names].map(String))}`);
}

/** Lists leave drafts out by themselves. @param drafts addresses of services */
function draftReference({ source, path, value, mark }: Named, drafts: ReadonlySet<unknown>): Problem | undefined {
  if (!('refersTo' in mark) || !drafts.has(value) || typeof path.at(-1) === 'number') return undefined;
  if ((source.value as { draft?: boolean }).draft) return undefined;
  const message = `${guillemets(value)} пока черновик, посетители его не видят. Назовите другую услугу или уберите там draft.`;
  return problemAt(source, path, message);
}

function missingAsset({ source, path, value, mark }: Named, assets: Assets): Problem | undefined {
  if (!('shows' in mark) || mark.shows !== 'asset' || !String(value).startsWith('/')) return undefined;
  if (assets.has(String(value))) return undefined;
  return problemAt(source, path, `В папке public нет файла ${guillemets(value)}.${meant(value, assets.keys())}`);
}

function meant(value: unknown, names: Iterable<string>): string {
  const near = nearestName(String(value), names);
  return near === undefined ? '' : ` Наверное, это ${near}.`;
}
