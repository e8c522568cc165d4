import { MemoryStore, type Options, type Store } from 'express-rate-limit';
import type { Logger } from 'pino';
import { outage } from '../lib/outage.ts';
import { within } from '../lib/within.ts';

type SharedLimits = {
  store(name: string): Store;
  close(): void;
};

/** A visitor is waiting. */
const answerTimeoutMs = 100;
const connectTimeoutMs = 1_000;
const reconnectIntervalMs = 500;
/** Commands queued while Redis hangs. */
const maxWaiting = 100;

/** While Redis is down or slow, each process counts in memory: limits are looser, but no request fails. */
export async function openSharedLimits(url: string, logger: Logger): Promise<SharedLimits> {
  // CommonJS: once bundled, only the default export exists.
  const [{ default: redis }, { RedisStore }] = await Promise.all([import('@redis/client'), import('rate-limit-redis')]);
  const client = redis.createClient({
    url,
    // Commands fail at once and are counted in memory.
    disableOfflineQueue: true,
    commandsQueueMaxLength: maxWaiting,
    socket: { connectTimeout: connectTimeoutMs, reconnectStrategy: reconnectIntervalMs },
  });
  const { failed, over } = outage((error) => {
    // The error's other fields may hold the password.
    if (error) logger.warn({ reason: error.message }, 'Redis is unreachable; each process counts requests separately');
    else logger.info('Redis is reachable; processes share request counts again');
  });
  client.on('error', failed).on('ready', over);
  // Reconnects until the client is closed.
  await within(connectTimeoutMs, client.connect()).catch(failed);

  return {
    store(name) {
      const sendCommand = (...command: string[]) => client.sendCommand(command);
      const shared = new RedisStore({ prefix: `korob:${name}:`, sendCommand: sendCommand as never });
      return fallingBack(shared, { failed, over });
    },
    close() {
      if (client.isOpen) client.destroy();
    },
  };
}

export async function probeRedis(url: string): Promise<void> {
  const { default: redis } = await import('@redis/client');
  const client = redis.createClient({ url, socket: { connectTimeout: connectTimeoutMs, reconnectStrategy: false } });
  client.on('error', () => {});
  try {
    // A write, because a full Redis or a replica still answers reads.
    const written = client
      .connect()
      .then(() => client.set('korob:probe', '1', { expiration: { type: 'EX', value: 1 } }));
    await within(connectTimeoutMs, written);
  } finally {
    if (client.isOpen) client.destroy();
  }
}

function fallingBack(shared: Store, { failed, over }: ReturnType<typeof outage>): Store {
  const memory = new MemoryStore();
  let options: Options;
  /** Loads a script into Redis, again after a failure. */
  let ready: Promise<void> | undefined;

  async function countShared(key: string) {
    ready ??= Promise.resolve(shared.init?.(options));
    await ready;
    return shared.increment(key);
  }

  return {
    init(given) {
      options = given;
      memory.init(given);
    },
    async increment(key) {
      try {
        const count = await within(answerTimeoutMs, countShared(key));
        over();
        return count;
      } catch (error) {
        ready = undefined;
        failed(error);
        return memory.increment(key);
      }
    },
    decrement: (key) => shared.decrement(key),
    resetKey: (key) => shared.resetKey(key),
    shutdown: () => memory.shutdown(),
    prefix: shared.prefix,
  };
}
