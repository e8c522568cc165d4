import type { Hash } from '../lib/hash.ts';
import type { ContentFiles } from './content-files.ts';

/** Published unchanged at the site root, such as `ads.txt` or a search engine's ownership proof. */
export type RootFile = { path: string; file: Hash };

const form = /^root\/[\w-]+(\.[\w-]+)*\.(html|txt|xml|json)$/;
/** Full pages belong in Markdown. */
const maxBytes = 64 * 1024;

export function isRootFile(name: string): boolean {
  return name.startsWith('root/');
}

/** In Russian. */
export function rootFileProblem(name: string, bytes: Buffer): string[] {
  if (form.test(name) && bytes.length <= maxBytes) return [];
  return [
    'Из папки root сайт отдаёт файлы .html, .txt, .xml и .json до 64 КБ, с латинским именем, без папок внутри. Уберите этот.',
  ];
}

export function rootFilesIn(files: ContentFiles): RootFile[] {
  return [...files]
    .filter(([name, file]) => isRootFile(name) && rootFileProblem(name, file.bytes()).length === 0)
    .map(([name, { hash }]) => ({ path: name.replace('root', ''), file: hash }));
}
