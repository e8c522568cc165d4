import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test as plainTest } from '@jest/globals';
import fc from 'fast-check';
import { dayMs, hourMs } from '../../lib/durations.ts';
import { sha256 } from '../../lib/hash.ts';
import { atMoment } from '../../tests/support/at-moment.ts';
import { act, arrival, bill, newLead } from '../../tests/support/sample-leads.ts';
import { sharedPostgres } from '../../tests/support/start-postgres.ts';
import { temporaryFolder } from '../../tests/support/temporary-folder.ts';
import { testIf } from '../../tests/support/test-if.ts';
import type { Link } from './access-links.ts';
import type { Deliveries, Reminder } from './deliveries.ts';
import { type Arrival, type Lead, type NewLead, type Range, strippedDetails } from './lead.ts';
import { type LeadState, leadEvents, type Transition } from './lead-events.ts';
import { type Leads, leadsIn } from './leads.ts';
import { type Store, storeIn } from './open-store.ts';
import { openPostgres } from './postgres.ts';
import { expire, keepConsentText, readClock, storeClock } from './retention.ts';
import { StoreError } from './sql.ts';
import { openDatabase } from './sqlite.ts';

/** `make` creates a database, and returns a function that opens it any number of times. */
const databases = [
  {
    name: 'SQLite',
    test: plainTest,
    restart: 'DELETE FROM sqlite_sequence',
    async make() {
      const folder = temporaryFolder();
      return async () => storeIn(openDatabase(folder));
    },
  },
  {
    name: 'PostgreSQL',
    test: testIf({ programs: ['postgres'] }),
    restart: 'ALTER TABLE lead ALTER number RESTART',
    async make() {
      const url = await (await sharedPostgres()).newDatabase();
      return async () => storeIn(await openPostgres(url));
    },
  },
];

const now = () => new Date().toISOString();
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
const numbersOf = (leads: readonly Pick<Lead, 'number'>[]) => leads.map(({ number }) => number);
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n + 1);
const mailed = { channels: ['mail'] };
const quarantined = { quarantined: true };
const hoursAgo = (hours: number) => new Date(Date.now() - hours * hourMs);
const overdue = { remindAt: inSeconds(-1) };

describe.each(databases)('leads in $name', ({ test, make, restart }) => {
  let open: () => Promise<Store>;
  /** The store as three processes open it. */
  let stores: [Store, Store, Store];
  /** The first of the stores, and its parts. */
  let store: Store;
  let sql: Store['sql'];
  let leads: Store['leads'];
  let deliveries: Store['deliveries'];
  let links: Store['links'];

  beforeAll(async () => {
    open = await make();
    stores = [await open(), await open(), await open()];
    [store] = stores;
    ({ sql, leads, deliveries, links } = store);
  });

  beforeEach(() =>
    sql.transact(async (query) => {
      const tables = ['delivery', 'link', 'lead', 'destruction', 'consent_text', 'broadcast', 'clock', 'canary'];
      for (const table of tables) await query(`DELETE FROM ${table}`);
      await query(`UPDATE digest SET day = ''`);
      await query(restart);
    }),
  );

  afterAll(() => Promise.all(stores?.map(({ close }) => close()) ?? []));

  const add = (about: Partial<NewLead> = {}, what: Partial<Arrival> = {}) =>
    leads.add(newLead(about), { ...arrival, ...what });

  /** Runs the work in one transaction, for speed. */
  const atOnce = (work: (leads: Leads) => Promise<void>) =>
    sql.transact((query) => work(leadsIn({ ...sql, query, transact: (work) => work(query) })));
  const addMany = (count: number, what: Partial<Arrival> = {}) =>
    atOnce(async ({ add }) => {
      for (const n of upTo(count)) await add(newLead({ key: `${now()}-${n}` }), { ...arrival, ...what });
    });

  /** The results of work that every process does four times at once. */
  const together = <T>(work: (one: Store, n: number) => Promise<T>) =>
    Promise.all([...stores, ...stores, ...stores, ...stores].map(work));

  /** The committed rows, as another process counts them. */
  async function stored() {
    const [counts] = await stores[1].sql.query(
      'SELECT (SELECT count(*) FROM lead) AS leads, (SELECT count(*) FROM delivery) AS deliveries',
    );
    return counts;
  }

  const claim = (about: Partial<Parameters<Deliveries['claim']>[1]> = {}, by = store, channel = 'mail') =>
    by.deliveries.claim(channel, {
      ...{ limit: 10, maxSeparateMessages: 0, now: now(), latest: inSeconds(4_000), leaseUntil: inSeconds(30) },
      ...about,
    });

  const findOverdue = (limit = 10) => deliveries.overdue({ now: now(), latest: '9999-12-31T00:00:00.000Z' }, limit);
  const reminder: Reminder = { reason: 'reminder', channels: ['mail'], next: inSeconds(60) };

  describe('a lead', () => {
    test('is acknowledged once another process can read it completely', async () => {
      const { key: _, ...words } = newLead({ calculation: bill, signals: ['honeypot'] });
      const before = now();
      const receipt = await add(words);
      expect(receipt).toEqual({
        ...words,
        number: 1,
        receipt: expect.stringMatching(/^[A-Za-z0-9_-]{22}$/),
        receivedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        state: 'waiting',
        since: receipt.receivedAt,
        takenAt: null,
        takenBy: null,
        events: [],
      });
      expect(receipt.receivedAt >= before).toBe(true);
      expect(await stores[1].leads.find(1)).toEqual(receipt);
      expect(await stores[1].leads.receipt(receipt.receipt)).toEqual(receipt);
    });

    test('keeps every character of every field, and gets the next number', async () => {
      const odd = fc.constantFrom('\0', '\ud800', '\udc00', '"', '\\', "'", '$1', '\\u0000', '🚚', '\n');
      const unit = fc.oneof(fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }), odd);
      const words = fc.string({ unit, maxLength: 60 });
      const lead = fc.record({
        name: fc.option(words),
        phoneTyped: words,
        message: fc.option(words),
        attribution: fc.dictionary(words, words, { maxKeys: 4, noNullPrototype: true }),
      });
      let count = 0;
      const property = ({ add, find }: Leads) =>
        fc.asyncProperty(lead, async (about) => {
          const { number } = await add(newLead({ key: `key-of-property-${count++}`, ...about }), arrival);
          expect(number).toBe(count);
          expect(await find(number)).toMatchObject(about);
        });
      await atOnce((leads) => fc.assert(property(leads), { numRuns: 150 }));
    });

    test('is stored once with one delivery when its form is sent several times and to several processes', async () => {
      for (const round of upTo(5)) {
        const form = (n: number) => newLead({ key: `${round}-${n % 4}` });
        const sent = await together((one, n) => one.leads.add(form(n), { ...arrival, ...mailed }));
        expect(new Set(sent.map(({ receipt }) => receipt)).size).toBe(4);
        expect(sent.filter(({ repeated }) => !repeated)).toHaveLength(4);
      }
      // Fields that may have changed meanwhile make no new lead.
      await add({ key: '1-0', signals: ['time'], calculation: bill, consent: 'of another day' });
      expect(await stored()).toEqual({ leads: 20, deliveries: 20 });
    });

    test.each<[repeated: boolean, hours: number, names: Transition[], what?: Partial<Arrival>]>([
      [true, 1_000, []],
      [true, 1_000, ['take', 'missed']],
      [true, 1_000, ['take', 'talked', 'return']],
      [true, 23, ['take']],
      [false, 25, ['take']],
      [true, 23, [], quarantined],
      [false, 25, [], quarantined],
      [false, 1, ['take', 'talked']],
      [false, 0, ['notOurs']],
    ])(
      'is the same when its form is sent again: %s %d hours later after %j',
      async (repeated, hours, names, what = {}) => {
        const first = await atMoment(Date.now() - hours * hourMs, () => add({}, { ...mailed, ...what }));
        for (const name of names) await act(leads, 1, name);
        const sent = await together((one) => one.leads.add(newLead(), { ...arrival, ...mailed }));
        expect(new Set(sent.map(({ number }) => number)).size).toBe(1);
        expect(sent.filter((one) => !one.repeated)).toHaveLength(repeated ? 0 : 1);
        expect(sent[0]?.receipt === first.receipt).toBe(repeated);
        expect(await leads.receipt(first.receipt)).toEqual(await leads.find(1));
      },
    );

    test('is stored for each different form key, and for each different word in a form', async () => {
      const forms: Partial<NewLead>[] = [
        ...[{}, { key: 'key-of-another' }, { message: null }],
        ...[
          { phoneTyped: 'a', message: 'b,c' },
          { phoneTyped: 'a,b', message: 'c' },
        ],
      ];
      for (const form of forms) await add(form);
      expect(await stored()).toMatchObject({ leads: forms.length });
    });

    test('that cannot be stored leaves nothing behind, and affects no other lead', async () => {
      const unknown = undefined as unknown as string;
      const results = await Promise.allSettled([
        add({ key: 'bad', phone: unknown }, mailed),
        add({ key: 'bad-arrival' }, { channels: ['mail', unknown] }),
        add({ key: 'good' }, mailed),
      ]);
      const rejected = { status: 'rejected', reason: expect.any(StoreError) };
      expect(results).toMatchObject([rejected, rejected, { status: 'fulfilled' }]);
      expect(await stored()).toEqual({ leads: 1, deliveries: 1 });
    });

    test('is stored together with the text of its consent, or neither is stored', async () => {
      const unknown = undefined as unknown as string;
      await expect(add({}, { consentText: 'Согласен', channels: [unknown] })).rejects.toThrow(StoreError);
      expect(await leads.consentText(newLead().consent)).toBeUndefined();
      const hash = sha256('Согласен');
      await add({ consent: hash }, { consentText: 'Согласен' });
      expect(await stores[1].leads.consentText(hash)).toBe('Согласен');
      const failing: typeof sql.transact = (work) =>
        sql.transact((query) =>
          work((text, values) => query(text.replace('INTO consent_text', 'INTO nothing'), values)),
        );
      const another = leadsIn({ ...sql, transact: failing }).add(newLead({ key: 'another' }), {
        ...arrival,
        consentText: 'Да',
      });
      await expect(another).rejects.toThrow(StoreError);
      expect(await stored()).toEqual({ leads: 1, deliveries: 0 });
    });

    test('is stored when it was begun before the store closed, and refused afterwards', async () => {
      const { leads, close } = await open();
      const waiting = leads.add(newLead(), arrival);
      await close();
      expect(await waiting).toEqual(await store.leads.find(1));
      for (const late of [leads.add(newLead({ key: 'late' }), arrival), leads.find(1)])
        await expect(late).rejects.toThrow(StoreError);
    });
  });

  const all = (range?: Range) => Array.fromAsync(leads.all(range));

  describe('a form with a reserved phone', () => {
    const reserved = { phone: '+12025550142', phoneTyped: '+1 (202) 555-01-42' };
    const rows = () => sql.query('SELECT * FROM canary');

    test('has a receipt, and is no lead: it uses no number, has no delivery, and is in no list, count or export', async () => {
      const canary = await add({ ...reserved, calculation: bill }, mailed);
      expect(canary).toMatchObject({
        phone: reserved.phone,
        number: 0,
        state: 'waiting',
        preset: 'consultation',
        calculation: bill,
      });
      expect(await stores[1].leads.receipt(canary.receipt)).toEqual(canary);
      expect(await stored()).toEqual({ leads: 0, deliveries: 0 });
      expect([await leads.find(0), await leads.oldestUntaken()]).toEqual([undefined, undefined]);
      expect([await all(), await leads.list({ limit: 10 }), await leads.count({ phone: reserved.phone })]).toEqual([
        [],
        [],
        0,
      ]);
      expect([(await add({}, mailed)).number, await stored()]).toEqual([1, { leads: 1, deliveries: 1 }]);
    });

    test('is stored without the typed texts, except for the phone', async () => {
      await add({
        ...reserved,
        name: 'Анна',
        message: 'Секрет',
        phoneTyped: '+1 202 555-01-42 Секрет',
        attribution: { a: 'Секрет' },
      });
      const stored = JSON.stringify(await rows());
      expect(stored).toContain(reserved.phone);
      expect(stored).not.toMatch(/Анна|Секрет/);
    });

    test('is removed by its receipt, once, and a lead is not', async () => {
      const [lead, canary, other] = [
        await add(),
        await add({ ...reserved, key: 'a' }),
        await add({ ...reserved, key: 'b' }),
      ];
      const remove = (receipt: string) => stores[1].leads.removeCanary(receipt);
      expect([await remove(lead.receipt), await remove(canary.receipt), await remove(canary.receipt)]).toEqual([
        false,
        true,
        false,
      ]);
      const receipts = await Promise.all([lead, canary, other].map(({ receipt }) => leads.receipt(receipt)));
      expect(receipts.map((found) => found?.number)).toEqual([1, undefined, 0]);
    });

    test('is removed by the next one when it is older than an hour', async () => {
      for (const minutes of [61, 59, 0]) await atMoment(Date.now() - minutes * 60_000, () => add(reserved));
      expect(await rows()).toHaveLength(2);
    });

    test.each([
      { phoneTyped: '+1 202 555 0142, +7 916 123-45-67' },
      { phoneTyped: '+1 202 555 0142 доб. 5' },
      { message: 'Мой номер: ٩١٦١٢٣٤٥٦٧' },
    ])('is a lead when it has another number: %j', async (about) => {
      expect(await add({ ...reserved, ...about }, mailed)).toMatchObject({ number: 1, phone: reserved.phone });
      expect(await stored()).toEqual({ leads: 1, deliveries: 1 });
    });

    test('is not removed by the forms of strangers, of which the newest ten thousand are stored', async () => {
      const first = await atMoment(Date.now() - 60_000, () => add(reserved));
      const time = sql.dialect === 'postgres' ? 'timestamptz' : 'text';
      await sql.query(
        `INSERT INTO canary (receipt, received_at, lead)
         WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 9998)
         SELECT 'canary-' || n, CAST($1 AS ${time}), '{}' FROM n`,
        [now()],
      );
      for (const found of [first, undefined]) {
        await add(reserved);
        expect(await leads.receipt(first.receipt)).toEqual(found);
      }
      expect(await rows()).toHaveLength(10_000);
    });
  });

  describe('reading', () => {
    test('lists leads newest first, filters them by state and phone, and counts them', async () => {
      for (const n of upTo(5)) await add({ key: `${n}` }, { quarantined: n % 2 === 0 });
      expect(numbersOf(await leads.list())).toEqual([5, 4, 3, 2, 1]);
      expect(numbersOf(await leads.list({ limit: 2 }))).toEqual([5, 4]);
      expect(numbersOf(await leads.list({ state: 'quarantined' }))).toEqual([4, 2]);
      expect(numbersOf(await leads.list({ state: undefined, after: undefined }))).toEqual([5, 4, 3, 2, 1]);
      expect(numbersOf(await leads.list({ phone: '+9' }))).toEqual([]);
      const filters = [{ state: 'waiting' }, { phone: newLead().phone }, { phone: '+9' }] as const;
      expect(await Promise.all(filters.map(leads.count))).toEqual([3, 5, 0]);
    });

    test('finds leads by their arrival and by the start of their state, the longest or the latest first', async () => {
      const [first = '', second = '', third = ''] = upTo(3).map((n) => `2026-11-20T10:00:00.00${n}Z`);
      for (const moment of [first, second, third]) await atMoment(Date.parse(moment), () => add({ key: moment }));
      const came = async (range: Range) => numbersOf(await all(range));
      expect(await came({ since: second })).toEqual([2, 3]);
      expect(await came({ since: first, until: third })).toEqual([1, 2]);

      await act(leads, 1, 'take');
      await act(leads, 1, 'return', { callAt: new Date(third) });
      const waiting = async (about: object) => numbersOf(await leads.list({ state: 'waiting', ...about }));
      expect(await waiting({ order: 'longest' })).toEqual([2, 1, 3]);
      expect(await waiting({ order: 'latest' })).toEqual([3, 1, 2]);
      expect(await waiting({ since: { until: third } })).toEqual([2]);
      expect(await waiting({ since: { since: third } })).toEqual([3, 1]);
      expect(await leads.count({ state: 'waiting', since: { until: third } })).toBe(1);
      expect(await leads.oldestUntaken()).toBe(second);
    });

    test.each([
      ['newest', upTo(9).reverse()],
      ['longest', upTo(9)],
      ['latest', upTo(9).reverse()],
    ] as const)(
      'continues the %s leads after a page although its leads were taken or erased since',
      async (order, all) => {
        await addMany(9);
        const seen: number[] = [];
        for (let page = await leads.list({ state: 'waiting', order, limit: 2 }); page.length > 0; ) {
          seen.push(...numbersOf(page));
          const [taken, erased] = seen.length % 4 === 0 ? page : page.toReversed();
          await act(leads, taken?.number ?? 0, 'take');
          await sql.query('DELETE FROM lead WHERE number = $1', [erased?.number ?? 0]);
          page = await leads.list({ state: 'waiting', order, after: page.at(-1), limit: 2 });
        }
        expect(seen).toEqual(all);
      },
    );

    test('returns all leads once, oldest first, whether or not the last batch is full', async () => {
      let count = 0;
      for (const more of [200, 1]) {
        await addMany(more);
        count += more;
        expect(numbersOf(await all())).toEqual(upTo(count));
      }
    });
  });

  describe('a delivery', () => {
    test('is stored with its lead, and claimed with it, the first stored lead first and no more than asked', async () => {
      for (const n of upTo(3)) {
        await atMoment(Date.now() - n * 1_000, () => add({ key: `claimed-${n}` }, { channels: ['mail', 'webhook'] }));
      }
      const waiting = { reason: 'new', state: 'waiting', attempts: 0, at: expect.stringMatching(/Z$/), error: null };
      expect(await deliveries.of(2)).toEqual(
        ['mail', 'webhook'].map((channel) => ({ ...waiting, id: expect.stringMatching(/^msg_[\w-]{22}$/), channel })),
      );
      const first = await claim({ limit: 2 });
      expect(numbersOf(first.map(({ lead }) => lead))).toEqual([1, 2]);
      expect(first[1]).toEqual({
        id: (await deliveries.of(2))[0]?.id,
        ...{ channel: 'mail', reason: 'new', attempts: 1 },
        token: expect.stringMatching(/^[\w-]{43}$/),
        lead: await leads.find(2),
      });
      expect(await claim()).toMatchObject([{ lead: { number: 3 } }]);
      expect([await claim(), await claim({}, store, 'telegram')]).toEqual([[], []]);
    });

    test('is claimed with all others of its reason, or alone when there are few', async () => {
      await addMany(3, { ...mailed, ...overdue });
      for (const one of await findOverdue(2)) await deliveries.remind(one, reminder);
      const claims = async (maxSeparateMessages: number) => {
        const claimed = await claim({ maxSeparateMessages, leaseUntil: now() });
        return claimed.map(({ reason, lead }) => [reason, lead.number]);
      };
      expect(await claims(3)).toEqual([['new', 1]]);
      expect(await claims(2)).toEqual([1, 2, 3].map((number) => ['new', number]));
      const arrived = await claim({ limit: 3 });
      await deliveries.settle(arrived.map(({ id }) => ({ id, deliveredAt: now() })));
      expect(await claims(1)).toEqual([1, 2].map((number) => ['reminder', number]));
    });

    test.each([
      ['has been delivered', (id: string) => deliveries.settle([{ id, deliveredAt: now() }])],
      ['has been given up', () => deliveries.giveUp(now(), { queuedBefore: arrival.notifyAt, channels: ['mail'] })],
    ])('is claimed only after the previous one of the same lead and channel %s', async (_, end) => {
      await add({ key: 'other' }, mailed);
      await add({}, { ...mailed, ...overdue });
      for (const one of await findOverdue()) await deliveries.remind(one, reminder);
      const claimed = [...(await together((one) => claim({ limit: 1 }, one))).flat(), ...(await claim())];
      expect(claimed.map(({ reason, lead }) => `${reason} ${lead.number}`).sort()).toEqual(['new 1', 'new 2']);
      const { id = '' } = claimed.find(({ lead }) => lead.number === 2) ?? {};
      await deliveries.settle([{ id, error: 'not now', retryAt: inSeconds(20) }]);
      expect(await claim()).toEqual([]);
      await end(id);
      expect(await claim()).toMatchObject([{ reason: 'reminder', lead: { number: 2 } }]);
    });

    test('is claimed by only one of the processes that ask at once', async () => {
      await addMany(60, mailed);
      const claimed = (await together((one) => claim({ limit: 4 }, one))).flat();
      const ids = [...claimed, ...(await claim({ limit: 100 }))].map(({ id }) => id);
      expect([ids.length, new Set(ids).size]).toEqual([60, 60]);
    });

    test('is due again under the same id when its lease ends without an outcome', async () => {
      await add({}, mailed);
      const leaseUntil = inSeconds(30);
      const [before] = await claim({ leaseUntil });
      expect(await claim({ now: inSeconds(29) })).toEqual([]);
      expect(await claim({ now: leaseUntil })).toEqual([{ ...before, attempts: 2, token: expect.any(String) }]);
    });

    test('is due when a wrong clock has postponed it beyond the longest possible delay', async () => {
      await add({}, mailed);
      await claim({ leaseUntil: inSeconds(24 * 3_600) });
      expect(await claim({ latest: inSeconds(25 * 3_600) })).toEqual([]);
      expect(await claim()).toHaveLength(1);
    });

    const at = '2096-01-01T00:00:00.000Z';
    const later = '2097-01-01T00:00:00.000Z';
    const latest = '2098-01-01T00:00:00.000Z';
    const old = { queuedBefore: at, channels: ['mail', 'webhook'] };
    test.each([
      [
        'stays delivered after it has arrived',
        (id: string) => deliveries.settle([{ id, deliveredAt: at }]),
        { state: 'delivered', at, error: null },
      ],
      [
        'waits for its next attempt after it has failed',
        (id: string) => deliveries.settle([{ id, error: 'no', retryAt: later }]),
        { state: 'waiting', at: later, error: 'no' },
      ],
      [
        'is given up with the reason of its last failure',
        async (id: string) => {
          await deliveries.settle([{ id, error: 'never', retryAt: later }]);
          await deliveries.giveUp(at, { ...old, queuedBefore: arrival.notifyAt });
        },
        { state: 'dead', at, error: 'never' },
      ],
    ])('%s, and is delivered if a slower attempt succeeds', async (_, end, record) => {
      await add({}, mailed);
      await add({ key: 'untouched' }, { channels: ['webhook'], notifyAt: now() });
      const [{ id } = { id: '' }] = await claim();
      await end(id);
      expect(await deliveries.of(1)).toMatchObject([{ attempts: 1, ...record }]);
      const { state, error } = record;
      const isWaiting = state === 'waiting';
      const counts = { waiting: Number(isWaiting), givenUp: Number(state === 'dead') };
      const times = { waitingSince: isWaiting ? arrival.notifyAt : null, error: isWaiting ? error : null };
      expect((await deliveries.open()).filter(({ channel }) => channel === 'mail')).toEqual(
        state === 'delivered' ? [] : [{ channel: 'mail', ...counts, ...times }],
      );
      expect(await claim({ now: at, latest })).toEqual([]);
      expect(await claim({ now: later, latest })).toHaveLength(counts.waiting);

      await deliveries.settle([
        { id, deliveredAt: later },
        { id, error: 'too late', retryAt: latest },
      ]);
      expect(await deliveries.giveUp(latest, old)).toMatchObject([{ channel: 'webhook' }]);
      expect(await deliveries.of(1)).toMatchObject([{ state: 'delivered', at: later, error: null }]);
    });

    test('is given up once it is too old, whether or not an attempt has ended, or when its channel is gone', async () => {
      const channels = ['mail', 'webhook', 'gone'];
      await add({}, { channels });
      await add({ key: 'recent' }, { channels, notifyAt: now() });
      // Under a clock that was ahead, so its age is unknown.
      await add({ key: 'future' }, { channels, notifyAt: latest });
      await claim({ limit: 1 });
      const gone = { channel: 'gone', error: 'the channel is not configured' };
      const configured = { queuedBefore: inSeconds(-60), channels: ['mail', 'webhook'] };
      const ended = await deliveries.giveUp(now(), configured);
      expect(ended.toSorted((a, b) => a.channel.localeCompare(b.channel) || a.lead - b.lead)).toMatchObject([
        ...[1, 2, 3].map((lead) => ({ ...gone, lead })),
        ...['mail', 'webhook'].map((channel) => ({ channel, lead: 1, error: 'no attempt has ended' })),
      ]);
      expect((await deliveries.of(1)).map(({ state }) => state)).toEqual(['dead', 'dead', 'dead']);
      expect(await deliveries.giveUp(now(), configured)).toEqual([]);
      // The third counts from the moment at which its time was corrected.
      const next = { ...configured, queuedBefore: now() };
      expect((await deliveries.giveUp(now(), next)).map(({ lead }) => lead).sort()).toEqual([2, 2, 3, 3]);
    });

    test('counts no attempt when it was not sent, and its link opens nothing', async () => {
      await add({}, mailed);
      const [{ id, token } = { id: '', token: '' }] = await claim();
      await deliveries.settle([{ id, error: 'busy', retryAt: now(), unused: token }]);
      expect(await deliveries.of(1)).toMatchObject([{ state: 'waiting', attempts: 0, error: 'busy' }]);
      expect(await links.find(token)).toBeUndefined();
      expect(await claim({ now: inSeconds(1) })).toMatchObject([{ attempts: 1 }]);
    });
  });

  describe('quarantine', () => {
    test('withholds a lead from every channel until its release, which succeeds once', async () => {
      await add({ signals: ['honeypot'] }, { ...quarantined, ...overdue, ...mailed });
      expect(await leads.find(1)).toMatchObject({ state: 'quarantined', signals: ['honeypot'] });
      expect(await stored()).toEqual({ leads: 1, deliveries: 0 });
      expect(await findOverdue()).toEqual([]);

      const release = { callAt: hoursAgo(2), channels: ['mail', 'webhook'] };
      const acted = await together((one) => act(one.leads, 1, 'release', release));
      expect(acted.filter((one) => one?.changed)).toHaveLength(1);
      expect(await act(leads, 2, 'release', release)).toBeUndefined();
      expect(await deliveries.of(1)).toMatchObject([{ channel: 'mail' }, { channel: 'webhook' }]);
      expect(await leads.find(1)).toMatchObject({
        state: 'waiting',
        events: [{ eventName: 'release', by: 'desk:Анна' }],
      });
      expect(await findOverdue()).toMatchObject([{ number: 1, reminders: 0 }]);
    });

    test('is reported in one digest a day by one process: the leads that came since, are still there and fit', async () => {
      const digest = (day: string, one = store) => one.deliveries.queueQuarantineDigest(day, ['mail'], 2);
      // An empty digest completes its day, too.
      expect(await digest('2026-11-19')).toBe(0);
      await addMany(5, quarantined);
      await act(leads, 2, 'release');
      await act(leads, 3, 'take');
      expect(await digest('2026-11-19')).toBe(0);
      expect((await together((one) => digest('2026-11-20', one))).filter((count) => count > 0)).toEqual([2]);
      expect(await claim()).toMatchObject([
        { reason: 'quarantineDigest', attempts: 1, lead: { number: 1, state: 'quarantined' } },
        { reason: 'quarantineDigest', lead: { number: 4 } },
      ]);
      // The third is one that was committed after the fourth.
      await addMany(1, quarantined);
      await sql.query(`UPDATE lead SET state = 'quarantined' WHERE number = 3`);
      expect(await digest('2026-11-21')).toBe(2);
      await act(leads, 4, 'release');
      expect(await deliveries.of(4)).toEqual([]);
      expect((await claim()).map(({ lead }) => lead.number)).toEqual([3, 5]);
      expect(await digest('2026-11-22')).toBe(1);
      // A day without spam repeats nothing, and neither does the day after it.
      expect([await digest('2026-11-23'), await digest('2026-11-24')]).toEqual([0, 0]);
    });
  });

  describe('an event', () => {
    const note = { key: 'key-of-a-note', text: 'Перезвонить в 15:00\n"\\ \u0000 🚚' };

    test.each<[LeadState, Transition[], Partial<Record<Transition, LeadState>>]>([
      ['quarantined', [], { release: 'waiting', take: 'taken' }],
      ['waiting', [], { take: 'taken', notOurs: 'done' }],
      ['taken', ['take'], { talked: 'done', notOurs: 'done', missed: 'waiting', return: 'waiting' }],
      ['done', ['take', 'talked'], { return: 'waiting' }],
    ])('changes a lead that is %s after %j only as the table of events says', async (state, before, changes) => {
      const { note: _, resend: __, ...transitions } = leadEvents;
      for (const name of Object.keys(transitions) as Transition[]) {
        const { number } = await add({ key: name }, { quarantined: state === 'quarantined' });
        for (const earlier of before) await act(leads, number, earlier);
        const acted = { changed: name in changes, lead: { state: changes[name] ?? state } };
        expect([name, await act(leads, number, name)]).toMatchObject([name, acted]);
      }
    });

    test('is recorded once with its author and its time, and a second press changes nothing', async () => {
      const { receipt } = await add();
      const takes = await together((one, n) => act(one.leads, 1, 'take', { by: `desk:${n}` }));
      expect(takes.filter((one) => one?.changed)).toHaveLength(1);
      const lead = await leads.receipt(receipt);
      const { at = '', by = '' } = lead?.events[0] ?? {};
      expect(lead).toMatchObject({
        state: 'taken',
        since: at,
        takenAt: at,
        takenBy: by,
        events: [{ eventName: 'take' }],
      });
      for (const one of takes) expect(one?.lead).toEqual(lead);

      const callAt = new Date(inSeconds(60));
      const press = { key: 'key-of-a-page', callAt };
      expect(await act(leads, 1, 'return', press)).toMatchObject({
        changed: true,
        lead: { since: callAt.toISOString(), takenAt: null },
      });
      await act(leads, 1, 'take');
      expect(await act(leads, 1, 'return', press)).toMatchObject({ changed: false, lead: { state: 'taken' } });
      // Another button of the same page.
      expect(await act(leads, 1, 'talked', press)).toMatchObject({ changed: true, lead: { state: 'done' } });
    });

    test.each<[Transition[], string | null]>([
      [['take', 'missed', 'notOurs'], null],
      [['take', 'return', 'take', 'notOurs'], 'desk:2'],
    ])('of each of several people, %j, makes the lead taken by %s', async (names, takenBy) => {
      await add();
      for (const [n, name] of names.entries()) await act(leads, 1, name, { by: `desk:${n}` });
      const lead = await leads.find(1);
      expect([lead?.takenBy, lead?.takenAt === null]).toEqual([takenBy, takenBy === null]);
    });

    test('reminds staff as the table of events says, and starts to count reminders again', async () => {
      await add({}, overdue);
      for (const one of await findOverdue()) await deliveries.remind(one, reminder);
      await act(leads, 1, 'take', { callAt: hoursAgo(2) });
      expect(await findOverdue()).toMatchObject([{ state: 'taken', reminders: 0 }]);
      await act(leads, 1, 'talked');
      expect(await findOverdue()).toEqual([]);
    });

    test('removes waiting messages about the earlier state, and no others', async () => {
      await add({}, { ...mailed, ...overdue });
      for (const one of await findOverdue()) await deliveries.remind(one, { ...reminder, channels: ['telegram'] });
      await add({ key: 'doubtful' }, quarantined);
      await deliveries.queueQuarantineDigest('2026-11-20', ['mail'], 10);
      for (const number of [1, 2]) await act(leads, number, 'take');
      expect(await deliveries.of(1)).toMatchObject([{ channel: 'mail', reason: 'new', state: 'waiting' }]);
      expect(await deliveries.of(2)).toEqual([]);
    });

    test('may be a note, which postpones the reminder of a taken lead and changes no state', async () => {
      await add({}, overdue);
      expect(await act(leads, 1, 'note', note)).toMatchObject({ changed: true, lead: { state: 'waiting' } });
      expect(await findOverdue()).toHaveLength(1);
      await act(leads, 1, 'take', { callAt: hoursAgo(2) });
      for (const one of await findOverdue()) await deliveries.remind(one, { ...reminder, next: now() });
      await act(leads, 1, 'note', { key: 'another', text: 'Просил счёт' });
      expect([await findOverdue(), await deliveries.of(1)]).toEqual([[], []]);
      expect((await leads.find(1))?.events[0]).toMatchObject({ ...note, by: 'desk:Анна', eventName: 'note' });
    });

    test('of each form is recorded once when several processes send notes at once', async () => {
      await add();
      await together((one, n) => act(one.leads, 1, 'note', { ...note, key: `key-${n % 6}` }));
      const { events = [] } = (await stores[1].leads.find(1)) ?? {};
      expect(events.map(({ key }) => key).sort()).toEqual(upTo(6).map((n) => `key-${n - 1}`));
    });
  });

  describe('a reminder', () => {
    test('is due when its time has come, the longest overdue first, or when a wrong clock has set it too far', async () => {
      for (const [n, seconds] of [-1, -2, 60, 7_200].entries())
        await add({ key: `${n}` }, { remindAt: inSeconds(seconds) });
      expect(numbersOf(await findOverdue())).toEqual([2, 1]);
      expect(numbersOf(await findOverdue(1))).toEqual([2]);
      const times = { now: inSeconds(-10), latest: inSeconds(3_600) };
      expect(numbersOf(await deliveries.overdue(times, 10))).toEqual([4]);
    });

    test('is queued by only one of the processes that find it, and not for a lead that has changed meanwhile', async () => {
      await add({}, overdue);
      const [found] = await findOverdue();
      if (found === undefined) throw new Error('no lead is overdue');
      const next = inSeconds(-0.5);
      const twice = { ...reminder, channels: ['telegram', 'mail'], next };
      expect((await together((one) => one.deliveries.remind(found, twice))).filter(Boolean)).toHaveLength(1);
      expect(await deliveries.of(1)).toMatchObject([
        { channel: 'telegram', reason: 'reminder', state: 'waiting' },
        { channel: 'mail', reason: 'reminder', state: 'waiting' },
      ]);
      const [again] = await findOverdue();
      expect(again).toMatchObject({ remindAt: next, reminders: 1 });
      await act(leads, 1, 'take');
      await sql.query('UPDATE lead SET remind_at = $1', [next]);
      expect(again && (await deliveries.remind(again, twice))).toBe(false);
      expect(await deliveries.of(1)).toEqual([]);
    });
  });

  describe('sending again', () => {
    const by = { by: 'desk:Анна', key: 'key-of-a-page' };
    const giveUp = () => sql.query(`UPDATE delivery SET given_up_at = $1 WHERE channel = 'mail'`, [now()]);

    test('revives given-up notifications of new leads under their ids, and records who did it', async () => {
      await addMany(2, { channels: ['mail', 'webhook'] });
      await giveUp();
      const before = await deliveries.of(1);
      expect(await deliveries.resend('mail', { number: 1 }, by)).toEqual([1]);
      expect(await deliveries.of(1)).toMatchObject([
        { id: before[0]?.id, state: 'waiting', attempts: 0, error: null },
        { channel: 'webhook', state: 'waiting' },
      ]);
      expect(await leads.find(1)).toMatchObject({ events: [{ ...by, eventName: 'resend', text: 'mail' }] });
      expect(numbersOf((await claim()).map(({ lead }) => lead))).toEqual([1]);
      // One is on its way now, and the other lead was not asked for.
      expect(await deliveries.resend('mail', { number: 1 }, by)).toEqual([]);
      expect(await deliveries.resend('webhook', {}, by)).toEqual([]);
      expect(await deliveries.resend('mail', {}, by)).toEqual([2]);
    });

    test('concerns the leads that were received in a range, and no stripped lead', async () => {
      const [first = '', second = '', third = ''] = upTo(3).map((n) => `2026-11-20T10:00:00.00${n}Z`);
      for (const moment of [first, second, third])
        await atMoment(Date.parse(moment), () => add({ key: moment }, mailed));
      await giveUp();
      expect(await deliveries.resend('mail', { since: second, until: third }, by)).toEqual([2]);
      await expire(sql, { leads: second, consents: first });
      expect(await deliveries.resend('mail', {}, by)).toEqual([3]);
    });

    test('leaves reminders alone', async () => {
      await add({}, overdue);
      for (const one of await findOverdue()) await deliveries.remind(one, reminder);
      await giveUp();
      expect(await deliveries.resend('mail', {}, by)).toEqual([]);
    });
  });

  describe('links', () => {
    const until = '2099-01-01T00:00:00.000Z';
    const openedBy = (...tokens: string[]) => Promise.all(tokens.map(links.find));

    test('open their target until they expire, are revoked by the name of a person, or are all revoked', async () => {
      await add();
      const [anna, boris] = ['Анна', 'Борис'].map((name) => ({ lead: null, name, until })) as [Link, Link];
      const toLead = { lead: 1, name: 'Анна', until };
      const tokens: string[] = [];
      for (const link of [anna, boris, toLead, { ...anna, until: inSeconds(-1) }]) tokens.push(await links.add(link));
      expect(await openedBy(...tokens, 'x')).toEqual([anna, boris, toLead, undefined, undefined]);
      expect(await links.revoke('Анна')).toBe(2);
      expect(await openedBy(...tokens)).toEqual([undefined, boris, toLead, undefined]);
      await links.revokeAll();
      expect(await openedBy(...tokens)).toEqual(Array(4).fill(undefined));
    });

    test('are removed by the expiry of leads once they have ended', async () => {
      for (const seconds of [-1, 60]) await links.add({ lead: null, name: `${seconds}`, until: inSeconds(seconds) });
      await expire(sql, { leads: inSeconds(-60), consents: inSeconds(-60) });
      expect(await sql.query('SELECT name FROM link')).toEqual([{ name: '60' }]);
    });

    test('to a lead are created for every attempt of its delivery, and end with the lead or after four days', async () => {
      await add({}, mailed);
      const moments = [now(), inSeconds(31)];
      const tokens: string[] = [];
      for (const now of moments) tokens.push(...(await claim({ now })).map(({ token }) => token));
      const ends = moments.map((moment) => new Date(Date.parse(moment) + 4 * dayMs).toISOString());
      expect(await openedBy(...tokens)).toEqual(ends.map((until) => ({ lead: 1, name: 'mail', until })));
      await leads.erase(newLead().phone, 'operator');
      expect(await openedBy(...tokens)).toEqual([undefined, undefined]);
    });
  });

  describe('forgetting', () => {
    test('erases the leads of a phone number with their deliveries, and never reuses their lead numbers', async () => {
      for (const [n, phone] of ['+1', '+2', '+1'].entries())
        await add({ key: `${n}`, phone }, { channels: ['mail', 'webhook'] });
      expect([await leads.erase('+1', 'operator'), await leads.erase('+1', 'operator')]).toEqual([2, 0]);
      expect(await stored()).toEqual({ leads: 1, deliveries: 2 });
      expect((await add()).number).toBe(4);
    });

    test('reduces old leads to the evidence of consent, and later removes them', async () => {
      await add({ signals: ['no-origin'], calculation: bill }, { ...overdue, ...mailed });
      const before = await leads.find(1);
      const expired = (leads: number, consents: number) =>
        expire(sql, { leads: inSeconds(leads), consents: inSeconds(consents) });
      expect(await expired(-60, -90)).toEqual({ stripped: 0, removed: 0 });
      expect(await leads.find(1)).toEqual(before);
      expect(await expired(1, -60)).toEqual({ stripped: 1, removed: 0 });
      expect(await leads.find(1)).toEqual({ ...before, ...strippedDetails, state: 'done' });
      expect(await findOverdue()).toEqual([]);
      for (const name of ['note', 'take'] as const) expect(await act(leads, 1, name)).toBeUndefined();
      // The same form is now another lead, because its words are no longer stored.
      expect(await add()).toMatchObject({ number: 2 });
      expect(await expired(1, 1)).toEqual({ stripped: 0, removed: 2 });
      expect(await stored()).toEqual({ leads: 0, deliveries: 0 });
    });
  });

  describe('the evidence of destruction', () => {
    const bare = { name: null, message: null, attribution: {} };

    test('names the data, the reason and the user of an erasure, contains no personal data, and is found by the phone', async () => {
      await add({ phone: '+79161234567', calculation: bill });
      await act(leads, 1, 'note', { text: 'Перезвонить' });
      await add({ ...bare, phone: '+79161234567' });
      await add({ phone: '+79161234568' });
      const before = now();
      await leads.erase('+79161234567', 'anna');
      const found = await stores[1].destructions.ofPhone('+79161234567');
      const given = ['phone', 'phoneTyped', 'receivedAt', 'preset', 'page', 'consent'];
      expect(found.map(({ categories, ...others }) => ({ ...others, categories: categories.toSorted() }))).toEqual(
        [['name', 'message', 'calculation', 'attribution', 'events', ...given], given].map((categories, n) => ({
          id: expect.any(String),
          at: expect.any(String),
          phoneHash: found[0]?.phoneHash,
          ...{ by: 'anna', reason: 'withdrawal', lead: n + 1, categories: categories.toSorted() },
        })),
      );
      expect(found.every(({ at }) => at >= before && at <= now())).toBe(true);
      expect(JSON.stringify(await sql.query('SELECT * FROM destruction'))).not.toMatch(
        /1234567|Анна|Перезвонить|yandex/,
      );
      expect(await store.destructions.ofPhone('+79161234568')).toEqual([]);
    });

    test('cannot be computed from the phone without the key of the database', async () => {
      await add();
      await leads.erase(newLead().phone, 'anna');
      const [{ key = '' } = {}] = await sql.query<{ key: string }>('SELECT phone_key AS key FROM secret');
      expect(key).toMatch(/^[0-9a-f]{64}$/);
      const [found] = await store.destructions.ofPhone(newLead().phone);
      expect(found?.phoneHash).toBe(createHmac('sha256', key).update(newLead().phone).digest('hex'));
    });

    test('is stored with the destruction or not at all', async () => {
      await add();
      const failing: typeof sql.transact = (work) =>
        sql.transact((query) =>
          work((text, values) => {
            if (text.includes('INTO destruction')) throw new Error('in the middle');
            return query(text, values);
          }),
        );
      const broken = { ...sql, transact: failing };
      await expect(leadsIn(broken).erase(newLead().phone, 'anna')).rejects.toThrow('in the middle');
      const expired = { leads: inSeconds(1), consents: inSeconds(-60) };
      await expect(expire(broken, expired)).rejects.toThrow('in the middle');
      await expect(expire(broken, { ...expired, consents: inSeconds(1) })).rejects.toThrow('in the middle');
      expect(await leads.find(1)).toMatchObject({ name: 'Анна' });
    });

    test('is written for both steps of age, once when several servers remove the same data, and kept for three years', async () => {
      const start = Date.parse('2026-02-28T12:00:00.000Z');
      const inYears = (years: number, work: () => Promise<unknown>) =>
        atMoment(new Date(start).setUTCFullYear(2026 + years), work);
      await inYears(-1, () => add({ calculation: bill }));
      await inYears(-1, () => add(bare));
      const expireAll = (consents: number) => () =>
        together((one) => expire(one.sql, { leads: inSeconds(0), consents: inSeconds(consents) }));
      await inYears(0, expireAll(-2 * 366 * 86_400));
      const strip = { by: 'retention', reason: 'age', at: new Date(start).toISOString() };
      const words = ['name', 'phoneTyped', 'message', 'calculation', 'attribution'];
      const stripped = [
        { ...strip, lead: 1, categories: expect.arrayContaining(words) },
        { ...strip, lead: 2, categories: ['phoneTyped'] },
      ];
      const records = () => store.destructions.ofPhone(newLead().phone);
      expect(await records()).toMatchObject(stripped);
      await inYears(1, expireAll(0));
      const rest = expect.arrayContaining(['phone', 'receivedAt', 'preset', 'page', 'consent']);
      const removed = [1, 2].map((lead) => ({ reason: 'age', lead, categories: rest }));
      expect(await records()).toMatchObject([...stripped, ...removed]);
      await inYears(3, expireAll(0));
      expect(await records()).toHaveLength(4);
      await atMoment(new Date(start).setUTCFullYear(2029) + dayMs, expireAll(0));
      expect(await records()).toMatchObject(removed);
    });
  });

  test('a lead received under a wrong clock expires with the leads received before and after it', async () => {
    const inDays = (days: number) => Date.now() + days * dayMs;
    // The second and the last came under a clock that was ahead, the fifth under one that was behind.
    for (const days of [-400, 1_000, -380, -1, -2_000, 900])
      await atMoment(inDays(days), () => add({ key: `${days}`, name: 'Анна' }));
    const expireIn = (days: number) => {
      const [leadEnd = '', consents = ''] = [365, 1_461].map((kept) => new Date(inDays(days - kept)).toISOString());
      return atMoment(inDays(days), () => expire(sql, { leads: leadEnd, consents }));
    };
    const named = async () => numbersOf((await all()).filter(({ name }) => name !== null)).sort();
    expect(await expireIn(0)).toEqual({ stripped: 3, removed: 0 });
    expect(await named()).toEqual([4, 5, 6]);
    expect(await expireIn(366)).toEqual({ stripped: 2, removed: 0 });
    expect(await named()).toEqual([6]);
    expect(await expireIn(1_500)).toEqual({ stripped: 1, removed: 5 });
  });

  test.each(['lead', 'delivery', 'heartbeat'])(
    'no probe and no canary succeeds while the table %s is broken',
    async (table) => {
      const canary = { phone: '+12025550142', phoneTyped: '+1 202 555 0142' };
      await sql.query(`ALTER TABLE ${table} RENAME TO broken`);
      try {
        await expect(leads.probe()).rejects.toThrow(StoreError);
        if (table !== 'heartbeat') await expect(add(canary)).rejects.toThrow(StoreError);
      } finally {
        await sql.query(`ALTER TABLE broken RENAME TO ${table}`);
      }
      await leads.probe();
      await add(canary);
    },
  );

  test('processes share the clock and the texts of consent, and a probe of the store leaves no lead', async () => {
    expect(await readClock(sql)).toBeUndefined();
    const clock = { seenAt: Date.now(), trustedAt: 2, steadySince: 1 };
    for (const steadySince of [0, 1]) await storeClock(sql, { ...clock, steadySince });
    expect(await readClock(stores[1].sql)).toEqual(clock);

    await together((one) => keepConsentText(one.sql, { body: { lines: ['Я согласен'] } }));
    expect(await sql.query('SELECT text FROM consent_text')).toEqual([{ text: 'Я согласен' }]);

    await together((one) => one.leads.probe());
    expect(await stored()).toEqual({ leads: 0, deliveries: 0 });
    expect((await add()).number).toBe(1);
  });
});
