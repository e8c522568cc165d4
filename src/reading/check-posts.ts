import type { Section } from '../model/content.ts';
import { kinds } from './kinds.ts';
import { guillemets } from './problem.ts';
import { markedIn } from './schema-walk.ts';
import type { Source } from './source.ts';
import type { Sources } from './sources.ts';

const videoFolder = 'blog/video-news';

/** Reports files whose name or folder says something else than they do. */
export function checkAddresses({ service, article, case: cases, review, news }: Sources): void {
  for (const { slug, value, report } of service) {
    const path = kinds.service.address.replace('*', slug);
    if (value.to !== path) report(['to'], `Адрес услуги следует из имени файла: ${path}.`, { value: path });
  }
  const taken = new Map<string, string>();
  for (const { slug, file, value, report } of article) {
    const first = taken.get(slug);
    if (first) report([], `Так же называется ${first}. Дайте этому файлу своё имя.`);
    taken.set(slug, file);
    const inFolder = file.startsWith(`${videoFolder}/`);
    if (value.video && !inFolder)
      report(['video'], `Видео бывает только в папке ${videoFolder}. Перенесите файл туда или сотрите поле.`);
    if (!value.video && inFolder) {
      const remedy = 'Добавьте поле video или перенесите файл в другую папку.';
      report(['video'], `В папке ${videoFolder} у каждой записи есть видео. ${remedy}`);
    }
  }
  for (const { slug, report } of [...cases, ...review, ...news, ...article]) {
    if (/^\d+$/.test(slug)) report([], 'Имя файла не может быть числом: число в адресе уже значит id. Добавьте слово.');
  }
}

/**
 * Reports pages of the site that are drafts, and pages of an editor at addresses that are taken.
 *
 * @param plain pages that an editor has added
 */
export function checkPages({ page }: Sources, plain: readonly Section[], taken: readonly string[]): void {
  for (const { slug, value, report } of page) {
    const { to } = plain.find(({ name }) => name === slug) ?? {};
    if (to === undefined && value.draft) report(['draft'], 'Без этой страницы сайта не бывает. Сотрите эту строку.');
    if (to !== undefined && taken.includes(to)) report([], `Адрес ${to} на сайте занят. Дайте файлу другое имя.`);
  }
}

/** Reports what is about a draft of a service alone. Lists leave drafts out by themselves. */
export function checkDrafts({ service }: Sources, all: readonly Source<unknown>[]): void {
  const drafts = new Set<unknown>(service.flatMap(({ value }) => (value.draft ? value.to : [])));
  for (const { schema, value, report } of all) {
    if ((value as { draft?: boolean }).draft) continue;
    for (const { path, value: named, mark } of markedIn(schema, value)) {
      if (!('refersTo' in mark) || !drafts.has(named) || typeof path.at(-1) === 'number') continue;
      const remedy = 'Назовите другую услугу или уберите там draft.';
      report(path, `${guillemets(named)} пока черновик, посетители его не видят. ${remedy}`);
    }
  }
}
