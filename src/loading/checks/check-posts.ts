import { basename, dirname } from 'node:path';
import { slugOf } from '../../lib/slug.ts';
import { requiredPages } from '../../model/content.ts';
import { postKindNames, postKinds } from '../../model/post-kinds.ts';
import { slugPattern } from '../../model/schemas/shared-fields.ts';
import { fileOf, kindOf } from '../kinds.ts';
import { nearestName } from '../nearest-name.ts';
import { guillemets, type Problem } from '../problem.ts';
import { pictureFile } from '../read-pictures.ts';
import { isRootFile, rootFileProblem } from '../root-files.ts';
import { problemAt, type Source } from '../source.ts';
import { unreadReason } from '../unread-files.ts';
import { videoFileProblem, videoName, videoProblem } from '../videos.ts';
import type { Path } from '../yaml.ts';
import { oldestFirst } from './check-names.ts';
import type { CheckInput } from './rule.ts';

export function* checkVideos({ files, sources: { article, categories } }: CheckInput): Iterable<Problem> {
  const [listed] = categories;
  const withVideo = new Set(listed?.value.blog.filter(({ video }) => video).map(({ slug }) => slug));
  for (const source of article) {
    const { video } = source.value;
    if (listed && withVideo.has(basename(dirname(source.file))) !== (video !== undefined)) {
      const message =
        'Видео есть у каждой записи рубрики с video: true в categories.yaml, и больше нигде. ' +
        'Перенесите файл или поправьте поле.';
      yield problemAt(source, ['video'], message);
    }
    const { href } = video ?? {};
    const problem = href && videoProblem(files, source.file, href);
    if (problem) yield problemAt(source, ['video', 'href'], `Видео ${guillemets(href)}. ${problem}`);
  }
}

export function* checkPages({ sources: { page }, pages, occupiedPaths }: CheckInput): Iterable<Problem> {
  for (const source of page) {
    const { slug, value } = source;
    if (requiredPages.includes(slug) && value.draft)
      yield problemAt(source, ['draft'], 'Без этой страницы сайта не бывает. Сотрите эту строку.');
    if (pages.every(({ name }) => name !== slug) && occupiedPaths.includes(`/${slug}`)) {
      yield problemAt(source, [], `Адрес /${slug} на сайте занят. Дайте файлу другое имя.`);
    }
  }
}

/** Posts are shown only with the page that lists them. */
export function* checkLists({ sources, files }: Pick<CheckInput, 'sources' | 'files'>): Iterable<Problem> {
  for (const kind of postKindNames) {
    const { name } = postKinds[kind].list;
    const [first]: readonly Source<unknown>[] = sources[kind];
    if (first === undefined || files.has(fileOf('page', name))) continue;
    const message = `Посетители этого не увидят, как и остального в папке: нет страницы со списком. Добавьте pages/${name}.md.`;
    yield problemAt(first, [], message, { warning: true });
  }
}

/** Search engines show one of two pages with the same title. */
export function* checkTitles({ sources, files }: Pick<CheckInput, 'sources' | 'files'>): Iterable<Problem> {
  const first = new Map<string, string>();
  for (const source of oldestFirst<unknown>(Object.values(sources).flat(), { files })) {
    for (const { path, title } of titlesIn(source.value)) {
      const key = title.toLowerCase();
      const taken = first.get(key);
      first.set(key, taken ?? source.file);
      if (taken === undefined) continue;
      const message = `Такое же название у страницы из ${taken}. Дайте этой своё: по нему их различают в поиске.`;
      yield problemAt(source, [...path, 'title'], message, { warning: true });
    }
  }
}

type Titled = { heading?: unknown; title?: unknown; description?: unknown; draft?: boolean };

/** Of pages: other things with a title, such as a step or a form, have no description for search. */
function titlesIn(value: unknown, path: Path = []): { path: Path; title: string }[] {
  if (typeof value !== 'object' || value === null) return [];
  const { heading, title, description, draft } = value as Titled;
  if (draft) return [];
  if (heading !== undefined && description !== undefined && typeof title === 'string') return [{ path, title }];
  return Object.entries(value).flatMap(([key, one]) =>
    titlesIn(one, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}

export function* checkPlaces({ files }: CheckInput): Iterable<Problem> {
  const read = [...files.keys()].filter(kindOf);
  for (const [file, { bytes }] of files) {
    const report = (message: string) => ({ file, line: 1, field: '', message });
    if (kindOf(file)) yield* wrongName(file).map(report);
    else if (isRootFile(file)) yield* rootFileProblem(file, bytes()).map(report);
    else if (videoName.test(file)) yield* videoFileProblem(bytes()).map(report);
    else if (!pictureFile.test(file)) yield report(notRead(file, read));
  }
}

/** The file name becomes the address, where a number would be taken for an id. */
function wrongName(file: string): string[] {
  const slug = basename(file, '.md');
  if (!file.endsWith('.md') || (slugPattern.test(slug) && !/^\d+$/.test(slug))) return [];
  const example = slugOf(slug).replace(/^\d*$/, 'novaya-statya');
  return [
    'Имя файла становится адресом: в нём строчные латинские буквы, цифры и дефисы, и не одни цифры. ' +
      `Назовите его, например, ${example}.md.`,
  ];
}

function notRead(file: string, read: readonly string[]): string {
  const near = nearestName(file, read);
  if (near) return `Такого файла сайт не читает. Наверное, это ${near}: переименуйте его.`;
  const reason = unreadReason(file);
  if (reason) return reason;
  const folders = [...new Set(read.map((one) => one.replace(/[^/]*$/, '')))].filter((one) => one !== '').sort();
  return (
    `Такого файла сайт не читает. Тексты (.md) лежат в папках ${folders.join(', ')}; картинки и видео ` +
    'рядом с ними; файлы для корня сайта в root/. Перенесите файл туда или уберите.'
  );
}
