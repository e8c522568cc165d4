import { existsSync, statfsSync } from 'node:fs';
import { probeRedis } from '../../http/shared-limits.ts';
import type { Channel, Notification } from '../../leads/channels/channel.ts';
import { channelNames, channels } from '../../leads/channels/configured.ts';
import { forgotten, type Lead } from '../../leads/store/lead.ts';
import { databasePath, movedPath, openDatabase } from '../../leads/store/sqlite.ts';
import { paths } from '../../lib/paths.ts';
import { printable, table } from '../../lib/table.ts';
import type { Content } from '../../model/content.ts';
import { readFolder, revisionOf } from '../../reading/content-files.ts';
import { publishable } from '../../site/check.ts';
import { loadSite } from '../../site/load.ts';
import { missingPictures } from '../../site/pictures.ts';
import { readPublished, readRevision } from '../../site/revisions.ts';
import type { Config } from '../config.ts';
import { type Command, CommandError, type CommandIo, configOf, count, parse, print, withLeads } from './command.ts';
import { inputsOf, inspect } from './content.ts';

/** What was found about one thing. `warn`: it works, and the operator should know. */
type Diagnosis = { about: string; verdict: 'ok' | 'warn' | 'fail'; text: string };

/** Bytes of free space below which the operator should know, and below which leads are in danger. */
const freeSpace = { warn: 1024 ** 3, fail: 100 * 1024 ** 2 };
const sendTimeoutMs = 10_000;

export const doctorCommand: Command = {
  name: 'doctor',
  usage: '[--no-send]',
  does: 'looks whether everything is in order; sends a test message through every channel unless told not to',
  async run(args, io) {
    const { values } = parse(args, { 'no-send': { type: 'boolean' } });
    let failed = 0;
    for await (const diagnosis of examine(io, { send: !values['no-send'] })) {
      if (diagnosis.verdict === 'fail') failed += 1;
      await print(io, [line(diagnosis)]);
    }
    if (failed > 0) throw new CommandError(`${count(failed, 'thing')} must be mended.`);
  },
};

function line({ verdict, about, text }: Diagnosis): string {
  const [first = '', ...more] = text.trim().split('\n').map(printable);
  return table([[verdict.padEnd(4), about.padEnd(13), first], ...more.map((rest) => ['', '', rest])]);
}

async function* examine(io: CommandIo, { send }: { send: boolean }): AsyncGenerator<Diagnosis> {
  let config: Config;
  try {
    config = configOf(io);
  } catch (error) {
    yield fail('configuration', error);
    return;
  }
  if (URL.parse(config.siteUrl)?.hostname === 'localhost') {
    yield warn('configuration', `SITE_URL is ${config.siteUrl}: links in messages lead nowhere for anybody else`);
  }
  yield* store(io, config);
  yield* limits(config);
  const { content, diagnoses } = await examineContent(config);
  yield* diagnoses;
  yield* examinePublished(config);
  yield* telling(config, content, send);
}

async function* store(io: CommandIo, config: Config): AsyncGenerator<Diagnosis> {
  const { dataDir, databaseUrl } = config;
  const used = existsSync(databasePath(dataDir)) || existsSync(movedPath(dataDir));
  if (!databaseUrl && !used) {
    yield warn('store', `no server has run with DATA_DIR=${dataDir} yet; the first start makes a database there`);
    return;
  }
  try {
    const path = databasePath(dataDir);
    await withLeads(io, ({ leads }) => leads.probe());
    yield ok('store', `leads can be stored in ${databaseUrl ? 'PostgreSQL' : path}`);
    if (!databaseUrl) {
      yield integrity(dataDir);
      yield space(dataDir);
    } else if (existsSync(path)) {
      yield warn(
        'store',
        `${path} is not used, because DATABASE_URL is set; it holds personal data: delete it in time`,
      );
    }
  } catch (error) {
    yield fail('store', error);
  }
}

function integrity(dataDir: string): Diagnosis {
  const database = openDatabase(dataDir);
  try {
    const found = database.connection.prepare('PRAGMA integrity_check(1)').get()?.integrity_check;
    if (found === 'ok') return ok('store', 'the database is whole');
    return fail('store', `the database is damaged; stop the server, keep the file, restore a backup: ${found}`);
  } finally {
    database.close();
  }
}

function space(dataDir: string): Diagnosis {
  const { bavail, bsize } = statfsSync(dataDir);
  const free = bavail * bsize;
  const text = `${Math.floor(free / 1024 ** 2)} MB are free on the disk of ${dataDir}`;
  const verdict = free < freeSpace.fail ? 'fail' : free < freeSpace.warn ? 'warn' : 'ok';
  return { about: 'store', verdict, text };
}

/** Without Redis each process counts for itself, so limits are looser. */
async function* limits({ redisUrl }: Config): AsyncGenerator<Diagnosis> {
  if (!redisUrl) return;
  try {
    await probeRedis(redisUrl);
    yield ok('limits', 'Redis counts requests');
  } catch (error) {
    yield fail('limits', `Redis cannot be used: ${Error.isError(error) ? error.message : error}`);
  }
}

async function examineContent(config: Config): Promise<{ content: Content | undefined; diagnoses: Diagnosis[] }> {
  try {
    const { content, paths } = publishable(await inspect(config));
    const diagnoses = [ok('content', `nothing to mend on ${paths.length} pages`)];
    if (content.company.demo) {
      diagnoses.push(warn('content', 'the company facts are invented; edit company.yaml and set demo to false'));
    }
    return { content, diagnoses };
  } catch (error) {
    return { content: undefined, diagnoses: [fail('content', error)] };
  }
}

/** What was published, and whether visitors see it. */
async function* examinePublished(config: Config): AsyncGenerator<Diagnosis> {
  const { dataDir, contentDir } = config;
  const folder = paths.published(dataDir);
  const { current, revisions } = readPublished(folder);
  if (current === null) {
    const shown = `visitors see ${contentDir} as it was when the server started`;
    yield warn('published', `nothing was published with DATA_DIR=${dataDir} yet; ${shown}`);
    return;
  }
  const at = revisions.find(({ id }) => id === current)?.at;
  const files = await readRevision(folder, current);
  if (files === undefined) {
    yield fail('published', `${folder}/${current} is damaged, and what was published before is shown; "publish" again`);
    return;
  }
  try {
    const { site } = await loadSite(files, { inputs: inputsOf(config), at: new Date() });
    yield ok('published', `${current}, published at ${at}`);
    const pictures = [...site.pictures()];
    const missing = missingPictures(pictures, paths.pictures(dataDir)).length;
    if (missing > 0)
      yield warn('pictures', `${missing} of ${pictures.length} are still to be encoded; "pictures" does`);
  } catch (error) {
    yield fail('published', error);
  }
  if (revisionOf(readFolder(contentDir)) !== current) {
    yield warn('published', `${contentDir} has changed since ${at}; "publish" makes it what visitors see`);
  }
}

async function* telling(config: Config, content: Content | undefined, send: boolean): AsyncGenerator<Diagnosis> {
  const names = channelNames(config.channels);
  if (names.length === 0) {
    yield warn('channels', 'none is configured, so nobody is told of leads; see them with "leads list"');
    return;
  }
  if (!send || content === undefined) {
    yield ok('channels', `${names.join(', ')}: nothing was sent`);
    return;
  }
  const { name, workingHours } = content.company;
  const site = { name, url: config.siteUrl, timeZone: workingHours.timeZone };
  // All at once: several that hang take no longer than one.
  const sent = channels(config.channels, site).map((channel) => test(channel, testMessage(config.siteUrl)));
  for (const diagnosis of sent) yield await diagnosis;
}

async function test(channel: Channel, message: Notification): Promise<Diagnosis> {
  const about = 'channels';
  const signal = AbortSignal.timeout(sendTimeoutMs);
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('no answer within 10 s')));
  });
  try {
    await Promise.race([channel.deliver([message], signal), late]);
    return ok(about, `${channel.name} has taken a test message`);
  } catch (error) {
    return fail(about, `${channel.name}: ${Error.isError(error) ? error.message : error}`);
  }
}

function testMessage(siteUrl: string): Notification {
  const now = new Date().toISOString();
  const lead: Lead = {
    ...forgotten,
    number: 0,
    receipt: '',
    state: 'new',
    receivedAt: now,
    takenAt: null,
    takenBy: null,
    notes: [],
    preset: 'request',
    name: 'Проверка связи',
    phone: '+70000000000',
    message: 'Это проверка: звонить никому не нужно.',
    page: '/',
    consent: '',
  };
  const deliveryId = `msg_test_${Date.parse(now)}`;
  return { deliveryId, reason: 'test', lead, presetTitle: 'Проверка', takeUrl: `${siteUrl}/` };
}

function ok(about: string, text: string): Diagnosis {
  return { about, verdict: 'ok', text };
}

function warn(about: string, text: string): Diagnosis {
  return { about, verdict: 'warn', text };
}

function fail(about: string, error: unknown): Diagnosis {
  return { about, verdict: 'fail', text: Error.isError(error) ? error.message : String(error) };
}
