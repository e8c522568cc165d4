import { basename, dirname } from 'node:path';
import type * as z from 'zod';
import type { ContentFiles } from './content-files.ts';
import { type Kind, type KindName, kindNames, kinds } from './kinds.ts';
import type { Reader, Source } from './source.ts';

/** The files of a content that are right by themselves, by their kind; of one that there is once, the first. */
export type Sources = {
  readonly [K in KindName]: readonly Source<z.output<(typeof kinds)[K]['schema']>>[];
};

/**
 * Reads every file that a site is made of; one that is wrong by itself, or missing, is reported and left out.
 *
 * @param pages those that the site has whether or not there is a file
 * @returns besides, the path of every file that was asked for, right or wrong, by kind
 */
export function readSources(
  files: ContentFiles,
  reader: Reader,
  pages: readonly string[],
): { sources: Sources; paths: Readonly<Record<KindName, readonly string[]>> } {
  const found: Partial<Record<KindName, Source<unknown>[]>> = {};
  const paths: Partial<Record<KindName, string[]>> = {};
  // `categories.yaml` says which folders the blog has.
  for (const kind of kindNames.toSorted((a, b) => Number(a === 'article') - Number(b === 'article'))) {
    const asked = pathsOf(kind);
    paths[kind] = asked;
    found[kind] = asked.flatMap((path) => reader.file(path, kinds[kind].schema) ?? []);
  }
  return { sources: found as Sources, paths: paths as Record<KindName, string[]> };

  function pathsOf(name: KindName): string[] {
    const { files: pattern, only }: Kind = kinds[name];
    if (!pattern.includes('*')) return [pattern];
    const named = only ?? (name === 'page' ? pages : undefined);
    if (named) return named.map((slug) => pattern.replace('*', slug));
    return (name === 'article' ? blogFolders() : [dirname(pattern)]).flatMap(filesOfFolder);
  }

  function filesOfFolder(folder: string): string[] {
    const slugs = slugsIn(files, folder);
    if (slugs.length === 0) {
      const message = 'Этой папки нет, или она пуста. В ней должны лежать файлы .md.';
      reader.problems.push({ file: folder, line: 1, field: '', message });
    }
    return slugs.map((slug) => `${folder}/${slug}.md`);
  }

  /** If nobody can tell what categories there are, every folder is taken for one. */
  function blogFolders(): string[] {
    const [categories] = (found as Sources).categories;
    if (categories) return categories.value.blog.map(({ slug }) => `blog/${slug}`);
    return [...new Set([...files.keys()].map((name) => dirname(name)))].filter((name) => dirname(name) === 'blog');
  }
}

/** The names of the Markdown files of a folder, without their ending. */
export function slugsIn(files: ContentFiles, folder: string): string[] {
  const names = [...files.keys()].filter((name) => dirname(name) === folder && name.endsWith('.md'));
  return names.map((name) => basename(name, '.md')).sort();
}
