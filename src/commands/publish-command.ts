import type { Config } from '../config.ts';
import { daysAfter, localTime } from '../lib/calendar.ts';
import type { Waiting } from '../lib/exclusively.ts';
import { formatDate } from '../lib/format.ts';
import { messageOf } from '../lib/message-of.ts';
import { paths } from '../lib/paths.ts';
import type { ContentFiles } from '../loading/content-files.ts';
import { ContentError, linesFor } from '../loading/problem.ts';
import { postKindNames, postLabel, postsOf } from '../model/post-kinds.ts';
import { publishable, renderPages } from '../publishing/check-site.ts';
import { storeFailedPublication } from '../publishing/failed-publication.ts';
import { formatRecentMoment } from '../publishing/publication-words.ts';
import {
  maxRevisions,
  type Published,
  publishAgain,
  publishFiles,
  type Revision,
  readPublished,
  readRevision,
} from '../publishing/revisions.ts';
import { loadSite } from '../site/load-site.ts';
import type { Site } from '../site/site.ts';
import { type Command, CommandError, type CommandIo, configOf, note, parseInRussian, print } from './command.ts';
import { contentCache, filesOf, inputsOf, inspect, shownContent } from './content-commands.ts';
import { lostAddresses } from './lost-addresses.ts';

/** More would hide the other output. */
const addressesShown = 20;
const filesShown = 3;
/** Characters of a revision's name, as listed and at least as given. */
const nameShown = 7;
const nameAtLeast = 4;

export const publishCommand: Command = {
  name: 'publish',
  usage: '[--back [НОМЕР]]',
  does:
    'проверяет содержимое и показывает его посетителям, на всех серверах с этим DATA_DIR сразу; --back перечисляет, ' +
    `что публиковали раньше (последние ${maxRevisions}), а с номером или началом имени из этого списка возвращает`,
  async run(args, io) {
    const names = args.includes('--back') && args.length > 1 ? ['НОМЕР'] : [];
    const { values, positionals } = parseInRussian(args, { back: { type: 'boolean' } }, names);
    const config = configOf(io);
    const [which] = positionals;
    if (!values.back) return publish(config, io);
    return which === undefined ? listPublished(config, io) : takeBack(config, which, io);
  },
};

async function publish(config: Config, io: CommandIo): Promise<void> {
  const { files, before, after, pages, problems } = await published(config, io);
  for (const line of linesFor([...problems, ...lostAddresses(before, after)])) note(io, line);
  note(io, `Опубликовано. ${await changed(before, after, io, pages)}`);
  for (const line of comingOut(config, files)) note(io, line);
}

/** A page that waits for its day looks like one that was forgotten. */
function comingOut(config: Config, files: ContentFiles): string[] {
  const at = new Date();
  const options = { inputs: inputsOf(config), at, drafts: true, cache: contentCache };
  const { content } = loadSite(files, options).site;
  const posts = postKindNames.flatMap((kind) =>
    postsOf(content, kind)
      .filter(({ unpublished }) => unpublished === 'scheduled')
      .map((post) => ({ day: post.published, what: `выйдет ${postLabel(kind, post)}` })),
  );
  const prices = content.nextRates ? [{ day: content.nextRates.effective, what: 'начнут действовать новые цены' }] : [];
  const later = [...posts, ...prices].sort((a, b) => (a.day < b.day ? -1 : 1));
  const tomorrow = daysAfter(localTime(at, content.company.workingHours.timeZone).date, 1);
  const lines = later.map(({ day, what }) => `${day === tomorrow ? 'завтра' : formatDate(day)} ${what}`);
  const more = lines.length - addressesShown;
  return more > 0 ? [...lines.slice(0, addressesShown), `и ещё ${more}`] : lines;
}

/** Keeps a failure for `/admin/` and the desk, because this may run where no editor looks. */
async function published(config: Config, io: CommandIo) {
  const folder = paths.published(config.dataDir);
  try {
    const files = filesOf(config);
    const checked = await inspect(config, files);
    const after = publishable(checked);
    const { site: before } = await shownContent(config);
    await store(folder, files, io);
    return { files, before, after, pages: checked.pages, problems: checked.problems };
  } catch (error) {
    storeFailedPublication(folder, error, new Date());
    throw error;
  }
}

async function store(folder: string, files: ContentFiles, io: CommandIo): Promise<void> {
  try {
    await publishFiles(folder, files, new Date(), sayingSo(io));
  } catch (error) {
    if (error instanceof ContentError) throw error;
    const reason = messageOf(error);
    throw new CommandError(
      `В содержимом ошибок нет, но записать его не удалось. Скажите тому, кто ведёт сервер: ${reason}`,
    );
  }
}

function sayingSo(io: CommandIo): Waiting {
  return { onWait: () => note(io, 'Ждём: другая публикация ещё не закончилась.') };
}

async function listPublished(config: Config, io: CommandIo): Promise<void> {
  const folder = paths.published(config.dataDir);
  const { current, revisions } = readPublished(folder);
  if (revisions.length === 0) return note(io, 'Ещё ничего не публиковали, возвращаться не к чему.');
  const { site } = await shownContent(config);
  const { timeZone } = site.content.company.workingHours;
  const moments = revisions.map(({ at }) => formatRecentMoment(at, new Date(), timeZone));
  const width = Math.max(...moments.map(({ length }) => length));
  const read = await Promise.all(revisions.map(({ id }) => readRevision(folder, id)));
  const rows = revisions.map(({ id }, n) => {
    const place = `${id === current ? '*' : ' '}${String(n + 1).padStart(3)}`;
    const files = whatChanged(read[n], read[n + 1]);
    return `${place}  ${id.slice(0, nameShown)}  ${moments[n]?.padEnd(width)}  ${files}`.trimEnd();
  });
  await print(
    io,
    rows.map((row) => `${row}\n`),
  );
  note(io, '* - видят посетители. Вернуть другое: publish --back НОМЕР');
}

/** @param before the revision published before, if it is still known */
function whatChanged(files: ContentFiles | undefined, before: ContentFiles | undefined): string {
  if (files === undefined) return 'повреждено, вернуть нельзя';
  if (before === undefined) return '';
  const names = new Set([...files.keys(), ...before.keys()]);
  const changed = [...names].filter((name) => files.get(name)?.hash !== before.get(name)?.hash);
  const more = changed.length - filesShown;
  return `${changed.slice(0, filesShown).join(', ')}${more > 0 ? ` и ещё ${more}` : ''}`;
}

async function takeBack(config: Config, which: string, io: CommandIo): Promise<void> {
  const folder = paths.published(config.dataDir);
  const list = readPublished(folder);
  const wanted = revisionOf(list, which);
  if (wanted.id === list.current) return note(io, 'Посетители и так это видят.');
  const { site: before } = await shownContent(config);
  const after = await siteOf(config, folder, wanted);
  await publishAgain(folder, wanted.id, sayingSo(io));
  const summary = await changed(before, after, io);
  const { timeZone } = after.content.company.workingHours;
  note(io, `Возвращено то, что опубликовали ${formatRecentMoment(wanted.at, new Date(), timeZone)}. ${summary}`);
  note(io, 'Файлы остались как были: поправьте их, иначе следующая публикация снова покажет то, что в них.');
}

function revisionOf({ revisions }: Published, which: string): Revision {
  if (/^\d{1,2}$/.test(which)) {
    const numbered = revisions[Number(which) - 1];
    if (numbered) return numbered;
  } else if (which.length >= nameAtLeast) {
    const [named, another] = revisions.filter(({ id }) => id.startsWith(which.toLowerCase()));
    if (named && !another) return named;
  }
  throw new CommandError(`В списке нет «${which}». Список покажет publish --back.`);
}

/** @throws {CommandError} if no server could show it */
async function siteOf(config: Config, folder: string, { id }: Revision): Promise<Site> {
  const files = await readRevision(folder, id);
  if (files === undefined) throw new CommandError('Эта публикация повреждена, вернуть её нельзя. Возьмите другую.');
  try {
    return loadSite(files, { inputs: inputsOf(config), at: new Date() }).site;
  } catch (error) {
    if (!(error instanceof ContentError)) throw error;
    const reasons = linesFor(error.problems).join('\n');
    throw new CommandError(`Нынешняя версия сайта эту публикацию показать не может. Возьмите другую.\n${reasons}`);
  }
}

/** Posts also have an address by number. */
function isMain(site: Site, path: string): boolean {
  return site.open(path).head.path === path;
}

/**
 * Prints the addresses.
 *
 * @param pages of `to`
 * @returns how many there are of each kind
 */
async function changed(from: Site, to: Site, io: CommandIo, pages = renderPages(to)): Promise<string> {
  const after = new Map([...pages].filter(([path]) => isMain(to, path)));
  // Sites of one id have the same pages.
  const before = from.id === to.id ? after : new Map([...renderPages(from)].filter(([path]) => isMain(from, path)));
  const addresses = [...new Set([...after.keys(), ...before.keys()])];
  const kinds = [
    { name: 'новая', total: 'новых', has: (path: string) => !before.has(path) },
    { name: 'пропала', total: 'пропало', has: (path: string) => !after.has(path) },
    {
      name: 'изменилась',
      total: 'изменилось',
      has: (path: string) => before.has(path) && after.has(path) && before.get(path)?.html !== after.get(path)?.html,
    },
  ].map(({ has, ...kind }) => ({ ...kind, found: addresses.filter(has) }));
  const lines = kinds.flatMap(({ name, found }) => found.map((path) => `${name} ${path}\n`));
  const more = lines.length - addressesShown;
  await print(io, more > 0 ? [...lines.slice(0, addressesShown), `и ещё ${more}\n`] : lines);
  const totals = kinds.flatMap(({ total, found }) => (found.length > 0 ? `${total} ${found.length}` : []));
  return `Страниц ${to.paths.length}${totals.length > 0 ? `, ${totals.join(', ')}` : ', все прежние'}.`;
}
