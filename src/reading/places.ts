import { basename, dirname, extname } from 'node:path';
import { slugOf } from '../lib/slug.ts';
import { slugForm } from '../model/schema.ts';
import type { ContentFiles } from './content-files.ts';
import { nearestName } from './nearest-name.ts';
import { isRootFile, rootFileProblem } from './root-files.ts';
import type { Reader } from './source.ts';

/** Pictures may lie anywhere; texts name those that are shown. */
const picture = /\.(png|jpe?g|webp|svg)$/i;
/** Files that somebody wrote to be read. */
const meantAsText = /\.(md|markdown|ya?ml)$|\/.*\.txt$/i;

/**
 * Reports files that somebody wrote and the site does not read, and names that cannot be addresses.
 *
 * @param reader has read all that belongs to the content
 */
export function checkPlaces(files: ContentFiles, { asked, problems }: Reader): void {
  const report = (file: string, message: string | undefined, warning = false) => {
    if (message !== undefined) problems.push({ file, line: 1, field: '', message, ...(warning && { warning }) });
  };
  for (const [name, { unread, bytes }] of files) {
    if (isRootFile(name)) report(name, unread ?? rootFileProblem(name, bytes()));
    else if (asked.has(name)) report(name, wrongName(name));
    else if (meantAsText.test(name)) report(name, unread ?? whyPassedOver(name, asked));
    else if (unread !== undefined || !picture.test(name)) report(name, unread ?? notShown, true);
  }
}

const notShown =
  'Файлы этого вида сайт здесь не показывает. Сохраните текст как .md, картинку как png, jpg, webp или svg; файл для корня ' +
  'сайта (подтверждение для Яндекса) положите в папку root. Лишнее уберите.';

/** A file's name is the address of its page. */
function wrongName(file: string): string | undefined {
  const slug = basename(file, '.md');
  if (!file.endsWith('.md') || slugForm.test(slug)) return undefined;
  return `Имя файла становится адресом: в нём только строчные латинские буквы, цифры и дефисы. Назовите его, например, ${addressFor(slug)}.md.`;
}

function whyPassedOver(file: string, asked: ReadonlySet<string>): string {
  const near = nearestName(file, asked);
  if (near) return `Такого файла сайт не читает. Наверное, это ${near}: переименуйте его.`;
  const folder = dirname(file);
  const beside = [...asked].filter((one) => dirname(one) === folder);
  if (beside.length === 0) {
    const folders = new Set([...asked].map((one) => dirname(one)).filter((one) => one !== '.'));
    return `В этой папке сайт ничего не читает. Перенесите файл в одну из этих: ${[...folders].sort().join(', ')}.`;
  }
  if (folder !== '.' && !file.endsWith('.md')) {
    return `Сайт читает здесь файлы .md. Переименуйте его в ${addressFor(basename(file, extname(file)))}.md.`;
  }
  return `Такого файла сайт не читает, и слов его никто не увидит. Перенесите их в один из этих: ${beside.join(', ')}.`;
}

/** An address for a file of this name. */
const addressFor = (name: string) => slugOf(name) || 'novaya-statya';
