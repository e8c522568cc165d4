import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { loadConfig } from './config.ts';
import { readCode, variantOf } from './edition/code.ts';
import { errands, pictureMaker } from './edition/errands.ts';
import { firstEdition } from './edition/first.ts';
import { followEditions } from './edition/follow.ts';
import { openEditions } from './edition/stores.ts';
import { stateOf, watchFolder } from './edition/watch.ts';
import { paths } from './lib/paths.ts';
import { startServer } from './server.ts';

/** What the process can be told besides its environment: to publish the content when it starts. */
const { values: told } = parseArgs({ options: { publish: { type: 'boolean', default: false } } });

async function serve(): Promise<void> {
  const config = loadConfig(process.env, paths.content);
  const { siteUrl, dataDir, contentDir, integrations } = config;
  const logger = pino({ level: config.logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime });
  process.on('uncaughtException', (error, origin) => {
    logger.fatal({ err: error, origin }, 'nobody has caught this; the process ends');
    process.exit(1);
  });
  const code = readCode(paths.code);
  const workshop = { code, publicDir: paths.public, siteUrl, integrations };
  const stopping = new AbortController();
  const errand = errands(stopping.signal);
  const editions = openEditions(dataDir, 'serve', logger);
  // What is saved from here on, before anybody watches, is published, too.
  const state = config.contentWatch ? await stateOf(contentDir) : undefined;
  const first = await firstEdition({ editions, workshop, contentDir, publish: told.publish, errand, logger });
  if (first.edition.demo) {
    logger.warn('the company facts are the invented ones that ship; edit company.yaml and set demo to false');
  }
  const makePicture = pictureMaker((path) =>
    errand('picture', path).catch((error) => logger.error({ err: error }, 'a picture cannot be made')),
  );
  const server = await startServer({ config, code, edition: first.edition, makePicture, logger });
  const following = followEditions({
    store: editions,
    variant: variantOf(workshop),
    first,
    errand,
    onEdition: server.show,
    onProblems: server.contentProblems,
    onOutdated: server.outdated,
    logger,
  });
  const watching = state === undefined ? undefined : watchFolder(contentDir, state, following.publish);

  let stopped = false;
  const stop = async (signal: string) => {
    if (stopped) return;
    stopped = true;
    logger.info({ signal }, 'draining');
    const unfollowed = following.stop();
    stopping.abort();
    await Promise.all([unfollowed, watching?.stop()]);
    await server.stop();
    editions.close();
    logger.info('stopped');
    // A name that is still being looked up must not hold up the end.
    process.exit();
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

export async function main(): Promise<void> {
  try {
    await serve();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}\n`);
    process.exit(1);
  }
}
