import { basename } from 'node:path';
import { formatDate } from '../../lib/format.ts';
import { servicePath } from '../../model/addresses.ts';
import type { Name } from '../../model/schemas/field-marks.ts';
import type { Assets } from '../assets.ts';
import { kindOf } from '../kinds.ts';
import { nearestName } from '../nearest-name.ts';
import { guillemets, type Problem } from '../problem.ts';
import { type MarkedField, markedIn } from '../schema-parts.ts';
import { problemAt, type Source } from '../source.ts';
import { priceLists, type ReadContent } from '../sources.ts';

type Named = MarkedField & { source: Source<unknown> };

/** Of two files with the same name, the newer one gets the error. */
export function oldestFirst<T>(sources: readonly Source<T>[], { files }: Pick<ReadContent, 'files'>): Source<T>[] {
  const created = ({ file }: Source<T>) => files.get(file)?.created ?? Number.MAX_VALUE;
  return sources.toSorted((a, b) => created(a) - created(b));
}

function namedIn(read: ReadContent): Named[] {
  return oldestFirst<unknown>(Object.values(read.sources).flat(), read).flatMap((source: Source<unknown>) =>
    markedIn(source.schema, source.value).map((one) => ({ ...one, source })),
  );
}

export function referenceProblems(read: ReadContent, assets: Assets, at: Date): Problem[] {
  const all = namedIn(read);
  return [
    ...misplacedArticles(read),
    ...takenNames(all),
    ...wrongReferences(read, all),
    ...missingPrices(read, all, at),
    ...missingAssets(all, assets),
  ];
}

function* misplacedArticles(read: ReadContent): Iterable<Problem> {
  const { article, categories } = read.sources;
  const folders = categories.flatMap(({ value }) => value.blog.map(({ slug }) => `blog/${slug}/`));
  const taken = new Map<string, string>();
  for (const source of oldestFirst(article, read)) {
    const { slug, file } = source;
    if (categories.length > 0 && !folders.includes(file.replace(/[^/]*$/, ''))) {
      const remedy = `Перенесите файл в одну из этих: ${folders.join(', ')}.`;
      yield problemAt(source, [], `Рубрики с такой папкой в categories.yaml нет. ${remedy}`);
    }
    const first = taken.get(slug);
    if (first) yield problemAt(source, [], `Так же называется ${first}. Дайте этому файлу своё имя.`);
    taken.set(slug, file);
  }
}

/** Names must be unique within a list, or within a field across a folder. */
function* takenNames(all: readonly Named[]): Iterable<Problem> {
  const taken = new Map<string, Named>();
  for (const named of all) {
    const { source, path, value, mark } = named;
    if (!('own' in mark)) continue;
    const fields = path.filter((key) => typeof key === 'string').join('.');
    const place = `${source.file.split('/', 1)} ${fields} ${value}`;
    const first = taken.get(place);
    if (first === undefined) taken.set(place, named);
    else {
      const where = `${first.source.file}:${first.source.lineOf(first.path)}`;
      yield problemAt(source, path, `${guillemets(value)} уже есть в ${where}. Здесь нужно другое, своё.`);
    }
  }
}

/** In a list that names each once, and without the page itself. Lists may refer to draft services, because they skip drafts. */
function* wrongReferences(read: ReadContent, all: readonly Named[]): Iterable<Problem> {
  const known = knownNames(read, all);
  const drafts = new Set<unknown>(read.sources.service.filter(({ value }) => value.draft).map(servicePath));
  const listed = new Set<string>();
  for (const { source, path, value, mark } of all) {
    const names = 'refersTo' in mark && known.get(mark.refersTo);
    if (!names) continue;
    const item = typeof path.at(-1) === 'number' ? [source.file, ...path.slice(0, -1), value].join(' ') : '';
    if (listed.has(item)) {
      yield problemAt(source, path, `${guillemets(value)} в этом списке уже есть. Оставьте одно.`);
    } else if (value === nameOf(source)) {
      yield problemAt(
        source,
        path,
        `${guillemets(value)} - это сама эта страница. Назовите другую или сотрите строку.`,
      );
    } else if (!names.has(String(value))) {
      yield problemAt(source, path, `${guillemets(value)}: ${mark.expected}.${meant(value, names)}`);
    } else if (drafts.has(value) && typeof path.at(-1) === 'string' && !(source.value as { draft?: boolean }).draft) {
      const remedy = 'Назовите другую услугу или уберите там draft.';
      yield problemAt(source, path, `${guillemets(value)} пока черновик, посетители его не видят. ${remedy}`);
    }
    if (item !== '') listed.add(item);
  }
}

/** What other files call it. */
function nameOf(source: Source<unknown>): string | undefined {
  const kind = kindOf(source.file);
  return kind === 'service' ? servicePath(source) : kind === 'article' ? source.slug : undefined;
}

/** The content needs the prices that it names, and each group needs one, from today on. */
function* missingPrices({ sources }: ReadContent, all: readonly Named[], at: Date): Iterable<Problem> {
  const known = idsIn(sources.prices.flatMap(({ value }) => value));
  const lists = Array.from(priceLists(sources, at), ({ effective, groups }) => {
    return { since: formatDate(effective), groups, ids: idsIn(groups.flatMap(({ rows }) => rows)) };
  });
  for (const { source, path, value, mark } of all) {
    const rate = 'refersTo' in mark && mark.refersTo === 'rate' ? String(value) : '';
    const without = known.has(rate) && lists.find(({ ids }) => !ids.has(rate));
    if (!without) continue;
    const message = `${guillemets(rate)}: с ${without.since} в prices.csv такой цены нет. Впишите её туда или уберите отсюда.`;
    yield problemAt(source, path, message);
  }
  for (const source of sources.rates) {
    for (const index of source.value.groups.keys()) {
      const without = lists.find(({ groups }) => groups[index]?.rows.length === 0);
      if (!without) continue;
      const message = `С ${without.since} в prices.csv нет ни одной цены этой группы. Впишите её туда или сотрите группу.`;
      yield problemAt(source, ['groups', index], message);
    }
  }
}

const idsIn = (all: readonly { id: string }[]): ReadonlySet<string> => new Set(all.map(({ id }) => id));

/** Names defined in an invalid file are unknown, but the file itself can be referenced. */
export function knownNames(
  read: ReadContent,
  all: readonly Named[] = namedIn(read),
): ReadonlyMap<Name, ReadonlySet<string>> {
  const known = new Map<Name, Set<string>>([
    ['service', new Set()],
    ['article', new Set()],
    ...read.sources.prices.map(({ value }): [Name, Set<string>] => ['rate', new Set(value.map(({ id }) => id))]),
  ]);
  for (const file of read.files.keys()) {
    const [kind, slug] = [kindOf(file), basename(file, '.md')];
    if (kind === 'service') known.get(kind)?.add(servicePath({ slug }));
    if (kind === 'article') known.get(kind)?.add(slug);
  }
  for (const { value, mark } of all) {
    if (!('own' in mark) || mark.as === undefined) continue;
    known.set(mark.as, (known.get(mark.as) ?? new Set()).add(String(value)));
  }
  return known;
}

function* missingAssets(all: readonly Named[], assets: Assets): Iterable<Problem> {
  for (const { source, path, value, mark } of all) {
    const src = 'shows' in mark && mark.shows === 'asset' ? String(value) : '';
    if (!src.startsWith('/') || assets.has(src)) continue;
    const remedy = meant(src, assets.keys()) || ' Положите его туда или поправьте адрес.';
    yield problemAt(source, path, `В папке public нет файла ${guillemets(src)}.${remedy}`);
  }
}

function meant(value: unknown, names: Iterable<string>): string {
  const near = nearestName(String(value), names);
  return near === undefined ? '' : ` Наверное, это ${near}.`;
}
