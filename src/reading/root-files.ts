import type { Hash } from '../lib/hash.ts';
import type { ContentFiles } from './content-files.ts';

/** A file that is published at the root of the site as it is: a search engine's proof of whose site it is, `ads.txt`. */
export type RootFile = { path: string; file: Hash };

const folder = 'root/';
const form = /^root\/[\w-]+(\.[\w-]+)*\.(html|txt|xml|json)$/;
/** Proofs have a line; a whole page is Markdown. */
const heaviest = 64 * 1024;

export function isRootFile(name: string): boolean {
  return name.startsWith(folder);
}

/** Why a file of the folder is not published, in Russian. */
export function rootFileProblem(name: string, bytes: Buffer): string | undefined {
  if (!form.test(name))
    return 'Из папки root сайт отдаёт файлы .html, .txt, .xml и .json с латинским именем, без папок внутри.';
  return bytes.length > heaviest
    ? 'Файл больше 64 КБ. Здесь лежат короткие файлы, которые ищут другие сайты.'
    : undefined;
}

export function rootFilesIn(files: ContentFiles): RootFile[] {
  return [...files]
    .filter(([name, file]) => isRootFile(name) && rootFileProblem(name, file.bytes()) === undefined)
    .map(([name, { hash }]) => ({ path: `/${name.slice(folder.length)}`, file: hash }));
}
