import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Config } from '../config.ts';
import { createCache } from '../lib/cache.ts';
import { messageOf } from '../lib/message-of.ts';
import { paths } from '../lib/paths.ts';
import { readAssets } from '../loading/assets.ts';
import { type ContentFiles, companyFile, readFolder } from '../loading/content-files.ts';
import { linesFor } from '../loading/problem.ts';
import type { Content } from '../model/content.ts';
import { type Checked, checkContent } from '../publishing/check-site.ts';
import { type Current, readSite } from '../publishing/read-site.ts';
import { readPublished } from '../publishing/revisions.ts';
import { readCode } from '../site/compiled-code.ts';
import { makePicture, missingPictures, removeOldPictures, type SitePicture } from '../site/site-pictures.ts';
import { type Command, CommandError, configOf, count, note, parse, parseInRussian, print } from './command.ts';
import { lostAddresses } from './lost-addresses.ts';

export const contentCommands: readonly Command[] = [
  {
    name: 'check',
    usage: '[--strict]',
    does: 'проверяет всё содержимое и перечисляет, что не так; с --strict и замечания считает ошибками',
    async run(args, io) {
      const { values } = parseInRussian(args, { strict: { type: 'boolean' } });
      const config = configOf(io);
      const { site, pages, problems: found } = await inspect(config, filesOf(config));
      const isPublished = readPublished(paths.published(config.dataDir)).current !== null;
      const lost = site && isPublished ? lostAddresses((await shownContent(config)).site, site) : [];
      const problems = [...found, ...lost];
      await print(
        io,
        linesFor(problems).map((line) => `${line}\n`),
      );
      const warnings = problems.filter(({ warning }) => warning).length;
      const errors = problems.length - warnings;
      if (errors > 0 || (values.strict && warnings > 0)) {
        throw new CommandError(`Ошибок: ${errors}, замечаний: ${warnings}.`);
      }
      note(io, `${warnings > 0 ? `Замечаний: ${warnings}` : 'Всё в порядке'}, страниц: ${pages.size}.`);
    },
  },
  {
    name: 'pictures',
    usage: '[DIR]',
    does:
      'encodes the pictures of what visitors see that are still missing, into DATA_DIR, or those of the content that ' +
      'ships into a folder; servers run it when pictures are missing',
    internal: true,
    async run(args, io) {
      const { positionals } = parse(args, {}, args.length > 0 ? ['DIR'] : []);
      const config = configOf(io);
      const [name] = positionals;
      const own = paths.pictures(config.dataDir);
      const folders: [string, ...string[]] = name === undefined ? own : [resolve(name)];
      const { site } = await shownContent(
        name === undefined ? config : { ...config, dataDir: '', contentDir: paths.content },
      );
      const all = site.pictures();
      const missing = missingPictures(all, folders);
      const failures = await makePictures(missing, folders[0]);
      removeOldPictures(folders[0], all, new Date());
      if (failures.length > 0) {
        throw new CommandError(`${count(failures.length, 'picture')} cannot be encoded:\n${failures.join('\n')}`);
      }
      note(io, `${count(missing.length, 'picture')} made, of ${all.length}.`);
    },
  },
];

/** @returns a line for each that failed */
async function makePictures(pictures: readonly SitePicture[], folder: string): Promise<string[]> {
  const failures: string[] = [];
  for (const picture of pictures) {
    try {
      await makePicture(picture, folder);
    } catch (error) {
      failures.push(`${picture.path}: ${messageOf(error)}`);
    }
  }
  return failures;
}

export function filesOf({ contentDir }: Config): ContentFiles {
  if (!existsSync(contentDir)) throw new CommandError(`Папки с содержимым нет: ${contentDir}`);
  if (!existsSync(join(contentDir, companyFile))) {
    const remedy = 'Верните этот файл или поправьте CONTENT_DIR: это должна быть папка с содержимым';
    throw new CommandError(`${companyFile}: такого файла нет в ${contentDir}, а сайту он нужен. ${remedy}.`);
  }
  return readFolder(contentDir);
}

/** Commands may read two versions of the content, which share most files. */
export const contentCache = createCache();

export function inspect(config: Config, files: ContentFiles = readFolder(config.contentDir)): Promise<Checked> {
  return checkContent(files, { inputs: inputsOf(config), at: new Date(), cache: contentCache });
}

export function inputsOf({ siteUrl, integrations, retention }: Config) {
  return { code: readCode(paths.code), assets: readAssets(paths.public), siteUrl, integrations, retention };
}

/** What visitors see now; `doctor` reports its problems. */
export function shownContent(config: Config): Promise<Current> {
  const { dataDir, contentDir } = config;
  return readSite(
    {
      published: paths.published(dataDir),
      contentDir,
      inputs: inputsOf(config),
      cache: contentCache,
      drafts: false,
    },
    new Date(),
  );
}

export async function currentContent(config: Config): Promise<Content> {
  const { site } = await shownContent(config);
  return site.content;
}
