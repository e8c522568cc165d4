import type { RedisClientType } from '@redis/client';
import { type ClientRateLimitInfo, MemoryStore, type Store } from 'express-rate-limit';
import type { Logger } from 'pino';

export type SharedLimits = {
  store(name: string): Store;
  close(): void;
};

/** Timeout in milliseconds: a visitor is waiting. */
const answerTime = 100;
/** Milliseconds between reconnection checks. */
const askInterval = 500;
/** Milliseconds for the first connection. */
const startTime = 1_000;

/**
 * Rate limits in Redis. While it is down or slow, each process counts in memory: limits are looser, but no request
 * fails or waits.
 *
 * @param url `REDIS_URL`
 */
export async function openSharedLimits(url: string, logger: Logger): Promise<SharedLimits> {
  // CommonJS: once bundled, only the default export exists.
  const [{ default: redis }, { RedisStore }] = await Promise.all([import('@redis/client'), import('rate-limit-redis')]);
  const client = redis.createClient({
    url,
    // Commands fail at once and are counted in memory.
    disableOfflineQueue: true,
    socket: { connectTimeout: startTime, reconnectStrategy: askInterval },
  });
  let reachable = true;

  function lost(error: unknown): void {
    if (!reachable) return;
    reachable = false;
    // The client may contain a password, the message does not.
    const reason = Error.isError(error) ? error.message || ('code' in error ? String(error.code) : error.name) : '';
    logger.warn({ reason }, 'Redis does not answer; each process counts requests for itself until it does');
  }

  async function ask(): Promise<void> {
    try {
      await within(answerTime, askedOf(client));
      if (!reachable) logger.info('Redis answers; requests are counted together again');
      reachable = true;
    } catch (error) {
      lost(error);
    }
  }

  client.on('error', lost);
  // Retries until the client is closed.
  const connected = client.connect().catch(lost);
  await within(startTime, connected).catch(lost);
  const asking = setInterval(() => void (reachable || ask()), askInterval);
  asking.unref();

  const sendCommand = (...command: string[]) => within(answerTime, client.sendCommand(command));

  return {
    store(name) {
      const shared = new RedisStore({ prefix: `korob:${name}:`, sendCommand: sendCommand as never });
      return fallingBack(shared, { reachable: () => reachable, lost });
    },
    close() {
      clearInterval(asking);
      if (client.isOpen) client.destroy();
    },
  };
}

/** @throws if Redis is unusable, after about a second */
export async function probeRedis(url: string): Promise<void> {
  const { default: redis } = await import('@redis/client');
  const client = redis.createClient({ url, socket: { connectTimeout: startTime, reconnectStrategy: false } });
  client.on('error', () => {});
  try {
    await within(startTime, client.connect());
    await within(answerTime, askedOf(client));
  } finally {
    if (client.isOpen) client.destroy();
  }
}

/** A write, because a full Redis or a replica still answers reads. */
function askedOf(client: Pick<RedisClientType, 'set'>): Promise<unknown> {
  return client.set('korob:asked', '1', { expiration: { type: 'EX', value: 1 } });
}

/** Falls back to memory; never rejects. */
function fallingBack(shared: Store, redis: { reachable(): boolean; lost(error: unknown): void }): Store {
  const memory = new MemoryStore();
  let begun: Promise<unknown> | undefined;
  let start = async (): Promise<unknown> => undefined;

  async function either<T>(count: (store: Store) => Promise<T> | T): Promise<T> {
    if (redis.reachable()) {
      try {
        // `init` loads a script, and must be retried after a failure.
        begun ??= start();
        await begun;
        return await count(shared);
      } catch (error) {
        begun = undefined;
        redis.lost(error);
      }
    }
    return count(memory);
  }

  return {
    init(options) {
      memory.init(options);
      start = async () => shared.init?.(options);
    },
    increment: (key) => either((store): Promise<ClientRateLimitInfo> | ClientRateLimitInfo => store.increment(key)),
    decrement: (key) => either((store) => store.decrement(key)),
    resetKey: (key) => either((store) => store.resetKey(key)),
    shutdown: () => memory.shutdown(),
    prefix: shared.prefix,
  };
}

/** @throws on timeout; the work itself goes on */
async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  work.catch(() => {});
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${milliseconds} ms`)), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
