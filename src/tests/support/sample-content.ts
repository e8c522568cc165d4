import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseDocument } from 'yaml';
import { hashOf } from '../../lib/hash.ts';
import { paths } from '../../lib/paths.ts';
import { type ContentFiles, readFolder } from '../../loading/content-files.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Whether `src/content` is the shipped content. Tests of its texts do not apply once an editor has replaced it. */
export const contentShips = /^ *- company\.yaml$/m.test(readFileSync(join(paths.content, 'company.yaml'), 'utf8'));

/** Returns the new text of a file, given its text or an empty one; `undefined` removes the file or folder. */
export type Change = (text: string) => string | Buffer | undefined;

/** Sets values in a YAML file by their paths, such as `workingHours.week`. */
export function valued(values: Readonly<Record<string, unknown>>): (text: string) => string {
  return (text) => {
    const document = parseDocument(text);
    for (const [path, value] of Object.entries(values)) document.setIn(path.split('.'), value);
    return String(document);
  };
}

/** Sets a field in the front matter of a text, and moves it to the second line. */
export function fielded(name: string, value: string): (text: string) => string {
  return (text) =>
    text.replace(new RegExp(`^${name}:.*\\n(?: .*\\n)*`, 'm'), '').replace('\n', () => `\n${name}: ${value}\n`);
}

/** The rows of prices that take effect on a day: each price is twice that of a table with one day. */
export function doubledPrices(
  day: string,
  table = String(readFolder(paths.content).get('prices.csv')?.bytes()),
): string {
  const rows = table.replace(/.*\n/, '').replaceAll(/\d{4}-\d\d-\d\d/g, day);
  return rows.replace(/(?<=;)(\d+),(\d\d)(?=;)/g, (_, whole, part) => {
    return String((Number(whole + part) * 2) / 100).replace('.', ',');
  });
}

/** Whether a problem is the list of what is still shipped, or a fact of the shipped company in an editor's content. */
export const ofTheSample = ({ message }: { message: string }): boolean =>
  /ещё из образца|у компании из образца/.test(message);

/** The shipped content with some files added, changed or removed. */
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
      files.set(name, { ...files.get(name), hash: hashOf(bytes), bytes: () => bytes });
    }
  }
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The same as a folder, for other processes. */
export function contentFolder(changes: Readonly<Record<string, Change>> = {}, before?: ContentFiles): string {
  const dir = temporaryFolder();
  for (const [name, { bytes }] of contentWith(changes, before)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), bytes());
  }
  return dir;
}

/** The services that the other company lacks, and its number of posts of each kind, so that each list has one page. */
const given = /^services\/(?:photo|analytics|infographic)\.md$/;
const postsKept = 2;

/** Returns a Markdown file of a content folder, counted from 0. @throws if there are fewer */
export function fileIn(folder: string, count = 0): string {
  const names = [...readFolder(paths.content).keys()].filter(
    (name) => dirname(name) === folder && name.endsWith('.md'),
  );
  const name = names[count];
  if (name === undefined) throw new Error(`There are but ${names.length} files in ${folder}.`);
  return name;
}

/** The content of another company: other facts, other hours, fewer services, and hardly any posts. */
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
      'company.yaml': valued({
        name: 'Сундук',
        legalName: 'ООО «Сундук»',
        phone: { number: '+78435550000', text: '+7 (843) 555-00-00' },
        tollFree: { number: '+78005550000', text: '8 (800) 555-00-00' },
        email: 'office@example.com',
        'address.locality': 'Казань',
        'address.street': 'ул. Баумана, 1',
        broadcast: 'Трансляция с 10:00',
        'workingHours.week': Array.from({ length: 7 }, () => ['10:00', '19:00']),
      }),
    },
    contentWith(Object.fromEntries(changes), files),
  );
}

function textOf(files: ContentFiles, name: string): string {
  return files.get(name)?.bytes().toString() ?? '';
}

/** Returns the line of a text in a file, counted from 1; 0 if the file does not contain it. */
export function lineOf(files: ContentFiles, name: string, needle: string): number {
  const lines = textOf(files, name).split('\n');
  return lines.findIndex((line) => line.includes(needle)) + 1;
}
