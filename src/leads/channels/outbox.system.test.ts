import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { pino } from 'pino';
import { RemoteError } from '../../lib/remote-error.ts';
import { httpServer, sendJson, site } from '../../testing/channels.ts';
import { eventually } from '../../testing/eventually.ts';
import { newLead, plan } from '../../testing/leads.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import type { DeliveryRecord } from '../store/deliveries.ts';
import { type Store, storeIn } from '../store/open-store.ts';
import { type Database, openDatabase } from '../store/sqlite.ts';
import type { Channel, Notification } from './channel.ts';
import { type Outbox, retryDelay, startOutbox } from './outbox.ts';
import { telegramChannel } from './telegram.ts';

let database: Database;
let store: Store;
let outbox: Outbox | undefined;
let logs: { level: number; msg: string }[];
/** Milliseconds by which the clock is ahead. */
let ahead = 0;

beforeEach(() => {
  database = openDatabase(temporaryFolder());
  store = storeIn(database);
  logs = [];
  ahead = 0;
  const now = Date.now;
  jest.spyOn(Date, 'now').mockImplementation(() => now() + ahead);
});
afterEach(async () => {
  await outbox?.stop();
  jest.restoreAllMocks();
  await store.close();
  database.close();
});

/** Puts the clock forward, for no test here waits for what is due later. */
function skip(seconds: number): void {
  ahead += seconds * 1000;
  outbox?.wake();
}

type Attempt = { id: string; lead: number; at: number };

/** A channel that notes what it is told, and does with each message what the test wants. */
function channelOf(name: string, deliver: (attempt: Attempt, signal: AbortSignal) => Promise<void>, parallel = 4) {
  const attempts: Attempt[] = [];
  const channel: Channel = {
    kind: 'webhook',
    name,
    parallel,
    deliver([one], signal) {
      const attempt = { id: one?.deliveryId ?? '', lead: one?.lead.number ?? 0, at: Date.now() };
      attempts.push(attempt);
      return deliver(attempt, signal);
    },
  };
  return { channel, attempts };
}

function start(...channels: Channel[]): Outbox {
  outbox = startOutbox({
    queue: store.deliveries,
    channels,
    notification: ({ id, reason, lead }) => ({
      ...{ deliveryId: id, reason, lead, presetTitle: '', takeUrl: `${site.url}/take/${lead.number}` },
    }),
    logger: pino({ level: 'trace' }, { write: (line: string) => void logs.push(JSON.parse(line)) }),
  });
  return outbox;
}

const add = (key: string, ...channels: string[]) => store.leads.add(newLead({ key }), { ...plan, channels });

const states = async (number: number) => (await store.deliveries.of(number)).map(({ state }) => state);
const only = async (number: number) => (await store.deliveries.of(number))[0] as DeliveryRecord;

test('a failing other side is tried after 5, 15, 30, 60, 120 s and so on, then hourly, for three days', () => {
  const times = [0];
  for (let attempts = 1; ; attempts += 1) {
    const delay = retryDelay(attempts);
    if (delay === undefined) break;
    times.push((times.at(-1) ?? 0) + delay / 1000);
  }
  expect(times.slice(0, 12)).toEqual([0, 5, 15, 30, 60, 120, 240, 480, 960, 1920, 3600, 7200]);
  expect(times.at(-1)).toBe(72 * 3600);
});

describe('a delivery', () => {
  test('reaches each of its channels, and each once', async () => {
    const mail = channelOf('mail', async () => {});
    const hook = channelOf('hook', async () => {});
    const { wake } = start(mail.channel, hook.channel);
    const { number } = await add('for-both', 'mail', 'hook');
    wake();
    await eventually(async () => (await states(number)).join() === 'delivered,delivered');
    wake();
    await outbox?.stop();
    expect([mail.attempts.length, hook.attempts.length]).toEqual([1, 1]);
    expect(mail.attempts[0]?.id).not.toBe(hook.attempts[0]?.id);
  });

  test('that was waiting before the process started is sent', async () => {
    const { number } = await add('from-before', 'hook');
    const hook = channelOf('hook', async () => {});
    start(hook.channel);
    await eventually(async () => (await states(number)).join() === 'delivered');
  });

  test('that fails is tried again under the same id, and says why', async () => {
    const hook = channelOf('hook', async () => {
      if (hook.attempts.length === 1) throw new RemoteError('it answered with status 500');
    });
    start(hook.channel).wake();
    const { number } = await add('fails-once', 'hook');
    await eventually(async () => (await only(number)).error !== null);
    const failed = await only(number);
    expect(failed).toMatchObject({ state: 'waiting', attempts: 1, error: 'it answered with status 500' });
    const [first] = hook.attempts;
    expect(Date.parse(failed.at) - (first?.at ?? 0)).toBeGreaterThanOrEqual(5_000);
    skip(5);
    await eventually(async () => (await states(number)).join() === 'delivered');
    const [, second] = hook.attempts;
    expect(second?.id).toBe(first?.id);
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(5_000);
    expect(await only(number)).toMatchObject({ attempts: 2, error: null });
  });

  test('waits for as long as the other side asks', async () => {
    const chat = channelOf('chat', async () => {
      throw new RemoteError('too many messages', { pauseMs: 40_000 });
    });
    start(chat.channel);
    const { number } = await add('limited', 'chat');
    await eventually(async () => (await only(number)).error !== null);
    expect(Date.parse((await only(number)).at) - Date.now()).toBeGreaterThan(35_000);
  });

  test('to a channel that takes no messages just now is no attempt, and the others wait with it', async () => {
    let busy = true;
    const chat = channelOf(
      'chat',
      async () => {
        if (busy) throw new RemoteError('too many messages', { pauseMs: 6_000 });
      },
      1,
    );
    start(chat.channel);
    const numbers: number[] = [];
    for (const key of ['burst-of-one', 'burst-of-two', 'burst-of-three']) numbers.push((await add(key, 'chat')).number);
    outbox?.wake();
    await eventually(async () => (await Promise.all(numbers.map(only))).some(({ error }) => error !== null));
    skip(5);
    expect(chat.attempts).toHaveLength(1);
    expect((await Promise.all(numbers.map(only))).map(({ attempts }) => attempts)).toEqual([0, 0, 0]);
    busy = false;
    skip(1);
    await eventually(async () => (await Promise.all(numbers.map(states))).every(([state]) => state === 'delivered'));
  });

  test('of an unexpected error keeps its words to itself: they may be the visitor’s', async () => {
    const hook = channelOf('hook', async ({ lead }) => {
      throw new TypeError(`cannot read +79161234567 of lead ${lead}`);
    });
    start(hook.channel);
    const { number } = await add('secretive', 'hook');
    await eventually(async () => (await only(number)).error !== null);
    expect((await only(number)).error).toBe('unexpected TypeError');
    expect(JSON.stringify(logs)).not.toContain('7916');
  });

  test('that has failed for three days is given up, loudly', async () => {
    const { number } = await add('hopeless', 'hook');
    database.connection.exec('UPDATE delivery SET attempts = 81');
    const hook = channelOf('hook', async () => {
      throw new RemoteError('nobody is there');
    });
    start(hook.channel);
    await eventually(async () => (await states(number)).join() === 'dead');
    expect(logs).toContainEqual(expect.objectContaining({ level: 50, msg: expect.stringContaining('given up') }));
  });
});

/** Another one that can join messages: notes the reason and the leads of each, and does with it what the test wants. */
function joining(tell: (leads: number[]) => Promise<void> = async () => {}) {
  const messages: [reason: string, ...leads: number[]][] = [];
  const note = ([first, ...others]: readonly Notification[]) => {
    if (first === undefined) throw new Error('A message about nothing.');
    const leads = [first, ...others].map(({ lead }) => lead.number);
    messages.push([first.reason, ...leads]);
    return tell(leads);
  };
  const channel: Channel = { kind: 'telegram', name: 'chat', parallel: 1, joins: true, deliver: note };
  return { channel, messages };
}

describe('of what waits for a channel that can join', () => {
  const addMany = async (count: number, to = plan) => {
    for (let n = 1; n <= count; n++)
      await store.leads.add(newLead({ key: `joined-${n}` }), { ...to, channels: ['chat'] });
  };
  const waiting = async () => (await store.deliveries.open()).reduce((sum, { count }) => sum + count, 0);
  const allTold = () => eventually(async () => (await waiting()) === 0);

  test('a few go each by themselves', async () => {
    await addMany(3);
    const chat = joining();
    start(chat.channel);
    await allTold();
    expect(chat.messages).toEqual([
      ['new', 1],
      ['new', 2],
      ['new', 3],
    ]);
  });

  test('many go as one', async () => {
    await addMany(6);
    const chat = joining();
    start(chat.channel);
    await allTold();
    expect(chat.messages).toEqual([['new', 1, 2, 3, 4, 5, 6]]);
    expect(logs.filter(({ msg }) => msg === 'delivered')).toHaveLength(6);
  });

  test('reminders are joined with reminders alone', async () => {
    await addMany(5, { ...plan, escalateAt: new Date(0).toISOString() });
    for (const untaken of await store.deliveries.untaken(new Date().toISOString(), 5))
      await store.deliveries.escalate(untaken, 'chat', null);
    const chat = joining();
    start(chat.channel);
    await allTold();
    expect(chat.messages.toSorted()).toEqual([
      ['new', 1, 2, 3, 4, 5],
      ['untaken', 1, 2, 3, 4, 5],
    ]);
  });

  test('a digest is one message, also about a single lead', async () => {
    const chat = joining();
    await addMany(5, { ...plan, quarantined: true });
    await store.deliveries.digest('one day', ['chat'], 4);
    start(chat.channel);
    await allTold();
    await store.deliveries.digest('the next day', ['chat'], 4);
    await allTold();
    expect(chat.messages).toEqual([
      ['digest', 1, 2, 3, 4],
      ['digest', 5],
    ]);
  });

  test('those of a message fail together, an attempt each, and arrive together', async () => {
    await addMany(6);
    let broken = true;
    const chat = joining(async (leads) => {
      if (broken && leads.length > 1) throw new RemoteError('it broke');
    });
    start(chat.channel);
    await eventually(async () => (await only(1)).error !== null);
    const failed = await Promise.all([1, 2, 3, 4, 5, 6].map(only));
    expect(failed.map(({ state, attempts, error }) => [state, attempts, error])).toEqual(
      failed.map(() => ['waiting', 1, 'it broke']),
    );
    broken = false;
    skip(5);
    await allTold();
    expect(await Promise.all([1, 2, 3, 4, 5, 6].map(async (number) => (await only(number)).attempts))).toEqual([
      2, 2, 2, 2, 2, 2,
    ]);
  });

  test('what is told that there are too many costs nobody an attempt', async () => {
    await addMany(6);
    let busy = true;
    const chat = joining(async (leads) => {
      if (busy && leads.length > 1) throw new RemoteError('too many', { pauseMs: 5_000 });
    });
    start(chat.channel);
    await eventually(async () => (await only(1)).error !== null);
    expect((await Promise.all([1, 2, 3, 4, 5, 6].map(only))).map(({ attempts }) => attempts)).toEqual(Array(6).fill(0));
    busy = false;
    skip(5);
    await allTold();
    expect(chat.messages.slice(1)).toEqual([['new', 1, 2, 3, 4, 5, 6]]);
  });

  test('one that the other side does not take keeps back no others', async () => {
    await addMany(30);
    const chat = joining(async (leads) => {
      if (leads.includes(7)) throw new RemoteError('not this one');
    });
    start(chat.channel);
    // What has failed need not wait for its time.
    const hurry = () => database.connection.exec(`UPDATE delivery SET due_at = '2026-01-01' WHERE error IS NOT NULL`);
    await eventually(async () => {
      hurry();
      outbox?.wake();
      return (await waiting()) === 1;
    });
    expect(await states(7)).toEqual(['waiting']);
    expect(chat.messages.length).toBeLessThan(30);
  });
});

test('of 120 leads at once a group is told in a few messages, and the next lead is told by one of the next two', async () => {
  /** Takes 20 messages a minute, of which 18 came from others; after a refusal a minute passes at once. */
  let room = 2;
  let refused = 0;
  const told: number[][] = [];
  const door = await httpServer(async (res, { body }) => {
    const { text, entities } = JSON.parse(body) as { text: string; entities: { url?: string }[] };
    const links = [text, ...entities.map(({ url }) => url ?? '')].join(' ');
    if (room === 0) {
      [room, refused] = [20, refused + 1];
      return sendJson(res, 429, { ok: false, parameters: { retry_after: 1 } });
    }
    room -= 1;
    told.push([...links.matchAll(/take\/(\d+)/g)].map(([, number]) => Number(number)));
    if (told.length === 2) await add('lead-of-one-more', 'telegram');
    outbox?.wake();
    sendJson(res, 200, { ok: true });
  });
  const options = { token: '1:token', chatId: '-1', base: door.url, personalData: true, site };
  await Promise.all(Array.from({ length: 120 }, (_, n) => add(`lead-at-once-${n}`, 'telegram')));
  try {
    start(telegramChannel(options));
    await eventually(async () => told.length > 2 && (await store.deliveries.open()).length === 0);
  } finally {
    await outbox?.stop();
    await door.stop();
  }
  expect(refused).toBe(1);
  expect(told.flat().toSorted((a, b) => a - b)).toEqual(Array.from({ length: 121 }, (_, n) => n + 1));
  expect(told.length).toBeLessThanOrEqual(6);
  expect(told.findIndex((numbers) => numbers.includes(121))).toBeLessThanOrEqual(5);
});

describe('a channel that hangs', () => {
  test('delays no other, and its attempt ends', async () => {
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    jest.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => timeout(milliseconds / 20));
    const stuck = channelOf('stuck', () => new Promise(() => {}));
    const hook = channelOf('hook', async () => {});
    start(stuck.channel, hook.channel);
    const numbers = await Promise.all([1, 2, 3].map(async (n) => (await add(`beside-${n}`, 'stuck', 'hook')).number));
    await eventually(() => hook.attempts.length === 3);
    await eventually(
      async () => (await store.deliveries.of(numbers[0] as number))[0]?.error === 'no answer within 10 s',
    );
  });

  test('does not keep the process from stopping; what was cut is sent again', async () => {
    const stuck = channelOf('stuck', () => new Promise(() => {}));
    start(stuck.channel);
    const { number } = await add('cut', 'stuck');
    outbox?.wake();
    await eventually(() => stuck.attempts.length === 1);
    await outbox?.stop();
    expect(await only(number)).toMatchObject({ state: 'waiting', error: 'the server was stopped' });
  });

  test('does not keep it from stopping by what was to follow, either', async () => {
    const numbers: number[] = [];
    for (let n = 1; n <= 5; n++) numbers.push((await add(`to-follow-${n}`, 'chat')).number);
    const stuck = joining(() => new Promise(() => {}));
    start(stuck.channel);
    await eventually(() => stuck.messages.length === 1);
    await outbox?.stop();
    expect(stuck.messages).toHaveLength(1);
    expect((await Promise.all(numbers.map(only))).map(({ error }) => error)).toEqual(
      numbers.map(() => 'the server was stopped'),
    );
  });
});

test('no more messages at once than the channel takes', async () => {
  let running = 0;
  let most = 0;
  const slow = channelOf(
    'slow',
    async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running -= 1;
    },
    3,
  );
  for (let n = 0; n < 20; n += 1) await add(`crowd-${n}`, 'slow');
  start(slow.channel);
  await eventually(() => slow.attempts.length === 20);
  expect(most).toBe(3);
});

test('a store that fails for a while loses nothing: what was sent is written down later', async () => {
  const { number } = await add('unlucky', 'hook');
  let failures = 0;
  const settle = store.deliveries.settle;
  store.deliveries.settle = async (outcomes) => {
    if (failures++ < 2) throw new Error('disk full');
    return settle(outcomes);
  };
  const hook = channelOf('hook', async () => {});
  start(hook.channel);
  await eventually(async () => (await states(number)).join() === 'delivered');
  expect(hook.attempts).toHaveLength(1);
});
