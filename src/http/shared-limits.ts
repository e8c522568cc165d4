import type { RedisClientType } from '@redis/client';
import { type ClientRateLimitInfo, MemoryStore, type Store } from 'express-rate-limit';
import type { Logger } from 'pino';

/** Counters that several processes share. */
export type SharedLimits = {
  /** Counters of one limit, under a name of their own. */
  store(name: string): Store;
  close(): void;
};

/** Milliseconds that a visitor waits at most for a counter elsewhere. */
const answerTime = 100;
/** Milliseconds between questions whether Redis is back. */
const askInterval = 500;
/** Milliseconds that the first connection gets before this process serves without it. */
const startTime = 1_000;

/**
 * Counters in Redis. While it is absent or slow each process counts for itself, at once and in memory:
 * a limit is then looser by the number of processes, and no visitor is refused or kept waiting. It is said
 * once in the log that this begins and that it ends.
 *
 * @param url `REDIS_URL`
 */
export async function openSharedLimits(url: string, logger: Logger): Promise<SharedLimits> {
  // CommonJS: once it is bundled, only the default export is there.
  const [{ default: redis }, { RedisStore }] = await Promise.all([import('@redis/client'), import('rate-limit-redis')]);
  const client = redis.createClient({
    url,
    // What cannot be sent now is counted in memory, not later.
    disableOfflineQueue: true,
    socket: { connectTimeout: startTime, reconnectStrategy: askInterval },
  });
  let reachable = true;

  function lost(error: unknown): void {
    if (!reachable) return;
    reachable = false;
    // The address of the client may hold a password; the reason does not.
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
  // Rejects only when the client is closed; until then it tries again.
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

/** Asks Redis once, as a server does. @throws why it cannot be used, within a second and a little */
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

/** A write, because a Redis that is full or a copy of another answers questions all the same. */
function askedOf(client: Pick<RedisClientType, 'set'>): Promise<unknown> {
  return client.set('korob:asked', '1', { expiration: { type: 'EX', value: 1 } });
}

/** Counts in `shared` while it can be reached, and otherwise in memory. Never rejects. */
function fallingBack(shared: Store, redis: { reachable(): boolean; lost(error: unknown): void }): Store {
  const memory = new MemoryStore();
  let begun: Promise<unknown> | undefined;
  let start = async (): Promise<unknown> => undefined;

  async function either<T>(count: (store: Store) => Promise<T> | T): Promise<T> {
    if (redis.reachable()) {
      try {
        // The script that counts is sent when it is first needed; a failure to send it must not be remembered.
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

/** @throws when the time is over; the work goes on, and its result is not used */
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
