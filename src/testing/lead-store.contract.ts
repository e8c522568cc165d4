import { afterEach, beforeEach, describe, expect, type test as jestTest } from '@jest/globals';
import fc from 'fast-check';
import type { Delivery } from '../leads/store/deliveries.ts';
import type { Lead, NewLead, Plan, Range } from '../leads/store/lead.ts';
import type { Leads } from '../leads/store/leads.ts';
import type { Links } from '../leads/store/links.ts';
import type { Store } from '../leads/store/open-store.ts';
import { believe, believed, expire, keepConsentText } from '../leads/store/retention.ts';
import { StoreError } from '../lib/store-error.ts';
import { bill, newLead, plan } from './leads.ts';

/** A store over an empty database, and the same database as others see it. */
export type OpenedStore = {
  store: Store;
  /** The same leads for another process. */
  another(): Promise<Store>;
  /** How many leads are committed, and how many deliveries. */
  count(): Promise<{ leads: number; deliveries: number }>;
  /** Closes the database under the store. */
  breakDatabase(): Promise<void>;
  close(): Promise<void>;
};

/** What every store of leads does, wherever it keeps them. */
export function leadStoreContract(
  test: typeof jestTest | typeof jestTest.skip,
  open: () => Promise<OpenedStore>,
): void {
  let opened: OpenedStore;
  let store: Store;
  let links: Links;

  beforeEach(async () => {
    opened = await open();
    store = opened.store;
    links = store.links;
  });

  afterEach(() => opened?.close());

  const leads = async () => (await opened.count()).leads;
  const told = (...channels: string[]): Plan => ({ ...plan, channels });
  const add = (about: Partial<NewLead> = {}, what: Plan = plan) => store.leads.add(newLead(about), what);
  const addMany = async (count: number, what: Plan = plan) => {
    const added: Lead[] = [];
    for (let n = 0; n < count; n++) added.push(await add({ key: `one-of-many-${n}` }, what));
    return added;
  };
  const now = () => new Date().toISOString();
  const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
  const claim = (
    channel: string,
    about: { limit?: number; now?: string; latest?: string; leaseUntil?: string } = {},
    by = store,
  ) =>
    by.deliveries.claim(channel, {
      limit: 10,
      now: now(),
      latest: inSeconds(4_000),
      leaseUntil: inSeconds(30),
      ...about,
    });
  const both = async <T>(work: (one: Store, n: number) => Promise<T>): Promise<T[]> => {
    const stores = [store, await opened.another(), await opened.another()];
    return Promise.all(Array.from({ length: 12 }, (_, n) => work(stores[n % 3] ?? store, n)));
  };

  describe('add', () => {
    test('resolves when another process can read the lead, whole', async () => {
      const before = now();
      const receipt = await add();
      expect(await leads()).toBe(1);
      const { key: _, ...words } = newLead();
      expect(receipt).toEqual({
        ...words,
        number: 1,
        receipt: expect.stringMatching(/^[A-Za-z0-9_-]{22}$/),
        receivedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        state: 'new',
        takenAt: null,
        takenBy: null,
        notes: [],
      });
      expect(receipt.receivedAt >= before).toBe(true);
      expect(await store.leads.find(1)).toEqual(receipt);
      expect(await (await opened.another()).leads.receipt(receipt.receipt)).toEqual(receipt);
    });

    test('gives numbers that count up and receipts that differ', async () => {
      const receipts = await addMany(20);
      expect(receipts.map(({ number }) => number)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
      expect(new Set(receipts.map(({ receipt }) => receipt)).size).toBe(20);
    });

    test('gives every form one number, however many processes add it', async () => {
      const added = await both(async (one, n) => [
        n >> 1,
        (await one.leads.add(newLead({ key: `key-${n >> 1}` }), plan)).number,
      ]);
      expect(new Set(added.map(String)).size).toBe(6);
      expect(new Set(added.map(([, number]) => number)).size).toBe(6);
    });

    test('keeps a calculation with the lead and its receipt', async () => {
      const calculation = bill;
      const { receipt } = await add({ calculation });
      expect(await store.leads.find(1)).toMatchObject({ calculation });
      expect(await (await opened.another()).leads.receipt(receipt)).toMatchObject({ calculation });
    });

    test('keeps what is null null', async () => {
      await add({ name: null, message: null, attribution: {} });
      expect(await store.leads.find(1)).toMatchObject({ name: null, message: null, attribution: {} });
    });

    test('keeps every character of every field, and refuses none', async () => {
      const unit = fc.oneof(
        { weight: 3, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }) },
        {
          weight: 1,
          arbitrary: fc.constantFrom('\0', '\ud800', '\udc00', '"', '\\', "'", '$1', '\\u0000', '🚚', '\n'),
        },
      );
      const words = fc.string({ unit, maxLength: 60 });
      const lead = fc.record({
        name: fc.option(words),
        phoneTyped: words,
        message: fc.option(words),
        attribution: fc.dictionary(words, words, { maxKeys: 4, noNullPrototype: true }),
      });
      let count = 0;
      await fc.assert(
        fc.asyncProperty(lead, async (about) => {
          const { number } = await add({ key: `key-of-property-${count++}`, ...about });
          expect(await store.leads.find(number)).toMatchObject(about);
        }),
        { numRuns: 150 },
      );
    });

    test('after close is refused, and what was begun is kept', async () => {
      const waiting = add();
      await store.close();
      expect((await waiting).number).toBe(1);
      expect(await leads()).toBe(1);
      await expect(add({ key: 'too-late' })).rejects.toBeInstanceOf(StoreError);
    });

    test('one that cannot be kept takes no other with it, and nothing of it stays', async () => {
      const results = await Promise.allSettled([
        add({ key: 'good-lead-1' }, told('mail')),
        add({ key: 'bad-lead', phone: null as unknown as string }, told('mail')),
        add({ key: 'good-lead-2' }, told('mail')),
      ]);
      expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect(results[1]).toMatchObject({ reason: expect.any(StoreError) });
      expect(await opened.count()).toEqual({ leads: 2, deliveries: 2 });
    });
  });

  describe('those who are told', () => {
    test('are written with the lead, or nothing is', async () => {
      const { number } = await add({}, told('mail', 'webhook'));
      expect(await opened.count()).toEqual({ leads: 1, deliveries: 2 });
      const unknown = undefined as unknown as string;
      await expect(add({ key: 'bad-plan' }, told('mail', unknown))).rejects.toBeInstanceOf(StoreError);
      expect(await opened.count()).toEqual({ leads: 1, deliveries: 2 });
      expect(await store.deliveries.of(number)).toEqual(
        ['mail', 'webhook'].map((channel) => ({
          id: expect.stringMatching(/^msg_[\w-]{22}$/),
          channel,
          reason: 'new',
          state: 'waiting',
          attempts: 0,
          at: expect.stringMatching(/Z$/),
          error: null,
        })),
      );
    });

    test('are told once of a form that was sent twice', async () => {
      await Promise.all([add({}, told('mail')), add({}, told('mail'))]);
      await add({}, told('mail'));
      expect(await opened.count()).toEqual({ leads: 1, deliveries: 1 });
    });

    test('are nobody while a lead is in quarantine, and those of its release afterwards', async () => {
      const quarantine = { quarantined: true, channels: ['mail'], escalateAt: inSeconds(-1) };
      await add({ signals: ['honeypot'] }, quarantine);
      expect(await store.leads.find(1)).toMatchObject({ state: 'quarantined', signals: ['honeypot'] });
      expect(await store.deliveries.of(1)).toEqual([]);
      expect(await store.deliveries.untaken(now(), 10)).toEqual([]);

      const release: Plan = { quarantined: false, channels: ['mail', 'webhook'], escalateAt: inSeconds(-1) };
      expect(await both((one) => one.deliveries.release(1, release))).toContain(true);
      expect(await store.deliveries.release(1, release)).toBe(false);
      expect(await store.deliveries.release(2, release)).toBe(false);
      expect((await store.deliveries.of(1)).map(({ channel }) => channel)).toEqual(['mail', 'webhook']);
      expect(await store.leads.find(1)).toMatchObject({ state: 'new' });
      expect(await store.deliveries.untaken(now(), 10)).toMatchObject([{ lead: { number: 1 }, step: 0 }]);
    });
  });

  describe('the same form sent again', () => {
    test('with the same words is the same lead', async () => {
      const [first, again] = await Promise.all([add(), add()]);
      const later = await add({ signals: ['time'], calculation: bill, consent: 'of another day' });
      expect(again).toEqual(first);
      expect(later).toEqual(first);
      expect(await leads()).toBe(1);
    });

    test('to several processes at once is the same lead', async () => {
      const stores = [store, await opened.another(), await opened.another()];
      for (let round = 1; round <= 20; round++) {
        const lead = newLead({ key: `raced-${round}` });
        const receipts = await Promise.all(stores.map((one) => one.leads.add(lead, told('mail'))));
        expect(new Set(receipts.map(({ receipt }) => receipt)).size).toBe(1);
      }
      expect(await opened.count()).toEqual({ leads: 20, deliveries: 20 });
    });

    test.each([
      { preset: 'price' },
      { name: 'Яна' },
      { name: null },
      { phone: '+79161234568' },
      { phoneTyped: '8 (916) 123-45-67 доб. 13' },
      { message: 'Сколько стоит доставка?' },
      { message: null },
    ])('with other words is another lead: %j', async (words) => {
      const first = await add();
      const other = await add(words);
      expect(other.receipt).not.toBe(first.receipt);
      expect(await leads()).toBe(2);
    });

    test('words that move from one field to another are other words', async () => {
      await add({ phoneTyped: 'a', message: 'b,c' });
      await add({ phoneTyped: 'a,b', message: 'c' });
      expect(await leads()).toBe(2);
    });

    test('another form with the same words is another lead', async () => {
      await add();
      await add({ key: 'key-of-another' });
      expect(await leads()).toBe(2);
    });
  });

  describe('reading', () => {
    test('finds nothing where nothing is', async () => {
      expect(await store.leads.find(1)).toBeUndefined();
      expect(await store.leads.receipt('')).toBeUndefined();
      expect(await store.leads.list({ limit: 10 })).toEqual([]);
      expect(await store.deliveries.of(1)).toEqual([]);
      expect(await collect(store.leads.all())).toEqual([]);
    });

    test('lists the newest first, by state, no more than asked', async () => {
      for (const n of [1, 2, 3, 4, 5]) await add({ key: `listed-${n}` }, { ...plan, quarantined: n % 2 === 0 });
      const numbers = async (filter: Parameters<Leads['list']>[0]) =>
        (await store.leads.list(filter)).map(({ number }) => number);
      expect(await numbers({ limit: 10 })).toEqual([5, 4, 3, 2, 1]);
      expect(await numbers({ limit: 2 })).toEqual([5, 4]);
      expect(await numbers({ state: 'new', limit: 2 })).toEqual([5, 3]);
      expect(await numbers({ state: 'quarantined', limit: 10 })).toEqual([4, 2]);
      expect(await numbers({ before: 4, limit: 2 })).toEqual([3, 2]);
      expect(await numbers({ state: 'new', before: 4, limit: 10 })).toEqual([3, 1]);
    });

    test('lists what was taken since an instant, whenever it came', async () => {
      for (const n of [1, 2, 3]) await add({ key: `taken-${n}` });
      const numbers = async (takenSince: string) =>
        (await store.leads.list({ takenSince, limit: 10 })).map(({ number }) => number);
      await store.leads.take(3, 'mail');
      const { takenAt: first } = (await store.leads.find(3)) ?? {};
      while (now() === first) await new Promise(setImmediate);
      await store.leads.take(2, 'mail');
      const { takenAt: last } = (await store.leads.find(2)) ?? {};
      expect([await numbers(first ?? ''), await numbers(last ?? '')]).toEqual([[2, 3], [2]]);
      expect(await numbers(inSeconds(1))).toEqual([]);
    });

    test.each([199, 200, 201, 400, 450])('all %d leads come once each, oldest first', async (count) => {
      await addMany(count);
      const numbers = (await collect(store.leads.all())).map(({ number }) => number);
      expect(numbers).toEqual(Array.from({ length: count }, (_, n) => n + 1));
    });

    test('all that came between two instants come, the first of these included and the last not', async () => {
      const came: string[] = [];
      for (let n = 0; n < 3; n++) {
        while (now() === came.at(-1)) await new Promise(setImmediate);
        came.push((await add({ key: `ranged-${n}` })).receivedAt);
      }
      const numbers = async (range: Range) => (await collect(store.leads.all(range))).map(({ number }) => number);
      const [first = '', second = '', third = ''] = came;
      expect([await numbers({}), await numbers({ since: second }), await numbers({ until: second })]).toEqual([
        ...[[1, 2, 3], [2, 3], [1]],
      ]);
      expect([await numbers({ since: first, until: third }), await numbers({ since: inSeconds(9) })]).toEqual([
        ...[[1, 2], []],
      ]);
    });

    test('counts those of a state, and of a phone', async () => {
      for (const n of [1, 2, 3]) await add({ key: `doubtful-${n}` }, { ...plan, quarantined: true });
      await add({ key: 'good' });
      const filters = [
        { state: 'quarantined' },
        { state: 'taken' },
        { phone: newLead().phone },
        { phone: '+9' },
      ] as const;
      expect(await Promise.all(filters.map((filter) => store.leads.count(filter)))).toEqual([3, 0, 4, 0]);
    });

    test('tells how things stand', async () => {
      expect(await store.leads.oldestUntaken()).toBeUndefined();
      expect(await store.deliveries.open()).toEqual([]);
      const first = await add({ key: 'stats-1' }, told('mail', 'webhook'));
      const second = await add({ key: 'stats-2' }, told('mail'));
      await add({ key: 'stats-3' }, { ...plan, quarantined: true });
      const [sent, dead] = await claim('mail');
      await store.deliveries.settle([
        { id: sent?.id ?? '', at: now(), delivered: true },
        { id: dead?.id ?? '', at: now(), error: 'no', retryAt: null },
      ]);
      expect(await store.leads.oldestUntaken()).toBe(first.receivedAt);
      await store.leads.take(1, 'mail');
      expect(await store.leads.oldestUntaken()).toBe(second.receivedAt);
      expect(await store.deliveries.open()).toEqual([
        { channel: 'mail', state: 'dead', count: 1 },
        { channel: 'webhook', state: 'waiting', count: 1 },
      ]);
    });
  });

  describe('a delivery', () => {
    const ids = (deliveries: readonly Delivery[]) => deliveries.map(({ id }) => id);
    const recordOf = async (number = 1) => (await store.deliveries.of(number))[0];

    test('is claimed with its lead, the longest overdue first, no more than asked', async () => {
      for (const n of [1, 2, 3]) {
        await add({ key: `claimed-${n}` }, told('mail', 'webhook'));
        await new Promise((resolve) => setTimeout(resolve, 3));
      }
      const first = await claim('mail', { limit: 2 });
      expect(first.map(({ lead }) => lead.number).sort()).toEqual([1, 2]);
      const [one] = first;
      expect(one).toEqual({
        id: expect.stringMatching(/^msg_/),
        channel: 'mail',
        reason: 'new',
        attempts: 1,
        token: expect.stringMatching(/^[\w-]{43}$/),
        lead: await store.leads.find(one?.lead.number ?? 0),
      });
      expect((await claim('mail')).map(({ lead }) => lead.number)).toEqual([3]);
      expect(await claim('mail')).toEqual([]);
      expect(await claim('telegram')).toEqual([]);
    });

    test('that was no attempt counts none', async () => {
      await add({}, told('mail'));
      const [first] = await claim('mail');
      expect(first?.attempts).toBe(1);
      await store.deliveries.settle([
        { id: first?.id ?? '', at: now(), error: 'busy', retryAt: now(), unused: first?.token ?? '' },
      ]);
      expect(await store.deliveries.of(1)).toMatchObject([{ state: 'waiting', attempts: 0, error: 'busy' }]);
      expect(await links.find(first?.token ?? '')).toBeUndefined();
      expect((await claim('mail', { now: inSeconds(1) }))[0]?.attempts).toBe(1);
    });

    test('that a wrong clock has put off for longer than any is put off is due', async () => {
      await add({}, told('mail'));
      const [first] = await claim('mail');
      await store.deliveries.settle([
        { id: first?.id ?? '', at: now(), error: 'busy', retryAt: inSeconds(24 * 3_600) },
      ]);
      expect(await claim('mail', { latest: inSeconds(25 * 3_600) })).toEqual([]);
      expect(await claim('mail')).toHaveLength(1);
    });

    test('is claimed by one process only, however many ask at once', async () => {
      await addMany(60, told('mail'));
      const claimed = (await both((one) => claim('mail', { limit: 7 }, one))).flat();
      const rest = await claim('mail', { limit: 100 });
      expect(new Set(ids([...claimed, ...rest])).size).toBe(60);
      expect(claimed.length + rest.length).toBe(60);
    });

    test('is due again, under the same id, when its lease has ended without an outcome', async () => {
      await add({}, told('mail'));
      const leaseUntil = inSeconds(30);
      const [before] = await claim('mail', { leaseUntil });
      expect(await claim('mail', { now: inSeconds(29) })).toEqual([]);
      const [after] = await claim('mail', { now: leaseUntil });
      expect(after).toEqual({ ...before, attempts: 2, token: expect.any(String) });
    });

    test('that has arrived is delivered for good, whatever a slower process says', async () => {
      await add({}, told('mail'));
      const [{ id } = { id: '' }] = await claim('mail');
      const at = now();
      await store.deliveries.settle([{ id, at, delivered: true }]);
      const delivered = { id, channel: 'mail', reason: 'new', state: 'delivered', attempts: 1, at, error: null };
      expect(await recordOf()).toEqual(delivered);
      await store.deliveries.settle([{ id, at: inSeconds(5), error: 'too late', retryAt: null }]);
      expect(await recordOf()).toEqual(delivered);
      expect(await claim('mail', { now: inSeconds(3_600) })).toEqual([]);
    });

    test('that failed waits for its time, and its reason is told', async () => {
      await add({}, told('mail'));
      const [{ id } = { id: '' }] = await claim('mail');
      const retryAt = inSeconds(5);
      await store.deliveries.settle([{ id, at: now(), error: 'it hung up', retryAt }]);
      expect(await recordOf()).toMatchObject({ state: 'waiting', attempts: 1, at: retryAt, error: 'it hung up' });
      expect(await claim('mail', { now: inSeconds(4) })).toEqual([]);
      expect(await claim('mail', { now: retryAt })).toMatchObject([{ id, attempts: 2 }]);
      const at = now();
      await store.deliveries.settle([{ id, at, delivered: true }]);
      expect(await recordOf()).toMatchObject({ state: 'delivered', at, error: null });
    });

    test('that is given up is dead and claimed no more', async () => {
      await add({}, told('mail'));
      const [{ id } = { id: '' }] = await claim('mail');
      const at = now();
      await store.deliveries.settle([{ id, at, error: 'no such mailbox', retryAt: null }]);
      expect(await recordOf()).toMatchObject({ state: 'dead', attempts: 1, at, error: 'no such mailbox' });
      expect(await claim('mail', { now: inSeconds(3_600) })).toEqual([]);
    });

    test('outcomes are settled together; those of unknown deliveries are nothing', async () => {
      await addMany(3, told('mail'));
      const [a = '', b = '', c = ''] = ids(await claim('mail'));
      await store.deliveries.settle([
        { id: a, at: now(), delivered: true },
        { id: b, at: now(), error: 'later', retryAt: inSeconds(60) },
        { id: c, at: now(), error: 'never', retryAt: null },
        { id: 'msg_unknown', at: now(), delivered: true },
      ]);
      await store.deliveries.settle([]);
      const states = await Promise.all([1, 2, 3].map(async (number) => (await recordOf(number))?.state));
      expect(states.sort()).toEqual(['dead', 'delivered', 'waiting']);
    });
  });

  describe('taking', () => {
    test('the first has the lead, and who comes later learns who that was', async () => {
      const { receipt } = await add({}, { ...plan, escalateAt: inSeconds(-1) });
      const first = await store.leads.take(1, 'mail');
      expect(first).toMatchObject({ first: true, lead: { number: 1, state: 'taken', takenBy: 'mail' } });
      const { takenAt } = first?.lead ?? {};
      expect(takenAt).toMatch(/Z$/);
      expect(await store.leads.take(1, 'telegram')).toMatchObject({ first: false, lead: { takenBy: 'mail', takenAt } });
      expect(await store.leads.receipt(receipt)).toMatchObject({ takenAt });
      expect(await store.deliveries.untaken(now(), 10)).toEqual([]);
      expect(await store.leads.take(2, 'mail')).toBeUndefined();
    });

    test('at once by several: one is the first, and all are told of the same', async () => {
      await add();
      const results = await both((one, n) => one.leads.take(1, `channel-${n}`));
      expect(results.filter((result) => result?.first)).toHaveLength(1);
      expect(new Set(results.map((result) => result?.lead.takenBy)).size).toBe(1);
    });

    test('out of quarantine, too', async () => {
      await add({}, { ...plan, quarantined: true });
      expect(await store.leads.take(1, 'mail')).toMatchObject({ first: true, lead: { state: 'taken' } });
      expect(await store.deliveries.release(1, plan)).toBe(false);
    });
  });

  describe('notes', () => {
    const note = { key: 'key-of-a-note', by: 'Анна', text: 'Перезвонить в 15:00\n"\\ \u0000 🚚' };

    test('are added to those that are there, by all who share the store', async () => {
      await add();
      expect(await store.leads.note(1, note)).toBe(true);
      await both((one, n) => one.leads.note(1, { ...note, key: `key-${n}` }));
      const { notes = [] } = (await (await opened.another()).leads.find(1)) ?? {};
      expect(notes[0]).toEqual({
        ...note,
        at: expect.stringMatching(/Z$/),
      });
      expect(notes.map(({ key }) => key).sort()).toEqual(
        [note.key, ...Array.from({ length: 12 }, (_, n) => `key-${n}`)].sort(),
      );
      expect((await collect(store.leads.all()))[0]?.notes).toEqual(notes);
    });

    test('are one, however often their form is sent', async () => {
      await add();
      expect(await both((one) => one.leads.note(1, note))).not.toContain(false);
      expect((await store.leads.find(1))?.notes).toHaveLength(1);
    });

    test('go with what they are about, and none comes after', async () => {
      expect(await store.leads.note(1, note)).toBe(false);
      await add();
      await store.leads.note(1, note);
      await expire(store.sql, { requests: inSeconds(1), consents: inSeconds(-60) });
      expect((await store.leads.find(1))?.notes).toEqual([]);
      expect(await store.leads.note(1, { ...note, key: 'another-key' })).toBe(false);
      expect((await store.leads.find(1))?.notes).toEqual([]);
    });
  });

  describe('links', () => {
    const names = async (...tokens: string[]) =>
      Promise.all(tokens.map(async (token) => (await links.find(token))?.name));

    test('open what they are for until they end', async () => {
      await add();
      const until = inSeconds(60);
      const tokens = await Promise.all([
        links.add({ lead: null, name: 'Анна', until }),
        links.add({ lead: 1, name: 'mail', until }),
        links.add({ lead: null, name: 'Борис', until: inSeconds(-1) }),
      ]);
      expect(await Promise.all(tokens.map(links.find))).toEqual([
        { lead: null, name: 'Анна', until },
        { lead: 1, name: 'mail', until },
        undefined,
      ]);
      expect(await names('', 'x')).toEqual([undefined, undefined]);
    });

    test('end by name, which is no channel’s, or all', async () => {
      await add();
      const until = inSeconds(60);
      const of = (lead: number | null, name: string) => links.add({ lead, name, until });
      const tokens = [await of(null, 'Анна'), await of(null, 'Анна'), await of(null, 'Борис'), await of(1, 'Анна')];
      expect([await links.revoke('Анна'), await links.revoke('Анна')]).toEqual([2, 0]);
      expect(await names(...tokens)).toEqual([undefined, undefined, 'Борис', 'Анна']);
      await links.revokeAll();
      expect(await names(...tokens)).toEqual([undefined, undefined, undefined, undefined]);
    });

    test('to a lead come with every attempt to tell of it, and go with the lead or after four days', async () => {
      await add({}, told('mail'));
      const [first] = await claim('mail');
      const [second] = await claim('mail', { now: inSeconds(31) });
      const tokens = [first?.token ?? '', second?.token ?? ''];
      expect(new Set(tokens).size).toBe(2);
      for (const link of await Promise.all(tokens.map(links.find))) {
        expect(link).toMatchObject({ lead: 1, name: 'mail' });
        expect(Math.round((Date.parse(link?.until ?? '') - Date.now()) / 60_000 / 60)).toBe(4 * 24);
      }
      await store.leads.erase(newLead().phone);
      expect(await names(...tokens)).toEqual([undefined, undefined]);
    });
  });

  describe('a lead that nobody takes', () => {
    test('is found when its time has passed, the longest overdue first', async () => {
      await add({ key: 'untaken-1' }, { ...plan, escalateAt: inSeconds(-1) });
      await add({ key: 'untaken-2' }, { ...plan, escalateAt: inSeconds(-2) });
      await add({ key: 'untaken-3' }, { ...plan, escalateAt: inSeconds(60) });
      await add({ key: 'untaken-4' });
      const found = await store.deliveries.untaken(now(), 10);
      expect(found.map(({ lead, step }) => [lead.number, step])).toEqual([
        [2, 0],
        [1, 0],
      ]);
      expect(found[0]?.lead).toEqual(await store.leads.find(2));
      expect(await store.deliveries.untaken(now(), 1)).toHaveLength(1);
    });

    test('is told to one more channel by one process, however many see it', async () => {
      await add({}, { ...plan, escalateAt: inSeconds(-1) });
      const [untaken] = await store.deliveries.untaken(now(), 10);
      if (!untaken) throw new Error('Nothing was found.');
      const next = inSeconds(-0.5);
      const results = await both((one) => one.deliveries.escalate(untaken, 'telegram', next));
      expect(results.filter(Boolean)).toHaveLength(1);
      expect(await store.deliveries.of(1)).toMatchObject([
        { channel: 'telegram', reason: 'untaken', state: 'waiting' },
      ]);
      const [again] = await store.deliveries.untaken(now(), 10);
      expect(again?.step).toBe(1);
      if (again) expect(await store.deliveries.escalate(again, 'mail', null)).toBe(true);
      expect(await store.deliveries.untaken(inSeconds(3_600), 10)).toEqual([]);
    });

    test('is left alone once somebody has taken it', async () => {
      await add({}, { ...plan, escalateAt: inSeconds(-1) });
      const [untaken] = await store.deliveries.untaken(now(), 10);
      await store.leads.take(1, 'mail');
      if (untaken) expect(await store.deliveries.escalate(untaken, 'telegram', null)).toBe(false);
      expect(await store.deliveries.of(1)).toEqual([]);
    });
  });

  describe('a digest', () => {
    const quarantine = (key: string) => add({ key }, { ...plan, quarantined: true });
    const toldOf = async (number: number) =>
      (await store.deliveries.of(number)).map(({ channel, reason }) => `${reason} ${channel}`);

    test('tells of what has come into quarantine since the last one, and is still there', async () => {
      for (const key of ['waiting', 'released', 'taken', 'waiting-too']) await quarantine(key);
      await add({ key: 'no-spam' });
      await store.deliveries.release(2, plan);
      await store.leads.take(3, 'mail');
      expect(await store.deliveries.digest('2026-11-20', ['mail', 'telegram'], 10)).toBe(2);
      expect(await toldOf(1)).toEqual(['digest mail', 'digest telegram']);
      expect(await toldOf(4)).toEqual(['digest mail', 'digest telegram']);
      expect(await opened.count()).toEqual({ leads: 5, deliveries: 4 });
      expect(await claim('telegram')).toMatchObject([
        { id: expect.stringMatching(/^msg_[\w-]{22}$/), reason: 'digest', attempts: 1, lead: { number: 1 } },
        { reason: 'digest', lead: { number: 4, state: 'quarantined' } },
      ]);

      await quarantine('next-day');
      expect(await store.deliveries.digest('2026-11-21', ['mail'], 10)).toBe(1);
      expect(await toldOf(6)).toEqual(['digest mail']);
      expect(await toldOf(1)).toHaveLength(2);
    });

    test('is made once a day, also if it told of nothing', async () => {
      expect(await store.deliveries.digest('2026-11-20', ['mail'], 10)).toBe(0);
      await quarantine('later-that-day');
      expect(await store.deliveries.digest('2026-11-20', ['mail'], 10)).toBe(0);
      expect(await store.deliveries.of(1)).toEqual([]);
      expect(await store.deliveries.digest('2026-11-21', ['mail'], 10)).toBe(1);
    });

    test('is made by one process, however many try', async () => {
      for (const key of ['quarantined-1', 'quarantined-2']) await quarantine(key);
      const told = await both((one) => one.deliveries.digest('2026-11-20', ['mail'], 10));
      expect(told.filter((count) => count > 0)).toEqual([2]);
      expect(await opened.count()).toEqual({ leads: 2, deliveries: 2 });
    });

    test('leaves to the next one what is beyond its limit', async () => {
      for (const n of [1, 2, 3]) await quarantine(`quarantined-${n}`);
      expect(await store.deliveries.digest('2026-11-20', ['mail'], 2)).toBe(2);
      expect(await store.deliveries.digest('2026-11-21', ['mail'], 2)).toBe(1);
      expect((await claim('mail')).map(({ lead }) => lead.number).sort()).toEqual([1, 2, 3]);
    });
  });

  describe('forgetting', () => {
    test('a phone number removes its leads with their deliveries, and gives their numbers to nobody', async () => {
      await add({ key: 'erased-1', phone: '+1' }, told('mail', 'webhook'));
      await add({ key: 'erased-2', phone: '+2' }, told('mail'));
      await add({ key: 'erased-3', phone: '+1' }, told('mail'));
      expect(await store.leads.erase('+1')).toBe(2);
      expect(await store.leads.erase('+1')).toBe(0);
      expect(await opened.count()).toEqual({ leads: 1, deliveries: 1 });
      expect(await store.leads.find(2)).toMatchObject({ phone: '+2' });
      expect((await add({ key: 'erased-4' })).number).toBe(4);
    });

    test('old requests leaves the evidence of consent, and later nothing', async () => {
      await add({ signals: ['no-origin'], calculation: bill }, { ...told('mail'), escalateAt: inSeconds(-1) });
      const before = await store.leads.find(1);
      expect(await expire(store.sql, { requests: inSeconds(-60), consents: inSeconds(-90) })).toEqual({
        stripped: 0,
        removed: 0,
      });
      expect(await store.leads.find(1)).toEqual(before);

      expect(await expire(store.sql, { requests: inSeconds(1), consents: inSeconds(-60) })).toEqual({
        stripped: 1,
        removed: 0,
      });
      expect(await store.leads.find(1)).toEqual({
        ...before,
        name: null,
        phoneTyped: '',
        message: null,
        calculation: null,
        attribution: {},
        signals: [],
      });
      expect(await store.deliveries.untaken(now(), 10)).toEqual([]);
      expect(await expire(store.sql, { requests: inSeconds(1), consents: inSeconds(-60) })).toEqual({
        stripped: 0,
        removed: 0,
      });

      expect(await expire(store.sql, { requests: inSeconds(1), consents: inSeconds(1) })).toEqual({
        stripped: 0,
        removed: 1,
      });
      expect(await opened.count()).toEqual({ leads: 0, deliveries: 0 });
    });
  });

  test('the text of a consent may be kept as often as one likes', async () => {
    const document = { body: { html: 'Я согласен' } };
    await both((one) => keepConsentText(one.sql, document));
    await keepConsentText(store.sql, document);
  });

  test('knows when the clock was last believed', async () => {
    expect(await believed(store.sql)).toBeNull();
    await believe(store.sql, '2026-11-20T09:00:00.000Z');
    await believe(store.sql, '2026-11-20T10:00:00.000Z');
    expect(await believed(store.sql)).toBe('2026-11-20T10:00:00.000Z');
  });

  test('a check leaves no lead behind', async () => {
    await store.leads.probe();
    await store.leads.probe();
    expect(await leads()).toBe(0);
  });

  test('a closed database is a StoreError, whatever is asked', async () => {
    await opened.breakDatabase();
    const { query, transact } = store.sql;
    const text = 'SELECT 1 AS one';
    const attempts = [add(), collect(store.leads.all()), query(text), transact((query) => query(text))];
    for (const attempt of await Promise.allSettled(attempts))
      expect(attempt).toMatchObject({ reason: expect.any(StoreError) });
  });
}

export async function collect(leads: AsyncIterable<Lead>): Promise<Lead[]> {
  const all: Lead[] = [];
  for await (const lead of leads) all.push(lead);
  return all;
}
