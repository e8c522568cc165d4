import { slugOf } from '../lib/slug.ts';
import { legalNames } from '../model/content.ts';
import { slugForm } from '../model/schema.ts';
import type { ContentFiles } from './content-files.ts';
import { nearestName } from './nearest-name.ts';
import { pictureRemedy } from './pictures.ts';
import { isRootFile, rootFileProblem } from './root-files.ts';
import type { Reader } from './source.ts';

/** Pictures may lie anywhere; texts name those that are shown. */
const picture = /\.(png|jpe?g|webp|svg)$/i;
/** Files that search engines give out for the root of a site. */
const meantForRoot = /^[^/]+\.(html|txt|xml|json)$/i;
/** Files that somebody wrote to be read. */
const meantAsText = /\.(md|markdown|ya?ml)$|\/.*\.txt$/i;

/**
 * Reports files that somebody wrote and the site does not read, and names that cannot be addresses.
 *
 * @param reader has read all that belongs to the content
 */
export function checkPlaces(files: ContentFiles, reader: Reader): void {
  const { asked, problems } = reader;
  const folders = new Set([...asked].flatMap((name) => /^(.*)\/[^/]*$/.exec(name)?.[1] ?? []));
  const report = (file: string, message: string, warning = false) =>
    void problems.push({ file, line: 1, field: '', message, ...(warning && { warning }) });

  for (const [name, { unread, bytes }] of files) {
    if (isRootFile(name)) {
      const said = unread ?? rootFileProblem(name, bytes());
      if (said !== undefined) report(name, said);
    } else if (asked.has(name)) {
      const said = wrongName(name);
      if (said !== undefined) report(name, said);
    } else if (unread !== undefined) report(name, unread, !meantAsText.test(name));
    else if (meantAsText.test(name)) report(name, whyPassedOver(name, { folders, asked }));
    else if (!picture.test(name)) report(name, whyNotShown(name), true);
  }
}

function whyNotShown(name: string): string {
  if (meantForRoot.test(name)) {
    return 'Здесь сайт этот файл не показывает. Если это файл для корня сайта (подтверждение для Яндекса), положите его в папку root. Тексты лежат в .md, лишнее уберите.';
  }
  return capital(
    pictureRemedy(name) ??
      'Файлы этого вида сайт не показывает: тексты лежат в .md. Сохраните его иначе, уберите или начните имя с точки.',
  );
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** A file's name is the address of its page. */
function wrongName(file: string): string | undefined {
  const slug = /\/([^/]*)\.md$/.exec(file)?.[1];
  if (slug === undefined || slugForm.test(slug)) return undefined;
  return `Имя файла становится адресом: в нём только строчные латинские буквы, цифры и дефисы. Назовите его, например, ${addressFor(slug)}.md.`;
}

type Known = { folders: ReadonlySet<string>; asked: ReadonlySet<string> };

function whyPassedOver(file: string, { folders, asked }: Known): string {
  const [, folder = '', name = '', ending = ''] = /^(?:(.*)\/)?([^/]*?)((?:\.\w+)+)$/.exec(file) ?? [];
  if (folder === '') {
    const root = [...asked].filter((one) => !one.includes('/'));
    return `Такого файла сайт не читает. ${meant(nearestName(file, root)) ?? `Здесь бывают: ${root.join(', ')}.`}`;
  }
  if (folder === 'legal' && ending === '.md') {
    const near = nearestName(name, legalNames);
    return `Такого документа на сайте нет, и слов его никто не увидит. ${meant(near && `${near}.md`) ?? `Есть: ${legalNames.join(', ')}.`}`;
  }
  if (folders.has(folder)) return `Сайт читает здесь файлы .md. Переименуйте его в ${addressFor(name)}.md.`;
  const near = nearestName(folder, folders) ?? [...folders].find((one) => folder.startsWith(`${one}/`));
  return `В этой папке сайт ничего не читает. Перенесите файл в ${near ?? `одну из этих: ${[...folders].sort().join(', ')}`}.`;
}

const meant = (near: string | undefined) =>
  near === undefined ? undefined : `Наверное, это ${near}: переименуйте его.`;

/** An address for a file of this name. */
const addressFor = (name: string) => slugOf(name) || 'novaya-statya';
