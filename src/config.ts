import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import * as z from 'zod';
import {
  type ChannelValues,
  channelNames,
  channelVariables,
  findable,
  joinedVariables,
  lookUps,
} from './leads/channels/configured.ts';
import { asciiHost, withAsciiHost } from './lib/host.ts';
import { asciiMail } from './lib/mail-address.ts';
import { paths } from './lib/paths.ts';
import { isPrivateHost } from './lib/private-host.ts';
import { certificates, httpUrl, list, passwordSigns, withoutSlash, yesOrNo } from './lib/variable.ts';
import { repository } from './loading/repository.ts';
import { playerHosts } from './model/player-address.ts';
import { defaultRetention } from './model/retention-periods.ts';

const port = whole('a port', 0, 65_535);
const origin = httpUrl.refine(
  (value) => new URL(value).href === `${new URL(value).origin}/`,
  'an address without a path',
);
const days = whole('a number of days', 1, 36_500);
const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

function whole(what: string, least: number, most: number) {
  const fits = (text: string) => /^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most;
  return z.string().refine(fits, `${what} from ${least} to ${most}`).transform(Number);
}

/** Used in addresses and headers. */
const key = z.string().regex(/^[\w.-]{1,200}$/, 'a key of letters, digits, "_", "-" and "."');

/** With a port or `*.`. */
const hosts = list
  .transform((names) => (names.join() === 'none' ? [] : names))
  .refine(
    (names) => names.every((name) => /^(\*\.)?([\p{L}\d-]+\.)+[\p{L}\d-]+(:\d+)?$/u.test(name)),
    'hosts such as rutube.ru,*.okcdn.ru, or none',
  )
  .transform((names) => names.map((name) => name.replace(/[^*.:][^*:]+/, asciiHost)));

/** A value of `METRICS_HOST`: the metrics would be public by accident if 0.0.0.0 were accepted. */
const anyone = 'all';

/** Documented in `.env.example`. */
const environment = z.object({
  SITE_URL: origin.transform((value) => new URL(value).origin).optional(),
  PORT: port.default(3000),
  HOST: z.string().default('0.0.0.0'),
  TRUST_PROXY: whole('a number of proxies', 0, 10).default(0),
  DATA_DIR: z.string().default('var'),
  CONTENT_DIR: z.string().default(paths.content),
  CONTENT_WATCH: yesOrNo.default(false),
  CMS_REPOSITORY: repository.optional(),
  DATABASE_URL: z
    .url({
      protocol: /^postgres(ql)?$/,
      error: `an address such as postgres://user:password@host:5432/database; ${passwordSigns}`,
      abort: true,
    })
    .transform(withAsciiHost)
    .optional(),
  REDIS_URL: z
    .url({
      protocol: /^rediss?$/,
      error: `an address such as redis://:password@host:6379, or rediss:// for TLS; ${passwordSigns}`,
      abort: true,
    })
    .transform(withAsciiHost)
    .optional(),
  TRUSTED_CA: certificates.optional(),
  ...channelVariables,
  // Mailboxes as the channel names them.
  LEADS_ESCALATION: list.transform((names) => names.map((name) => asciiMail(name.toLowerCase()))).default([]),
  LEADS_RETENTION_DAYS: days.default(defaultRetention.leads),
  CONSENT_RETENTION_DAYS: days.default(defaultRetention.consents),
  BROADCAST_API_BASE: httpUrl.transform(withoutSlash).optional(),
  VIDEO_HOSTS: hosts.default([...playerHosts]),
  METRIKA_ID: z
    .string()
    .regex(/^\d{1,12}$/, 'the number of a counter, such as 12345678')
    .optional(),
  YANDEX_MAPS_API_KEY: key.optional(),
  TURNSTILE_SITE_KEY: key.optional(),
  TURNSTILE_SECRET_KEY: key.optional(),
  METRICS_PORT: port.optional(),
  METRICS_HOST: z
    .string()
    .default('127.0.0.1')
    .refine(
      (host) => host === anyone || isPrivateHost(host),
      `a private address of this machine, or "${anyone}" where a firewall or a container closes the port`,
    )
    .transform((host) => (host === anyone ? '0.0.0.0' : host)),
  LOG_LEVEL: z.enum(levels, `one of ${levels.join(', ')}`).default('info'),
});

type Environment = z.output<typeof environment>;

export const variables: readonly string[] = Object.keys(environment.shape);

export type Config = ReturnType<typeof loadConfig>;

class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** @throws {ConfigError} names every invalid variable and what was expected, never a value, which may be a secret */
export function loadConfig(given: NodeJS.ProcessEnv) {
  const { env, unreadable } = withFiles(given);
  const parsed = environment.safeParse(env);
  const unread = unreadNames(env);
  const problems = [
    ...unreadable,
    ...(parsed.error?.issues ?? []).map(({ path, message }) => `${String(path[0])}: ${message}`),
    ...missing(env),
    ...(parsed.success ? contradictions(parsed.data) : []),
  ];
  if (!parsed.success || problems.length > 0) {
    const lines = [...unread, ...problems].map((problem) => `  ${problem}\n`);
    throw new ConfigError(
      `These environment variables cannot be used:\n${lines.join('')}Fix these variables and restart.`,
    );
  }
  const values = parsed.data;
  const siteUrl = values.SITE_URL ?? `http://localhost:${values.PORT}`;
  return {
    port: values.PORT,
    host: values.HOST,
    siteUrl,
    dataDir: resolve(values.DATA_DIR),
    contentDir: resolve(values.CONTENT_DIR),
    contentWatch: values.CONTENT_WATCH,
    repository: values.CMS_REPOSITORY,
    trustProxy: values.TRUST_PROXY,
    databaseUrl: values.DATABASE_URL,
    redisUrl: values.REDIS_URL,
    trustedCa: values.TRUSTED_CA,
    broadcastApiBase: values.BROADCAST_API_BASE,
    channels: values satisfies ChannelValues,
    escalation: values.LEADS_ESCALATION,
    integrations: {
      videoHosts: [...values.VIDEO_HOSTS, new URL(siteUrl).host],
      metrikaId: values.METRIKA_ID,
      mapsApiKey: values.YANDEX_MAPS_API_KEY,
      turnstileSiteKey: values.TURNSTILE_SITE_KEY,
    },
    turnstileSecretKey: values.TURNSTILE_SECRET_KEY,
    retention: { leads: values.LEADS_RETENTION_DAYS, consents: values.CONSENT_RETENTION_DAYS },
    metrics: values.METRICS_PORT === undefined ? undefined : { port: values.METRICS_PORT, host: values.METRICS_HOST },
    logLevel: values.LOG_LEVEL,
    /** A sentence for each variable that is probably meant for this program, and that nothing reads. */
    unread,
    /** A sentence for each variable that can be used, and is probably not what was meant. */
    doubtful: [...portOf(siteUrl), ...watchOf(values), ...readableOnTheWay(values), ...unknownYet(values)],
  };
}

/** Visitors type no port, and the files of nginx that ship listen on 443. */
function portOf(siteUrl: string): string[] {
  const { hostname, port } = new URL(siteUrl);
  if (port === '' || isPrivateHost(hostname)) return [];
  return [`SITE_URL: has the port ${port}, and so has every link; leave it out if nginx serves visitors on 443`];
}

function watchOf({ CONTENT_WATCH: watch, CONTENT_DIR: folder }: Environment): string[] {
  if (!watch || folder !== paths.content) return [];
  return [
    'CONTENT_WATCH: watches the content that ships, which each release replaces; set CONTENT_DIR to your content',
  ];
}

/** Channels are sent names and phones, and some addresses hold a key. */
function readableOnTheWay(values: ChannelValues): string[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const url = typeof value === 'string' && value.startsWith('http:') ? URL.parse(value) : null;
    if (url === null || isPrivateHost(url.hostname)) return [];
    return [`${name}: plain http to a public host, which shows personal data to everybody on the way; use https`];
  });
}

function unknownYet(values: ChannelValues): string[] {
  return lookUps(values).map(({ variable, channel }) => {
    return `${variable}: missing, so ${channel} gets no leads; "doctor" looks for its value`;
  });
}

/**
 * `NAME_FILE` names a file with the value, as container platforms pass secrets. Empty variables count as unset, because
 * compose files write `NAME=`.
 */
function withFiles(given: NodeJS.ProcessEnv): { env: NodeJS.ProcessEnv; unreadable: string[] } {
  const env = Object.fromEntries(Object.entries(given).filter(([, value]) => value));
  const unreadable: string[] = [];
  for (const name of variables) {
    const file = env[`${name}_FILE`];
    if (!file) continue;
    if (env[name]) {
      unreadable.push(`${name}: set by ${name}_FILE as well; leave out one of the two`);
      continue;
    }
    try {
      env[name] = readFileSync(file, 'utf8').trim();
      if (env[name] === '') unreadable.push(`${name}_FILE: the file ${file} is empty`);
    } catch (error) {
      unreadable.push(`${name}_FILE: ${(error as Error).message}`);
    }
  }
  return { env, unreadable };
}

/** First words that other software and platforms use as well, as in `REDIS_SENTINEL`. */
const common: readonly string[] = ['DATA', 'LOG', 'REDIS'];

/** Kubernetes sets these for a service called `site`. */
const ofService = /_SERVICE_(HOST|PORT)|_PORT(_|$)/;

/** The operator who set a variable that begins like ours expects it to work, but a channel is missing. */
function unreadNames(env: NodeJS.ProcessEnv): string[] {
  const ours = variables.flatMap((name) => [name, `${name}_FILE`]);
  return Object.keys(env).flatMap((name) => {
    const [word = ''] = name.toUpperCase().split('_', 1);
    const alike = common.includes(word) ? [] : variables.filter((one) => one.startsWith(`${word}_`));
    if (alike.length === 0 || ours.includes(name) || ofService.test(name)) return [];
    return [`${name}: nothing reads it; there ${alike.length === 1 ? 'is' : 'are'} ${alike.join(', ')}`];
  });
}

/** Turnstile needs one key in the browser and one on the server. */
function missing(env: NodeJS.ProcessEnv): string[] {
  return [...joinedVariables, ['TURNSTILE_SITE_KEY', 'TURNSTILE_SECRET_KEY']].flatMap((names) => {
    const present = names.filter((name) => env[name]);
    const absent = present.length === 0 ? [] : names.filter((name) => !env[name] && !findable.includes(name));
    return absent.map((name) => `${name}: missing, and needed because of ${present.join(' and ')}`);
  });
}

function contradictions(values: Environment): string[] {
  const { LEADS_ESCALATION: later, LEADS_RETENTION_DAYS: leads, CONSENT_RETENTION_DAYS: consents } = values;
  const channels = channelNames(values);
  const known = channels.join(', ') || 'none';
  const unknown = later.filter((name) => !channels.includes(name));
  const problems = unknown.map((name) => `LEADS_ESCALATION: "${name}" is no channel; there are: ${known}`);
  if (channels.length > 0 && channels.every((name) => later.includes(name))) {
    problems.push('LEADS_ESCALATION: leave out at least one channel, which is notified at once');
  }
  if (values.METRICS_PORT === values.PORT && values.PORT !== 0) problems.push('METRICS_PORT: the same as PORT');
  if (consents < leads) {
    problems.push('CONSENT_RETENTION_DAYS: fewer than LEADS_RETENTION_DAYS; a call needs evidence of consent');
  }
  return problems;
}
