import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { newLead, plan } from '../../testing/leads.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { type Store, storeIn } from '../store/open-store.ts';
import { type Database, openDatabase } from '../store/sqlite.ts';
import { digestDay, planFor, type Roster, rosterOf, startDuty } from './duty.ts';

const always: [string, string] = ['00:00', '23:59'];
const hours = { timeZone: 'Europe/Moscow', text: '', week: Array.from({ length: 7 }, () => always), holidays: [] };
const shift: [string, string] = ['09:00', '20:00'];
const weekdays = { ...hours, week: [shift, shift, shift, shift, shift, null, null] };

describe('who is told', () => {
  test('all at once, and all in turn, unless some are for later only', () => {
    expect(rosterOf(['mail', 'chat'], [])).toEqual({ atOnce: ['mail', 'chat'], inTurn: ['mail', 'chat'] });
    expect(rosterOf(['mail', 'chat', 'boss'], ['boss'])).toEqual({ atOnce: ['mail', 'chat'], inTurn: ['boss'] });
    expect(rosterOf([], [])).toEqual({ atOnce: [], inTurn: [] });
  });

  // Friday; the shift ends at 17:00Z, and begins again on Monday at 06:00Z.
  test.each([
    ['at noon', '2026-11-20T09:00:00Z', '2026-11-20T09:03:00.000Z'],
    ['while the promised call can still be made today', '2026-11-20T16:49:59Z', '2026-11-20T16:52:59.000Z'],
    ['when it is promised for Monday', '2026-11-20T16:50:00Z', '2026-11-23T06:03:00.000Z'],
    ['after work', '2026-11-20T17:00:00Z', '2026-11-23T06:03:00.000Z'],
  ])('others three minutes after the visitor began to wait for a call: %s', (_, at, escalateAt) => {
    const plan = planFor(new Date(at), false, rosterOf(['mail'], []), weekdays);
    expect(plan).toEqual({ quarantined: false, channels: ['mail'], escalateAt });
  });

  test('nobody else where there is no channel', () => {
    expect(planFor(new Date(), false, rosterOf([], []), weekdays).escalateAt).toBeNull();
  });
});

describe('a lead that nobody takes', () => {
  let database: Database;
  let store: Store;
  const roster: Roster = { atOnce: ['chat'], inTurn: ['chat', 'boss'] };
  const ages = { past: new Date(Date.now() - 1000).toISOString(), far: '2100-01-01T00:00:00.000Z' };

  beforeEach(() => {
    database = openDatabase(temporaryFolder());
    store = storeIn(database);
  });
  afterEach(async () => {
    await store.close();
    database.close();
  });

  /** Two looks, as when a process starts and a moment later. @returns how often there was something to send */
  async function look(): Promise<number> {
    let wakes = 0;
    const duty = startDuty({
      deliveries: store.deliveries,
      roster,
      digestTo: ['chat', 'boss'],
      hours: () => hours,
      logger: pino({ level: 'silent' }),
      wake: () => {
        wakes += 1;
      },
    });
    duty.again();
    await new Promise((resolve) => setImmediate(resolve));
    await duty.stop();
    return wakes;
  }

  /** As if the time of the next step had come. */
  const overdue = () =>
    database.connection.exec(`UPDATE lead SET escalate_at = '${ages.past}' WHERE escalate_at IS NOT NULL`);
  const toldOf = async (number: number) =>
    (await store.deliveries.of(number)).map(({ channel, reason }) => `${reason} ${channel}`);

  test('is told to one channel after the other, three times, three minutes apart', async () => {
    const { number } = await store.leads.add(newLead(), { ...plan, channels: ['chat'], escalateAt: ages.past });
    expect(await look()).toBe(1);
    expect(await toldOf(number)).toEqual(['new chat', 'untaken chat']);
    expect(await look()).toBe(0);
    const next = await store.deliveries.untaken(ages.far, 1);
    expect(next).toMatchObject([{ step: 1 }]);
    const soon = await store.deliveries.untaken(new Date(Date.now() + 2 * 60_000).toISOString(), 1);
    const then = await store.deliveries.untaken(new Date(Date.now() + 4 * 60_000).toISOString(), 1);
    expect([soon.length, then.length]).toEqual([0, 1]);
    overdue();
    await look();
    overdue();
    await look();
    expect(await toldOf(number)).toEqual(['new chat', 'untaken chat', 'untaken boss', 'untaken chat']);
    expect(await store.deliveries.untaken(ages.far, 1)).toEqual([]);
  });

  test('is told to nobody else once somebody has it, or once another process was quicker', async () => {
    const { number } = await store.leads.add(newLead(), { ...plan, escalateAt: ages.past });
    const [untaken] = await store.deliveries.untaken(ages.far, 1);
    if (untaken === undefined) throw new Error('It is not untaken.');
    expect(await store.deliveries.escalate(untaken, 'boss', ages.past)).toBe(true);
    expect(await store.deliveries.escalate(untaken, 'boss', ages.past)).toBe(false);
    await store.leads.take(number, 'chat');
    expect(await look()).toBe(0);
    expect(await toldOf(number)).toEqual(['untaken boss']);
  });

  test('in quarantine is told of once, in the digest of the day in which it is found there', async () => {
    const quarantined = { ...plan, quarantined: true };
    const { number } = await store.leads.add(newLead(), quarantined);
    expect(await look()).toBe(1);
    expect(await toldOf(number)).toEqual(['digest chat', 'digest boss']);
    const later = await store.leads.add(newLead({ key: 'later-that-day' }), quarantined);
    expect(await look()).toBe(0);
    expect(await toldOf(later.number)).toEqual([]);
  });
});

describe('a digest is due', () => {
  const due = (at: string, hours: Parameters<typeof digestDay>[0] = weekdays) => digestDay(hours, new Date(at));

  test('from the first minute of work on, and later that day if nobody could tell of it', () => {
    expect(due('2026-11-20T05:59:59Z')).toBeUndefined();
    expect(due('2026-11-20T06:00:00Z')).toBe('2026-11-20');
    expect(due('2026-11-20T14:30:00Z')).toBe('2026-11-20');
    expect(due('2026-11-20T17:00:00Z')).toBeUndefined();
  });

  test('on no day off', () => {
    expect(due('2026-11-21T09:00:00Z')).toBeUndefined();
    expect(due('2026-11-20T09:00:00Z', { ...weekdays, holidays: ['2026-11-20'] })).toBeUndefined();
  });

  test('on the day that it is where the company is', () => {
    const vladivostok = { ...weekdays, timeZone: 'Asia/Vladivostok' };
    expect(due('2026-11-19T23:00:00Z', vladivostok)).toBe('2026-11-20');
  });
});
