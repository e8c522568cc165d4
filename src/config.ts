import { resolve } from 'node:path';
import * as z from 'zod';

const port = z.coerce.number('a port from 0 to 65535').int().min(0).max(65535);
/** `abort`, because what follows takes the address apart. */
const httpUrl = z.url({ protocol: /^https?$/, abort: true });
const origin = httpUrl.refine(
  (value) => new URL(value).href === `${new URL(value).origin}/`,
  'an address without a path',
);
/** An empty variable means what an absent one means: compose files write `NAME=`. */
const optional = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional());

const environment = z.object({
  PORT: optional(port),
  HOST: optional(z.string()),
  SITE_URL: optional(origin),
  DATA_DIR: optional(z.string()),
  CONTENT_DIR: optional(z.string()),
  TRUST_PROXY: optional(z.coerce.number('a number of proxies, such as 1').int().min(0).max(10)),
  BROADCAST_API_BASE: optional(httpUrl),
  LOG_LEVEL: optional(z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])),
});

/** Everything that the process is told from outside, checked once at start. */
export type Config = {
  port: number;
  host: string;
  /** Absolute address of the site without a trailing slash. */
  siteUrl: string;
  /** Holds all that must survive a restart. */
  dataDir: string;
  contentDir: string;
  /** How many proxies stand in front; the client's address is read that many hops back. */
  trustProxy: number;
  broadcastApiBase: string | undefined;
  logLevel: string;
};

/** The environment is unusable; the message names every bad variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * Reads the environment.
 *
 * @param env usually `process.env`
 * @param shipped folder of the content that ships, for when `CONTENT_DIR` is not set
 * @throws {ConfigError} naming every variable that is wrong, what was expected and what was found
 */
export function loadConfig(env: NodeJS.ProcessEnv, shipped: string): Config {
  const parsed = environment.safeParse(env);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => {
      const name = String(issue.path[0]);
      return `  ${name}=${env[name]}: ${issue.message}`;
    });
    throw new ConfigError(
      `These environment variables cannot be used:\n${problems.join('\n')}\nMend them and start again.`,
    );
  }
  const values = parsed.data;
  const listenPort = values.PORT ?? 3000;
  return {
    port: listenPort,
    host: values.HOST ?? '0.0.0.0',
    siteUrl: (values.SITE_URL ?? `http://localhost:${listenPort}`).replace(/\/$/, ''),
    dataDir: resolve(values.DATA_DIR ?? 'var'),
    contentDir: resolve(values.CONTENT_DIR ?? shipped),
    trustProxy: values.TRUST_PROXY ?? 0,
    broadcastApiBase: values.BROADCAST_API_BASE?.replace(/\/$/, ''),
    logLevel: values.LOG_LEVEL ?? 'info',
  };
}
