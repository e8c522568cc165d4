import { once } from 'node:events';
import { accessSync, constants, existsSync } from 'node:fs';
import { isIP } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { connect } from 'node:tls';
import type { Config } from '../config.ts';
import { probeRedis } from '../http/shared-limits.ts';
import type { Channel } from '../leads/channels/channel.ts';
import { channelNames, channels, type LookUp, lookUps, unnamedChannels } from '../leads/channels/configured.ts';
import type { Notification } from '../leads/messages/notification.ts';
import { backedUpAt } from '../leads/store/backup.ts';
import type { OpenDeliveries } from '../leads/store/deliveries.ts';
import { unstoredLead } from '../leads/store/lead.ts';
import type { Sql } from '../leads/store/sql.ts';
import { databasePath, isWritableByOthers, openFiles } from '../leads/store/sqlite.ts';
import { dayMs, hourMs, minuteMs } from '../lib/durations.ts';
import { freeBytes } from '../lib/files.ts';
import { messageOf } from '../lib/message-of.ts';
import { paths } from '../lib/paths.ts';
import { userName } from '../lib/user-name.ts';
import { within } from '../lib/within.ts';
import { readFolder, revisionOf } from '../loading/content-files.ts';
import { publishable } from '../publishing/check-site.ts';
import { readPublished, readRevision } from '../publishing/revisions.ts';
import { loadSite } from '../site/load-site.ts';
import { missingPictures } from '../site/site-pictures.ts';
import { type Command, configOf, count, parse, print, printable, withStore } from './command.ts';
import { inputsOf, inspect } from './content-commands.ts';

/** `warn`: it works, but the operator should know. */
type Finding = { verdict: 'ok' | 'warn' | 'fail'; text: string };

const ok = (text: string): Finding => ({ verdict: 'ok', text });
const warn = (text: string): Finding => ({ verdict: 'warn', text });
const fail = (text: string): Finding => ({ verdict: 'fail', text });

type Examined = { config: Config; send: boolean };

/** Bytes of free space below which leads are at risk, and those of `KorobDiskFills`. */
const minFreeBytes = 200e6;
const fewFreeBytes = 1e9;
/** A nightly backup may start late; two nights without one are a fault. */
const maxBackupAgeMs = 36 * hourMs;
/** A message that waits for longer is a fault of its channel, or of the server. */
const maxWaitMs = 10 * minuteMs;
const sendTimeoutMs = 10_000;
const askTimeoutMs = 5_000;

export const doctorCommand: Command = {
  name: 'doctor',
  usage: '[--no-send]',
  does: 'checks configuration, server, store, backup, channels and content; sends a test message to every channel unless --no-send is given',
  async run(args, io) {
    const { values } = parse(args, { 'no-send': { type: 'boolean' } });
    const examined = { config: configOf(io), send: !values['no-send'] };
    let failed = 0;
    for (const [about, examine] of Object.entries(examinations)) {
      for await (const { verdict, text } of toItsEnd(examine(examined))) {
        if (verdict === 'fail') failed += 1;
        const lines = text.trim().split('\n').map(printable);
        await print(io, [`${verdict.padEnd(6)}${about.padEnd(15)}${lines.join(`\n${' '.repeat(21)}`)}\n`]);
      }
    }
    if (failed > 0) throw new Error(`${count(failed, 'check')} failed.`);
  },
};

type Examination = (examined: Examined) => AsyncGenerator<Finding>;

const examinations: Readonly<Record<string, Examination>> = {
  configuration: examineConfiguration,
  server: examineServer,
  certificate: examineCertificate,
  store: examineStore,
  backup: examineBackup,
  access: examineAccess,
  limits: examineLimits,
  content: examineContent,
  published: examinePublished,
  channels: examineChannels,
};

/** One failure must not stop the other checks. */
async function* toItsEnd(findings: AsyncGenerator<Finding>): AsyncGenerator<Finding> {
  try {
    yield* findings;
  } catch (error) {
    yield fail(messageOf(error));
  }
}

async function* examineConfiguration({
  config: { siteUrl, trustProxy, unread, doubtful },
}: Examined): AsyncGenerator<Finding> {
  yield* unread.map(fail);
  yield* doubtful.map(warn);
  if (isLocal(siteUrl)) yield warn(`SITE_URL is ${siteUrl}: links in messages work only on this machine`);
  if (trustProxy === 0 && siteUrl.startsWith('https:')) {
    const remedy = 'set it to the number of proxies, 1 behind nginx';
    yield warn(`TRUST_PROXY: 0, but SITE_URL is https, which a proxy speaks; ${remedy}, so limits count each visitor`);
  }
}

function isLocal(siteUrl: string): boolean {
  return new URL(siteUrl).hostname === 'localhost';
}

/** Asks the process itself, and then as visitors do, by nginx. */
async function* examineServer({ config: { siteUrl, host, port } }: Examined): AsyncGenerator<Finding> {
  const own = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host;
  const ownOrigin = `http://${own.includes(':') ? `[${own}]` : own}:${port}`;
  const asked = await ask(ownOrigin, 'start it, or set PORT and HOST to its own');
  yield asked.finding;
  if (isLocal(siteUrl)) return;
  const visited = await ask(siteUrl, 'look at SITE_URL, the name, nginx and the certificate');
  yield compared(siteUrl, asked, visited);
}

/** @param build that the server names; a proxy passes it on */
type Asked = { finding: Finding; build?: string | undefined };

/** A redirect is not followed: the address would work, and is not the one that pages, feeds and messages name. */
async function ask(origin: string, remedy: string): Promise<Asked> {
  try {
    const options = { redirect: 'manual', signal: AbortSignal.timeout(askTimeoutMs) } as const;
    const { status, headers } = await fetch(`${origin}/healthz`, options);
    const [, build] = /build;desc=(\w+)/.exec(headers.get('server-timing') ?? '') ?? [];
    if (status === 200) return { finding: ok(`a server answers on ${origin}`), build };
    const to = URL.parse(headers.get('location') ?? '', origin)?.origin;
    if (status >= 300 && status < 400 && to !== undefined && to !== origin) {
      return { finding: fail(`${origin} redirects to ${to}; set SITE_URL to the address that visitors end at`) };
    }
    return { finding: fail(`no server of this site answers on ${origin}; ${remedy}: /healthz answers ${status}`) };
  } catch (error) {
    // The cause has the system's reason.
    const { message, cause } = error as Error;
    const reason = Error.isError(cause) ? cause.message : message;
    return { finding: fail(`no server answers on ${origin}; ${remedy}: ${reason}`) };
  }
}

/** A build id names the content, the code and the address, so replicas agree. */
function compared(siteUrl: string, own: Asked, visited: Asked): Finding {
  if (own.build === undefined || visited.finding.verdict !== 'ok' || visited.build === own.build)
    return visited.finding;
  if (visited.build === undefined) {
    return fail(`no server of this site answers on ${siteUrl}, but another does; look at SITE_URL and the name`);
  }
  const remedy = 'look at SITE_URL, the name and nginx, or wait while an update spreads';
  return warn(`another server, or another version of this one, answers on ${siteUrl}; ${remedy}`);
}

/** Certbot and nginx renew 30 days before the end, so fewer than this mean that renewal fails. */
const certificateWarnDays = 21;
const certificateFailDays = 3;

/** Whether visitors' browsers trust it is found by asking the public address. */
async function* examineCertificate({ config: { siteUrl } }: Examined): AsyncGenerator<Finding> {
  const { protocol, hostname, port } = new URL(siteUrl);
  if (protocol !== 'https:') return;
  const until = await certificateEnd(hostname.replace(/^\[|\]$/g, ''), Number(port || 443));
  const days = Math.floor((until.getTime() - Date.now()) / dayMs);
  const date = until.toISOString().slice(0, 'yyyy-mm-dd'.length);
  const text = `expires in ${count(days, 'day')}, on ${date}`;
  if (days >= certificateWarnDays) return yield ok(text);
  const remedy = 'see why it is not renewed: "certbot renew", or the log of nginx in the container';
  const finding = `${days < 0 ? `expired on ${date}` : text}; ${remedy}`;
  yield days < certificateFailDays ? fail(finding) : warn(finding);
}

async function certificateEnd(host: string, port: number): Promise<Date> {
  // One that is out of date or of another name is looked at as well; nothing is sent.
  const socket = connect({ host, port, servername: isIP(host) ? '' : host, rejectUnauthorized: false });
  try {
    const signal = AbortSignal.timeout(askTimeoutMs);
    await once(socket, 'secureConnect', { signal });
    return new Date(socket.getPeerCertificate().valid_to);
  } catch (error) {
    throw new Error(`none could be read at ${host}:${port}: ${(error as Error).message}`);
  } finally {
    socket.destroy();
  }
}

/** @throws for another user, to whom all that is in the folder would seem to be missing */
function requireAccess(dataDir: string): void {
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return;
    throw new Error(`DATA_DIR: ${userName()} may not use ${dataDir} (${code}); run this as the user of the server`);
  }
}

async function* examineStore({ config }: Examined): AsyncGenerator<Finding> {
  const { dataDir, databaseUrl } = config;
  if (!databaseUrl) requireAccess(dataDir);
  const path = databasePath(dataDir);
  if (!databaseUrl && !existsSync(path)) {
    yield warn(`no server has run with DATA_DIR=${dataDir} yet; the first start makes a database there`);
    return;
  }
  if (databaseUrl && existsSync(path)) yield leftIn(path);
  const open = await withStore(config, async ({ sql, leads, deliveries }) => {
    if (!databaseUrl) await requireWhole(sql);
    await leads.probe();
    return deliveries.open();
  });
  if (!databaseUrl) yield ok('the database is whole');
  yield ok(`leads can be stored in ${databaseUrl ? 'PostgreSQL' : path}`);
  yield* undelivered(open, channelNames(config.channels));
  if (!databaseUrl) yield space(dataDir);
}

/** A server with a `DATABASE_URL` does not look into this file. */
function leftIn(path: string): Finding {
  using database = new DatabaseSync(path, { readOnly: true });
  const leads = Number(database.prepare('SELECT count(*) AS n FROM lead').get()?.n);
  if (leads === 0) return warn(`${path} is not used, because DATABASE_URL is set, and holds no lead: delete it`);
  const they = `${count(leads, 'lead')} that nobody sees, because DATABASE_URL is set`;
  return fail(`${path} holds ${they}; without it, "leads export" lists them`);
}

function* undelivered(open: readonly OpenDeliveries[], configured: readonly string[]): Generator<Finding> {
  for (const one of open) {
    const { channel, waiting, givenUp } = one;
    const isConfigured = configured.includes(channel);
    if (waiting > 0) yield delayed(one, isConfigured);
    if (givenUp === 0) continue;
    const command = `"leads resend --channel ${channel}" sends those of new leads again`;
    const remedy = isConfigured ? command : `once the channel is configured again, ${command}`;
    yield warn(`${messages(givenUp, channel)} given up: the desk has the leads; ${remedy}`);
  }
}

function delayed({ channel, waiting, waitingSince, error }: OpenDeliveries, isConfigured: boolean): Finding {
  const text = messages(waiting, channel);
  if (!isConfigured) {
    return warn(`${text} waiting, but the channel is not configured; within an hour, a server gives up such messages`);
  }
  if (waitingSince === null || Date.now() - Date.parse(waitingSince) < maxWaitMs) return warn(`${text} on the way`);
  const reason = error ?? 'no attempt has ended yet';
  return fail(`${text} waiting, the oldest since ${waitingSince} and until three days have passed: ${reason}`);
}

function messages(number: number, channel: string): string {
  return `${count(number, 'message')} for ${channel}`;
}

/** What leads need may be whole while other pages are damaged. */
async function requireWhole({ query }: Sql): Promise<void> {
  const [found] = await query<{ integrity_check: string }>('PRAGMA integrity_check(1)');
  if (found?.integrity_check === 'ok') return;
  const remedy = 'stop the server, keep the file, restore a backup';
  throw new Error(`the database is damaged; ${remedy}: ${found?.integrity_check}`);
}

function space(dataDir: string): Finding {
  const free = freeBytes(dataDir);
  const text = `${Math.floor(free / 1e6)} MB are free on the disk of ${dataDir}`;
  if (free < minFreeBytes) return fail(text);
  return free < fewFreeBytes ? warn(text) : ok(text);
}

/** PostgreSQL is copied by its own tools, which this does not see. */
async function* examineBackup({ config: { dataDir, databaseUrl } }: Examined): AsyncGenerator<Finding> {
  if (databaseUrl || !existsSync(databasePath(dataDir))) return;
  const at = backedUpAt(dataDir);
  const remedy = 'look at korob-backup.timer or the job of cron, and see README.md of scripts/deploy';
  if (at === undefined) return yield warn(`no backup was made with DATA_DIR=${dataDir} yet; ${remedy}`);
  const age = Date.now() - at.getTime();
  const text = `the newest backup is ${count(Math.floor(age / hourMs), 'hour')} old`;
  yield age > maxBackupAgeMs ? warn(`${text}; ${remedy}`) : ok(text);
}

/** Opening the database closes its files to others where that can be done. */
async function* examineAccess({ config: { dataDir } }: Examined): AsyncGenerator<Finding> {
  if (!existsSync(databasePath(dataDir))) return;
  for (const path of openFiles(dataDir)) {
    yield warn(`other users of this machine may open ${path}, which holds personal data; "chmod go= ${path}"`);
  }
  if (isWritableByOthers(dataDir)) {
    yield warn(`other users of this machine may write into ${dataDir}, which holds personal data; use another folder`);
  }
}

/** Without Redis, each process counts for itself, so limits are looser. */
async function* examineLimits({ config: { redisUrl } }: Examined): AsyncGenerator<Finding> {
  if (!redisUrl) return;
  await probeRedis(redisUrl);
  yield ok('Redis counts requests');
}

async function* examineContent({ config }: Examined): AsyncGenerator<Finding> {
  const { content, paths } = publishable(await inspect(config));
  yield ok(`no errors on ${paths.length} pages`);
  const { sample } = content;
  if (sample.length > 0) {
    const remedy = 'edit them, and remove them from "sample" in company.yaml';
    yield warn(`these are still the shipped sample: ${sample.join(', ')}; ${remedy}`);
  }
  const unnamed = unnamedChannels(content.legal.policy.body.text, channelsOf(config));
  if (unnamed.length > 0) {
    const remedy = 'name the recipients there and in consent.md, or remove the channels';
    yield warn(`legal/policy.md does not say that leads go to ${unnamed.join(', ')}; ${remedy}`);
  }
}

/** Checks that visitors see what was published. */
async function* examinePublished({ config }: Examined): AsyncGenerator<Finding> {
  const { dataDir, contentDir } = config;
  requireAccess(dataDir);
  const folder = paths.published(dataDir);
  const { current, revisions, damaged } = readPublished(folder);
  if (damaged)
    yield fail(`the list in ${folder} is damaged, and the newest content that is whole is shown; "publish" again`);
  if (current === null) {
    const shown = `visitors see the ${contentDir} that the server read at its start`;
    yield warn(`nothing was published with DATA_DIR=${dataDir} yet; ${shown}`);
    return;
  }
  const files = await readRevision(folder, current);
  if (files === undefined) {
    yield fail(`${folder}/${current} is damaged, and what was published before is shown; "publish" again`);
    return;
  }
  const { site } = loadSite(files, { inputs: inputsOf(config), at: new Date() });
  const at = revisions.find(({ id }) => id === current)?.at;
  yield ok(`${current}, published at ${at}`);
  const pictures = site.pictures();
  const missing = missingPictures(pictures, paths.pictures(dataDir)).length;
  if (missing > 0)
    yield warn(`${missing} of ${pictures.length} pictures are still to be encoded; a server that runs does that`);
  if (revisionOf(readFolder(contentDir)) !== current) {
    yield warn(`${contentDir} has changed since ${at}; "publish" makes it what visitors see`);
  }
}

async function* examineChannels({ config, send }: Examined): AsyncGenerator<Finding> {
  const all = channelsOf(config);
  yield* await Promise.all(lookUps(config.channels).map(lookedUp));
  if (all.length === 0) {
    yield warn('none configured; leads are visible only at /desk and by "leads list"');
  } else if (!send) {
    yield ok(`${all.map(({ name }) => name).join(', ')}: nothing was sent`);
  } else {
    // In parallel, so that several that hang take no longer than one.
    yield* await Promise.all(all.map((channel) => test(channel, testMessage(config.siteUrl))));
  }
}

async function lookedUp({ channel, variable, advice, find }: LookUp): Promise<Finding> {
  const missing = `${channel}: ${variable} is missing`;
  try {
    const found = await find(AbortSignal.timeout(askTimeoutMs));
    return warn(`${missing}; ${found.length > 0 ? `set ${variable}=${found.join(' or ')}` : advice}`);
  } catch (error) {
    return fail(`${missing}, and could not be looked up: ${messageOf(error)}`);
  }
}

function channelsOf({ channels: values, siteUrl: url }: Config): Channel[] {
  return channels(values, { name: new URL(url).hostname, url, timeZone: 'Europe/Moscow' });
}

async function test(channel: Channel, message: Notification): Promise<Finding> {
  try {
    await within(sendTimeoutMs, channel.deliver([message], AbortSignal.timeout(sendTimeoutMs)));
    return ok(`${channel.name} has taken a test message`);
  } catch (error) {
    return fail(`${channel.name}: ${messageOf(error)}`);
  }
}

function testMessage(siteUrl: string): Notification {
  const lead = unstoredLead({
    receipt: '',
    preset: 'request',
    name: 'Проверка связи',
    phone: '+70000000000',
    message: 'Это проверка: звонить никому не нужно.',
    page: '/',
    consent: '',
  });
  const deliveryId = `msg_test_${Date.parse(lead.receivedAt)}`;
  return { deliveryId, reason: 'test', lead, presetTitle: 'Проверка', takeUrl: `${siteUrl}/` };
}
