import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { type Logger, pino } from 'pino';
import { type Config, loadConfig } from './config.ts';
import { createCache } from './lib/cache.ts';
import { trust } from './lib/http-client.ts';
import { paths } from './lib/paths.ts';
import { readAssets } from './loading/assets.ts';
import { ContentError, linesFor } from './loading/problem.ts';
import { jobs } from './publishing/jobs.ts';
import { type Current, readSite, type SourceOptions } from './publishing/read-site.ts';
import { followContent } from './publishing/watch-revisions.ts';
import { serializeError } from './serialize-error.ts';
import { startServer } from './server.ts';
import { readCode } from './site/compiled-code.ts';

// On a large machine, V8 otherwise keeps the garbage of several sites: 400 MB instead of 200 after some publications.
// `--optimize-for-size` would save 40 MB more, and make a page a third slower.
setFlagsFromString('--semi-space-growth-factor=1');
setFlagsFromString('--heap-growing-percent=50');

// V8 gives objects the space that the first seven of a kind need. If it collects garbage between two of these, it may give
// too little: then each request and response is a hash table until the process ends, and a page takes three times as long.
for (let made = 0; made < 8; made++) new ServerResponse(new IncomingMessage(new Socket()));

/** `--drafts` shows them, marked, for `npm run dev`. */
const { values: options } = parseArgs({ options: { drafts: { type: 'boolean', default: false } } });

/** Characters. */
const maxUnwrittenLog = 1_000_000;

async function serve(): Promise<void> {
  const config = loadConfig(process.env);
  const logger = createLogger(config);
  process.on('uncaughtException', (error, origin) => {
    logger.fatal({ err: error, origin }, 'uncaught exception; exiting');
    process.exit(1);
  });
  // Only the work that rejected has ended.
  process.on('unhandledRejection', (error) => logger.error({ err: error }, 'unhandled rejection'));
  for (const text of [...config.unread, ...config.doubtful]) logger.warn(text);

  trust(config.trustedCa);
  const source = sourceOf(config);
  const first = await readFirst(source);
  const { sample } = first.site.content;
  if (sample.length > 0) {
    logger.warn(
      { sample },
      'parts of the content are still the shipped sample; edit them, and remove them from "sample" in company.yaml',
    );
  }
  const folders = paths.pictures(config.dataDir);
  const server = await startServer({
    config,
    site: first.site,
    published: options.drafts ? undefined : source.published,
    pictureFolders: folders,
    logger,
  });
  const stopping = new AbortController();
  const stopFollowing = followContent({
    source,
    first,
    watch: config.contentWatch && !options.drafts,
    folders,
    run: jobs(stopping.signal),
    onSite: server.show,
    onOutdated: server.outdated,
    logger,
  });

  async function stop(signal: string): Promise<void> {
    if (stopping.signal.aborted) return;
    logger.info({ signal }, 'draining');
    const unfollowed = stopFollowing();
    stopping.abort();
    try {
      await Promise.all([unfollowed, server.stop()]);
      logger.info('stopped');
    } catch (error) {
      logger.error({ err: error }, 'stopped with work that failed');
    }
    // A pending DNS lookup would delay the exit.
    process.exit();
  }
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

function createLogger({ logLevel: level }: Config): Logger {
  // Without `sync`, lines that are being written when the process ends come after its last one.
  const output = pino.destination({ sync: true, maxLength: maxUnwrittenLog });
  // On a full disk. Lines are written once there is space.
  output.on('error', () => {});
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: serializeError } },
    output,
  );
}

function sourceOf({ dataDir, contentDir, siteUrl, integrations, retention }: Config): SourceOptions {
  return {
    published: paths.published(dataDir),
    contentDir,
    inputs: { code: readCode(paths.code), assets: readAssets(paths.public), siteUrl, integrations, retention },
    cache: createCache(),
    drafts: options.drafts,
  };
}

/** @throws in English, because it stops an upgrade, which the operator reads and not the editor */
async function readFirst(source: SourceOptions): Promise<Current> {
  try {
    return await readSite(source, new Date());
  } catch (error) {
    if (!(error instanceof ContentError) || source.drafts) throw error;
    const wrong = error.problems.filter(({ warning }) => !warning);
    const absent = wrong.flatMap(({ file, missing }) => (missing ? file : []));
    const lacks =
      absent.length > 0 ? `lacks ${absent.join(', ')}, which this release needs` : 'cannot be shown by this release';
    throw new Error(
      `CONTENT_DIR: ${source.contentDir} ${lacks}; correct it by the example of src/content, and start again. ` +
        `A server that runs keeps serving meanwhile.\n${linesFor(wrong).join('\n')}`,
    );
  }
}

export async function main(): Promise<void> {
  try {
    await serve();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}\n`);
    process.exit(1);
  }
}
