import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Config } from '../config.ts';
import { readCode, variantOf, type Workshop } from '../edition/code.ts';
import { failureOf } from '../edition/failure.ts';
import { publishedContent } from '../edition/fitting.ts';
import { openEditions, openShipped } from '../edition/stores.ts';
import { paths } from '../lib/paths.ts';
import type { Content } from '../model/content.ts';
import type { ContentFiles } from '../reading/content-files.ts';
import { readFolder } from '../reading/content-files.ts';
import { linesFor } from '../reading/problem.ts';
import { type EditionStore, openEditionStore, sealStore } from '../store/store.ts';
import { type Command, CommandError, type CommandIo, configOf, count, note, parse, print } from './command.ts';
import { withProgress } from './store.ts';

/** Addresses that a change is shown by; more would hide what else was said. */
const addressesShown = 20;

export const contentCommands: readonly Command[] = [
  {
    name: 'check',
    usage: '[--strict]',
    does: 'checks everything that editors wrote, a line for each problem; errors make it exit with 1, with --strict warnings do too',
    async run(args, io) {
      const { values } = parse(args, { strict: { type: 'boolean' } });
      const { made, problems } = await inspect(configOf(io));
      await print(
        io,
        linesFor(problems).map((line) => `${line}\n`),
      );
      const warnings = problems.filter(({ warning }) => warning).length;
      const errors = problems.length - warnings;
      if (errors > 0 || (values.strict && warnings > 0)) {
        throw new CommandError(`Ошибок: ${errors}, замечаний: ${warnings}.`);
      }
      const pages = made?.index.pages ?? 0;
      note(io, `${warnings > 0 ? `Замечаний: ${warnings}` : 'Всё в порядке'}, страниц: ${pages}.`);
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
      const started = performance.now();
      const { publish, publishBack } = await import('../edition/publish.ts');
      const { consentProblems } = await import('../edition/consent.ts');
      const { edition, changes, problems } = await withEditions(config, async (options) => {
        if (values.back) return { ...(await publishBack(options)), problems: [] };
        return toldToServers(options, async () => {
          const files = readFolder(config.contentDir);
          const published = await publish(files, options);
          const made = published.problems && [...published.problems, ...consentProblems(files, options.store)];
          return { ...published, problems: made ?? (await inspect(config, files)).problems };
        });
      });
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      const changed = Object.entries(changes).flatMap(([how, paths]) => paths.map((path) => `${how} ${path}`));
      await print(io, [...changed.slice(0, addressesShown), ''].join('\n').split(/(?<=\n)/));
      if (changed.length > addressesShown) note(io, `and ${changed.length - addressesShown} more.`);
      for (const line of linesFor(problems)) note(io, line);
      const pages = count(edition.pages, 'page');
      note(io, `Edition ${edition.id} is published, ${pages} of which ${changed.length} differ, in ${seconds} s.`);
    },
  },
  {
    name: 'renew',
    usage: '[--repair]',
    does:
      'makes the edition of the published content for this version of the program and this day, which servers have done ' +
      'by themselves; --repair looks for what is damaged and makes it again',
    async run(args, io) {
      const { values } = parse(args, { repair: { type: 'boolean', default: false } });
      const { renew } = await import('../edition/publish.ts');
      const { until } = await withEditions(configOf(io), (options) => renew({ ...options, repair: values.repair }));
      note(io, until === null ? 'The edition is of the present.' : `The edition holds until ${until}.`);
    },
  },
  {
    name: 'polish',
    usage: '',
    does: 'makes pages as small as can be, and pictures that nobody has asked for yet; servers have it done by themselves',
    async run(args, io) {
      parse(args, {});
      const config = configOf(io);
      const editions = openEditions(config.dataDir, 'make');
      try {
        await finish(editions, workshopOf(config), io);
      } finally {
        editions.close();
      }
    },
  },
  {
    name: 'picture',
    usage: 'PATH',
    does: 'makes one picture of the published edition, which servers have done when somebody asks for it before its turn',
    async run(args, io) {
      const [path] = parse(args, {}, ['PATH']).positionals;
      const { entriesOf } = await import('../edition/edition-index.ts');
      const { makePicture } = await import('../edition/polish.ts');
      const { currentEdition } = await import('../edition/fitting.ts');
      await withEditions(configOf(io), async ({ store, workshop, at }) => {
        const index = currentEdition(store, variantOf(workshop), at)?.index;
        const entry = index && entriesOf(index, store).find((one) => one.path === path);
        if (!entry?.recipe) throw new CommandError(`No picture is at ${path}.`);
        await makePicture(entry.hash, store);
      });
    },
  },
  {
    name: 'ship',
    usage: 'FILE',
    does: 'makes the edition of the content, with all of its pictures, as a file that ships with the program',
    async run(args, io) {
      const [name = ''] = parse(args, {}, ['FILE']).positionals;
      const config = configOf(io);
      const started = performance.now();
      const { publish } = await import('../edition/publish.ts');
      const file = resolve(name);
      mkdirSync(dirname(file), { recursive: true });
      if (existsSync(file) && openShipped(file) === undefined) rmSync(file);
      const store = openEditionStore(file, { for: 'make' });
      const workshop = workshopOf(config);
      try {
        const { edition } = await publish(readFolder(config.contentDir), { store, workshop, at: new Date() });
        await finish(store, workshop, io);
        const seconds = ((performance.now() - started) / 1000).toFixed(1);
        note(io, `Edition ${edition.id} made in ${seconds} s: ${file}`);
      } finally {
        store.close();
        sealStore(file);
      }
    },
  },
];

/** Makes the best of the published edition, and removes what no edition needs any more. */
async function finish(store: EditionStore, workshop: Workshop, io: CommandIo): Promise<void> {
  const [{ polish, unpolished }, { prune }, { currentEdition, polishedNote }] = await Promise.all([
    import('../edition/polish.ts'),
    import('../edition/prune.ts'),
    import('../edition/fitting.ts'),
  ]);
  const variant = variantOf(workshop);
  const current = currentEdition(store, variant, new Date());
  if (current === undefined) throw new CommandError('There is no edition yet; "publish" makes one.');
  await withProgress(io, (progress) => polish(unpolished(current.index, store), store, progress));
  prune(store, variant, new Date());
  store.setNote(polishedNote(current.row.root), new Date().toISOString());
}

type EditionOptions = { store: EditionStore; workshop: Workshop; at: Date };

/** Works on the store of `DATA_DIR`. */
async function withEditions<T>(config: Config, work: (options: EditionOptions) => Promise<T>): Promise<T> {
  const store = openEditions(config.dataDir, 'make');
  try {
    return await work({ store, workshop: workshopOf(config), at: new Date() });
  } finally {
    store.close();
  }
}

/** Tells every server why the newest content is not what visitors see. */
async function toldToServers<T>({ store, at }: EditionOptions, publishing: () => Promise<T>): Promise<T> {
  try {
    return await publishing();
  } catch (error) {
    store.setNote('failure', JSON.stringify(failureOf(error, at)));
    throw error;
  }
}

/** What comes of the content, in memory, with what shipped to be spared most of the work. */
export async function inspect(config: Config, files: ContentFiles = readFolder(config.contentDir)) {
  const [{ inspectContent }, { consentProblems }] = await Promise.all([
    import('../edition/make.ts'),
    import('../edition/consent.ts'),
  ]);
  const shipped = openShipped();
  const store = openEditionStore(':memory:', { for: 'make' }, shipped);
  const { made, problems } = await inspectContent({ files, workshop: workshopOf(config), store, at: new Date() });
  const own = openPublished(config, shipped);
  const ofConsent = own ? consentProblems(files, own) : [];
  own?.close();
  return { made, problems: [...problems, ...ofConsent] };
}

/** The store of `DATA_DIR`, if there is one that can be read. */
function openPublished({ dataDir }: Config, shipped: EditionStore | undefined): EditionStore | undefined {
  const file = paths.ownEditions(dataDir);
  try {
    return existsSync(file) ? openEditionStore(file, { for: 'serve' }, shipped) : undefined;
  } catch {
    // "doctor" says what is wrong with it.
    return undefined;
  }
}

export function workshopOf({ siteUrl, integrations }: Config): Workshop {
  return { code: readCode(paths.code), publicDir: paths.public, siteUrl, integrations };
}

/** What the server says that runs now. */
export function currentContent(config: Config): Content {
  const editions = openEditions(config.dataDir, 'serve');
  try {
    const content = publishedContent(editions, variantOf(workshopOf(config)), new Date());
    if (content === undefined) throw new CommandError('Nothing was published yet; "publish" the content first.');
    return content;
  } finally {
    editions.close();
  }
}
