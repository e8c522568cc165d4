import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { hashOf } from '../lib/hash.ts';
import { paths } from '../lib/paths.ts';
import { type ContentFiles, readFolder } from '../reading/content-files.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** What becomes of a file, which is empty if there is none yet; `undefined` takes it away, or a folder. */
export type Change = (text: string) => string | Buffer | undefined;

/** The content that ships with some files written, changed or taken away. */
export function contentWith(
  changes: Readonly<Record<string, Change>>,
  before: ContentFiles = readFolder(paths.content),
): ContentFiles {
  const files = new Map(before);
  for (const [name, change] of Object.entries(changes)) {
    const text = textOf(files, name);
    const written = change(text);
    if (files.has(name) && written === text) throw new Error(`${name} was not changed.`);
    if (written === undefined) {
      for (const one of files.keys()) if (one === name || one.startsWith(`${name}/`)) files.delete(one);
    } else {
      const bytes = Buffer.from(written);
      files.set(name, { hash: hashOf(bytes), bytes: () => bytes });
    }
  }
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The same in a folder, for other processes. */
export function contentFolder(changes: Readonly<Record<string, Change>> = {}): string {
  const dir = temporaryFolder();
  for (const [name, { bytes }] of contentWith(changes)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), bytes());
  }
  return dir;
}

/** Services that the other company does not have, and how many posts of each kind it has, for a list of one page. */
const given = /^services\/(?:photo|analytics|infographic)\.md$/;
const postsKept = 2;

/** The content of another company: other facts, other hours, fewer services, and next to no posts. */
export function otherContent(): ContentFiles {
  const shipped = readFolder(paths.content);
  const posts = Map.groupBy(
    [...shipped.keys()],
    (name) => /^(?:blog\/\w[\w-]*|cases|news|reviews)\/(?=[^/]+\.md$)/.exec(name)?.[0],
  );
  posts.delete(undefined);
  const gone = [...shipped.keys()]
    .filter((name) => given.test(name))
    .concat([...posts.values()].flatMap((names) => names.slice(postsKept)));
  const slugs = gone.map((name) => name.replace(/^.*\/|\.md$/g, '')).join('|');
  const link = new RegExp(`\\[([^\\]]*)\\]\\(/[\\w/-]*/(?:${slugs})(?:#[^)]*)?\\)`, 'g');
  const entry = new RegExp(
    `^(?: *- \\{ to: /[\\w/-]*/(?:${slugs}),.*| +- (?:/[\\w/-]*/)?(?:${slugs})|service: /services/(?:${slugs}))\\n`,
    'gm',
  );
  const another = posts.get('blog/articles/')?.[0]?.replace(/^.*\/|\.md$/g, '');
  const files = new Map(shipped);
  for (const name of gone) files.delete(name);
  const changes = [...files.keys()]
    .filter((name) => /\.(?:md|yaml)$/.test(name))
    .flatMap((name): [string, Change][] => {
      const text = textOf(files, name);
      const written = text
        .replace(link, '$1')
        .replace(entry, '')
        .replace(/^related:\n(?! )/m, `related: [${another}]\n`);
      return written === text ? [] : [[name, () => written]];
    });
  return contentWith(
    {
      'company.yaml': (text) =>
        text
          .replace(/^name: .*$/m, 'name: Сундук')
          .replace(/^legalName: .*$/m, 'legalName: ООО «Сундук»')
          .replace(/^phone: .*$/m, 'phone: { number: "+78435550000", text: "+7 (843) 555-00-00" }')
          .replace(/^tollFree: .*$/m, 'tollFree: { number: "+78005550000", text: "8 (800) 555-00-00" }')
          .replace(/^email: .*$/m, 'email: office@example.com')
          .replace(/^( +)locality: .*$/m, '$1locality: Казань')
          .replace(/^( +)street: .*$/m, '$1street: ул. Баумана, 1')
          .replace(/^broadcast: .*$/m, 'broadcast: Трансляция с 10:00')
          .replace(/^( +)text: Пн.*$/m, '$1text: Ежедневно 10:00-19:00')
          .replace(/^( +)week:\n(?:.*\n){7}/m, `$1week:\n${'    - ["10:00", "19:00"]\n'.repeat(7)}`),
    },
    contentWith(Object.fromEntries(changes), files),
  );
}

function textOf(files: ContentFiles, name: string): string {
  return files.get(name)?.bytes().toString() ?? '';
}

/** Where a text stands in a file, counted from 1; 0 if it does not. */
export function lineOf(files: ContentFiles, name: string, needle: string): number {
  const lines = textOf(files, name).split('\n');
  return lines.findIndex((line) => line.includes(needle)) + 1;
}
