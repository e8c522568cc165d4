import { resolve } from 'node:path';
import { createCache } from '../../lib/cache.ts';
import { paths } from '../../lib/paths.ts';
import { articlePath, casePath, newsPath } from '../../model/addresses.ts';
import type { Content } from '../../model/content.ts';
import { readAssets } from '../../reading/assets.ts';
import { type ContentFiles, readFolder } from '../../reading/content-files.ts';
import { linesFor } from '../../reading/problem.ts';
import { type Checked, checkContent, publishable, renderPages } from '../../site/check.ts';
import { readCode } from '../../site/code.ts';
import { type Current, readSite } from '../../site/current.ts';
import { makePicture, missingPictures, removeOldPictures } from '../../site/pictures.ts';
import { publishBack, publishFiles } from '../../site/revisions.ts';
import type { Config } from '../config.ts';
import { type Command, CommandError, type CommandIo, configOf, count, note, parse, print } from './command.ts';

/** Addresses listed for a change; more would hide the other output. */
const addressesShown = 20;

export const contentCommands: readonly Command[] = [
  {
    name: 'check',
    usage: '[--strict]',
    does: 'checks everything that editors wrote, a line for each problem; errors make it exit with 1, with --strict warnings do too',
    async run(args, io) {
      const { values } = parse(args, { strict: { type: 'boolean' } });
      const { problems, html } = await inspect(configOf(io));
      await print(
        io,
        linesFor(problems).map((line) => `${line}\n`),
      );
      const warnings = problems.filter(({ warning }) => warning).length;
      const errors = problems.length - warnings;
      if (errors > 0 || (values.strict && warnings > 0)) {
        throw new CommandError(`Ошибок: ${errors}, замечаний: ${warnings}.`);
      }
      note(io, `${warnings > 0 ? `Замечаний: ${warnings}` : 'Всё в порядке'}, страниц: ${html.size}.`);
    },
  },
  {
    name: 'publish',
    usage: '[--back]',
    does:
      'checks the content and makes it what visitors see, on every server with this DATA_DIR, at once; ' +
      '--back returns to what was published before',
    async run(args, io) {
      const { values } = parse(args, { back: { type: 'boolean' } });
      const config = configOf(io);
      const { site } = shownContent(config);
      const before = renderPages(site);
      const pages = await (values.back ? takeBack(config) : publish(config, site.content, io));
      const changed = changesBetween(before, pages);
      await print(
        io,
        changed.slice(0, addressesShown).map((line) => `${line}\n`),
      );
      note(io, `Published ${count(pages.size, 'page')}, ${changed.length} of which differ.`);
    },
  },
  {
    name: 'pictures',
    usage: '[DIR]',
    does:
      'encodes the pictures of what visitors see that are still missing, into DATA_DIR, or those of the content that ' +
      'ships into a folder; servers have it done by themselves',
    internal: true,
    async run(args, io) {
      const { positionals } = parse(args, {}, args.length > 0 ? ['DIR'] : []);
      const config = configOf(io);
      const [name] = positionals;
      const own = paths.pictures(config.dataDir);
      const folders: [string, ...string[]] = name === undefined ? own : [resolve(name)];
      const { site } = shownContent(
        name === undefined ? config : { ...config, dataDir: '', contentDir: paths.content },
      );
      const all = site.pictures();
      const missing = missingPictures(all, folders);
      for (const picture of missing) await makePicture(picture, folders[0]);
      removeOldPictures(folders[0], all, new Date());
      note(io, `${count(missing.length, 'picture')} made, of ${all.length}.`);
    },
  },
];

async function publish(config: Config, before: Content, io: CommandIo): Promise<Checked['html']> {
  const files = readFolder(config.contentDir);
  const checked = await inspect(config, files);
  const { content } = publishable(checked);
  await publishFiles(paths.published(config.dataDir), files, new Date());
  for (const line of linesFor(checked.problems)) note(io, line);
  for (const { from, to } of renamedPosts(before, content)) {
    note(
      io,
      `Адрес ${from} теперь ${to}. Чтобы старые ссылки вели туда, добавьте в redirects.yaml:\n- { from: ${from}, to: ${to} }`,
    );
  }
  return checked.html;
}

async function takeBack(config: Config): Promise<Checked['html']> {
  const back = publishBack(paths.published(config.dataDir));
  if (back === undefined)
    throw new CommandError('Nothing else was published before, so there is nothing to return to.');
  return renderPages(shownContent(config).site);
}

/** Posts whose address changed and whose old address leads nowhere. */
function renamedPosts(before: Content, after: Content): { from: string; to: string }[] {
  const now = addressesById(after);
  const known = new Set([...now.values(), ...after.redirects.map(({ from }) => from)]);
  return [...addressesById(before)].flatMap(([id, from]) => {
    const to = now.get(id);
    return to === undefined || known.has(from) ? [] : [{ from, to }];
  });
}

function addressesById({ articles, cases, news }: Content): ReadonlyMap<string, string> {
  return new Map([
    ...articles.map((post) => [`article ${post.id}`, articlePath(post)] as const),
    ...cases.map((post) => [`case ${post.id}`, casePath(post)] as const),
    ...news.map((post) => [`news ${post.id}`, newsPath(post)] as const),
  ]);
}

function changesBetween(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  return [...new Set([...after.keys(), ...before.keys()])]
    .filter((path) => before.get(path) !== after.get(path))
    .map((path) => `${!before.has(path) ? 'added' : after.has(path) ? 'changed' : 'removed'} ${path}`);
}

/** Commands may read two versions of the content, which share most files. */
const cache = createCache();

export function inspect(config: Config, files: ContentFiles = readFolder(config.contentDir)): Promise<Checked> {
  return checkContent(files, { inputs: inputsOf(config), at: new Date(), cache });
}

export function inputsOf({ siteUrl, integrations }: Config) {
  return { code: readCode(paths.code), assets: readAssets(paths.public), siteUrl, integrations };
}

/** What visitors see now; `doctor` reports its problems. */
function shownContent(config: Config): Current {
  const { dataDir, contentDir } = config;
  return readSite(
    {
      published: paths.published(dataDir),
      contentDir,
      inputs: inputsOf(config),
      cache,
      drafts: false,
      logger: { error: () => {} },
    },
    new Date(),
  );
}

export function currentContent(config: Config): Content {
  return shownContent(config).site.content;
}
