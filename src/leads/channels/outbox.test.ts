import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { pino } from 'pino';
import { hourMs } from '../../lib/durations.ts';
import { RemoteError } from '../../lib/remote-error.ts';
import { site } from '../../tests/support/channels.ts';
import { eventually } from '../../tests/support/eventually.ts';
import { arrival, newLead } from '../../tests/support/sample-leads.ts';
import { temporaryFolder } from '../../tests/support/temporary-folder.ts';
import type { DeliveryRecord } from '../store/deliveries.ts';
import type { Arrival } from '../store/lead.ts';
import { type Store, storeIn } from '../store/open-store.ts';
import { type Database, openDatabase } from '../store/sqlite.ts';
import type { Channel } from './channel.ts';
import { type Outbox, startOutbox } from './outbox.ts';

let database: Database;
let store: Store;
let outbox: Outbox | undefined;
let logs: { level: number; msg: string }[];

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'clearImmediate', 'queueMicrotask'] });
  jest.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
    const attempt = new AbortController();
    setTimeout(() => attempt.abort(new DOMException('Late', 'TimeoutError')), milliseconds);
    return attempt.signal;
  });
  database = openDatabase(temporaryFolder());
  store = storeIn(database);
  logs = [];
});
afterEach(async () => {
  await stop();
  jest.restoreAllMocks();
  jest.useRealTimers();
  await store.close();
  database.close();
});

/** Advances the time, and runs everything that falls due. */
async function pass(seconds = 0): Promise<void> {
  await jest.advanceTimersByTimeAsync(seconds * 1000);
}

/** Sets the clock, and wakes the outbox. */
async function skipTo(time: number): Promise<void> {
  jest.setSystemTime(time);
  outbox?.wake();
  await pass();
}

/** Stops the outbox, including the two seconds that attempts get to end. */
async function stop(): Promise<void> {
  const stopped = outbox?.stop();
  await pass(2);
  await stopped;
}

type Message = { reason: string; leads: number[]; ids: string[]; at: number };

/** A channel that records its messages, and delivers each as the test wants. */
function channelOf(
  name: string,
  deliver: (message: Message, signal: AbortSignal) => Promise<unknown> = async () => {},
  about: Pick<Channel, 'joins' | 'parallel' | 'timeoutMs'> = { parallel: 4 },
) {
  const messages: Message[] = [];
  const channel: Channel = {
    name,
    ...about,
    async deliver(notifications, signal) {
      const leads = notifications.map(({ lead }) => lead.number);
      const message = {
        reason: notifications[0]?.reason ?? '',
        leads,
        ids: notifications.map(({ deliveryId }) => deliveryId),
        at: Date.now(),
      };
      messages.push(message);
      await deliver(message, signal);
    },
  };
  return { channel, messages };
}

/** A channel that can join leads into one message. */
const chatOf = (deliver?: (message: Message) => Promise<unknown>) =>
  channelOf('chat', deliver, { parallel: 1, joins: true });

async function start(...channels: { channel: Channel }[]): Promise<void> {
  outbox = startOutbox({
    queue: store.deliveries,
    channels: channels.map(({ channel }) => channel),
    notification: ({ id, reason, lead }) => ({ deliveryId: id, reason, lead, presetTitle: '', takeUrl: site.url }),
    logger: pino({ level: 'trace' }, { write: (line: string) => void logs.push(JSON.parse(line)) }),
  });
  await pass();
}

let keys = 0;

/** @returns the numbers of the new leads */
async function add(count: number, channels: string[], about: Partial<Arrival> = {}): Promise<number[]> {
  const numbers: number[] = [];
  for (let n = 0; n < count; n++) {
    keys += 1;
    const { number } = await store.leads.add(newLead({ key: `lead-of-outbox-${keys}` }), {
      ...arrival,
      notifyAt: iso(Date.now()),
      channels,
      ...about,
    });
    numbers.push(number);
  }
  return numbers;
}

const records = async (numbers: readonly number[]) =>
  (await Promise.all(numbers.map((number) => store.deliveries.of(number)))).flat();
const waiting = async () => (await store.deliveries.open()).reduce((sum, { waiting }) => sum + waiting, 0);
const hang = () => new Promise(() => {});
const iso = (time: number) => new Date(time).toISOString();

test('each channel gets each lead once: those that waited at the start, new ones at a wake, and those of other processes within a second', async () => {
  await add(1, ['mail', 'hook']);
  const [mail, hook] = [channelOf('mail'), channelOf('hook')];
  await start(mail, hook);
  expect(hook.messages).toHaveLength(1);
  await add(1, ['mail', 'hook']);
  outbox?.wake();
  await pass();
  expect(hook.messages).toHaveLength(2);
  await add(1, ['mail', 'hook']);
  await pass(1);
  await pass(10);
  const sent = [...mail.messages, ...hook.messages];
  expect(sent.map(({ leads }) => leads[0])).toEqual([1, 2, 3, 1, 2, 3]);
  expect(new Set(sent.flatMap(({ ids }) => ids)).size).toBe(6);
  expect(await waiting()).toBe(0);
});

test('a failed delivery is retried after 5, 15, 30 s and so on, then hourly, under one id', async () => {
  const [number = 0] = await add(1, ['hook']);
  const hook = channelOf('hook', async () => {
    throw new RemoteError('it answered 500');
  });
  const begun = Date.now();
  await start(hook);
  const record = async () => (await store.deliveries.of(number))[0] as DeliveryRecord;
  for (let tries = 1; tries < 14; tries++) {
    const { at, ...others } = await record();
    expect(others).toMatchObject({ state: 'waiting', attempts: tries, error: 'it answered 500' });
    await skipTo(Date.parse(at) - 1);
    await skipTo(Date.parse(at));
  }
  const times = hook.messages.map(({ at }) => (at - begun) / 1000);
  expect(times).toEqual([0, 5, 15, 30, 60, 120, 240, 480, 960, 1920, 3600, 7200, 10_800, 14_400]);
  expect(new Set(hook.messages.flatMap(({ ids }) => ids)).size).toBe(1);
});

describe('after three days, a delivery is given up with an error in the log', () => {
  const threeDaysMs = 72 * hourMs;

  test.each<[string, string[], () => Promise<unknown>, string]>([
    ['whose channel fails', ['hook'], () => Promise.reject(new RemoteError('it answered 500')), 'it answered 500'],
    [
      'whose channel asks for a pause',
      ['hook'],
      () => Promise.reject(new RemoteError('it answered 503', { pauseMs: hourMs })),
      'it answered 503',
    ],
    ['whose channel hangs', ['hook'], hang, 'no answer within 10 s'],
    ['whose channel is not configured', ['gone'], hang, 'the channel is not configured'],
  ])('%s', async (_, channels, deliver, reason) => {
    const numbers = await add(2, channels);
    await start(channelOf('hook', deliver, { parallel: 1 }));
    await pass(20);
    jest.setSystemTime(Date.now() + threeDaysMs);
    const later = await add(1, ['hook']);
    await pass(3_600);
    expect(await records(numbers)).toMatchObject([{ state: 'dead', error: reason }, { state: 'dead' }]);
    expect(await records(later)).toMatchObject([{ state: 'waiting' }]);
    expect(logs.filter(({ level }) => level === 50)).toMatchObject([
      { msg: 'delivery given up; the lead is at /desk', channel: channels[0], lead: 1, reason },
      { lead: 2 },
    ]);
  });

  test('unless it has waited while no server ran: then it is tried first', async () => {
    const [old] = await add(1, ['hook'], { notifyAt: iso(Date.now() - 2 * threeDaysMs) });
    const hook = channelOf('hook', async () => {
      if (hook.messages.length === 1) throw new RemoteError('no network yet');
    });
    await start(hook);
    await pass(10);
    expect(await records([old ?? 0])).toMatchObject([{ state: 'delivered', attempts: 2 }]);
  });
});

test('an unexpected error is recorded and logged without its message, which may quote the visitor', async () => {
  const numbers = await add(1, ['hook']);
  await start(
    channelOf('hook', async () => {
      throw new TypeError('cannot read +79161234567');
    }),
  );
  expect(await records(numbers)).toMatchObject([{ error: 'unexpected TypeError' }]);
  expect(JSON.stringify(logs)).not.toContain('7916');
});

test('a channel gets no more messages at once than its limit', async () => {
  const slow = channelOf('slow', () => new Promise((resolve) => setTimeout(resolve, 900)), { parallel: 3 });
  await add(7, ['slow']);
  const begun = Date.now();
  await start(slow);
  await pass(3);
  expect(slow.messages.map(({ at }) => at - begun)).toEqual([0, 0, 0, 900, 900, 900, 1800]);
  expect(await waiting()).toBe(0);
});

describe('a channel that can join leads', () => {
  test.each([
    [
      'sends a few leads in a message each',
      3,
      [
        ['new', 1],
        ['new', 2],
        ['new', 3],
      ],
    ],
    ['sends more leads in one message', 4, [['new', 1, 2, 3, 4]]],
  ])('%s', async (_, count, expected) => {
    await add(count, ['chat']);
    const chat = chatOf();
    await start(chat);
    await pass(2 * count);
    expect(chat.messages.map(({ reason, leads }) => [reason, ...leads])).toEqual(expected);
    expect(logs.filter(({ msg }) => msg === 'lead delivered')).toHaveLength(count);
  });

  test('counts one attempt for each lead of a failed message, and then delivers them in smaller messages', async () => {
    const numbers = await add(6, ['chat']);
    let broken = true;
    await start(
      chatOf(async ({ leads }) => {
        if (broken && leads.length > 1) throw new RemoteError('it broke');
      }),
    );
    const outcomes = async () => (await records(numbers)).map(({ attempts, error }) => ({ attempts, error }));
    expect(await outcomes()).toEqual(numbers.map(() => ({ attempts: 1, error: 'it broke' })));
    broken = false;
    await pass(12);
    expect(await outcomes()).toEqual(numbers.map(() => ({ attempts: 2, error: null })));
  });

  test('halves its messages after a failure, and doubles them after each success', async () => {
    await add(60, ['chat']);
    let broken = true;
    const chat = chatOf(async () => {
      if (!broken) return;
      broken = false;
      throw new RemoteError('it broke');
    });
    await start(chat);
    await pass(12);
    expect(chat.messages.map(({ leads }) => leads.length)).toEqual([30, 15, 15, 30]);
  });

  test('delivers all other leads when the receiver refuses one', async () => {
    await add(30, ['chat']);
    const chat = chatOf(async ({ leads }) => {
      if (leads.includes(7)) throw new RemoteError('not this one');
    });
    await start(chat);
    for (let hours = 0; hours < 12; hours += 1) {
      await skipTo(Date.now() + 3_600_000);
      await pass(20);
    }
    expect(await store.deliveries.open()).toMatchObject([{ channel: 'chat', waiting: 1 }]);
    expect(await records([7])).toMatchObject([{ state: 'waiting' }]);
    expect(chat.messages.filter(({ leads }) => !leads.includes(7)).length).toBeLessThan(12);
  });

  test.each([1, 2])(
    'delivers sixty simultaneous leads within thirty seconds when the receiver takes one message a second, from %i processes',
    async (processes) => {
      let last = 0;
      const chat = chatOf(async ({ at }) => {
        if (at - last < 1_000) throw new RemoteError('too many messages', { pauseMs: 3_000 });
        last = at;
      });
      const outboxes: (Outbox | undefined)[] = [];
      for (let n = 0; n < processes; n++) {
        await start(chat);
        outboxes.push(outbox);
        await pass(0.3);
      }
      for (let sent = 0; sent < 60; sent++) {
        await add(1, ['chat']);
        for (const one of outboxes) one?.wake();
        await pass(0.01);
      }
      await pass(29);
      expect(await waiting()).toBe(0);
      const gaps = chat.messages.slice(1).map(({ at }, n) => at - (chat.messages[n]?.at ?? 0));
      if (processes === 1) expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1_000);
      for (const one of outboxes) await one?.stop();
    },
  );

  test('pauses for as long as a rate-limiting receiver asks, counts no attempt, and then sends few messages', async () => {
    const numbers = await add(90, ['chat']);
    let room = 0;
    const chat = chatOf(async () => {
      if (room === 0) throw new RemoteError('too many messages', { pauseMs: 40_000 });
      room -= 1;
      // One more lead arrives while the others are sent.
      if (room === 8) await add(1, ['chat']);
    });
    await start(chat);
    outbox?.wake();
    await pass(39);
    expect(chat.messages).toHaveLength(1);
    expect(new Set((await records(numbers)).map(({ attempts }) => attempts))).toEqual(new Set([0]));
    room = 10;
    await pass(8);
    expect(chat.messages.slice(1).map(({ leads }) => leads.length)).toEqual([30, 30, 30, 1]);
    expect(await waiting()).toBe(0);
  });
});

test('the outbox waits for as long as the timeout of a slow channel, and no other process sends the message meanwhile', async () => {
  const numbers = await add(1, ['mail']);
  const slow = channelOf('mail', () => new Promise((resolve) => setTimeout(resolve, 50_000)), {
    parallel: 1,
    timeoutMs: 60_000,
  });
  await start(slow);
  const first = outbox;
  await start(slow);
  await pass(55);
  expect(slow.messages).toHaveLength(1);
  expect(await records(numbers)).toMatchObject([{ state: 'delivered', attempts: 1 }]);
  await first?.stop();
});

test('the outbox sends a delivery that another process left unsettled 20 s after its attempt would have timed out', async () => {
  await add(1, ['chat']);
  const { deliveries } = store;
  // As if its process had been killed during the attempt.
  const settle = () => new Promise<never>(() => {});
  store = { ...store, deliveries: { ...deliveries, settle } };
  await start(channelOf('chat', hang, { parallel: 1 }));
  outbox = undefined;
  store = { ...store, deliveries };
  const next = channelOf('chat');
  await start(next);
  await pass(29);
  expect(next.messages).toEqual([]);
  await pass(2);
  expect(next.messages).toHaveLength(1);
});

describe('a channel that hangs', () => {
  test('delays no other channel, and its attempt is aborted after 10 s', async () => {
    const signals: AbortSignal[] = [];
    const stuck = channelOf('stuck', (_, signal) => {
      signals.push(signal);
      return hang();
    });
    const hook = channelOf('hook');
    const [number = 0] = await add(3, ['stuck', 'hook']);
    await start(stuck, hook);
    expect(hook.messages).toHaveLength(3);
    await pass(9);
    expect(await records([number])).toMatchObject([{ error: null }, { state: 'delivered' }]);
    await pass(1);
    expect(await records([number])).toMatchObject([{ error: 'no answer within 10 s' }, { state: 'delivered' }]);
    expect(signals[0]?.aborted).toBe(true);
  });

  test('delays the stop of the process by 2 s at most, and its deliveries keep waiting', async () => {
    const numbers = await add(3, ['chat']);
    const chat = chatOf(hang);
    await start(chat);
    await stop();
    expect(chat.messages).toHaveLength(1);
    expect(await records(numbers)).toMatchObject([
      { state: 'waiting', error: 'the server was stopped' },
      { state: 'waiting', attempts: 0 },
      { state: 'waiting', attempts: 0 },
    ]);
  });
});

test('a delivery that the store cannot settle at first is settled later, and not sent again', async () => {
  await add(1, ['hook']);
  jest.spyOn(store.deliveries, 'settle').mockRejectedValueOnce(new Error('disk full'));
  const hook = channelOf('hook');
  await start(hook);
  expect(await waiting()).toBe(1);
  await eventually(waiting, 0);
  expect(hook.messages).toHaveLength(1);
  expect(logs.filter(({ level }) => level === 50)).toHaveLength(1);
});

test('the outbox stops while the store cannot settle a delivery', async () => {
  await add(1, ['hook']);
  const settle = jest.spyOn(store.deliveries, 'settle').mockRejectedValue(new Error('disk full'));
  await start(channelOf('hook'));
  expect(settle).toHaveBeenCalled();
  let stopped = false;
  void outbox?.stop().then(() => {
    stopped = true;
  });
  await eventually(() => stopped);
});
