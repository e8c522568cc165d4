import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { pino } from 'pino';
import { paths } from '../../lib/paths.ts';
import type { Sql } from '../../lib/sql.ts';
import { loadConfig } from '../../operator/config.ts';
import { newLead, plan } from '../../testing/leads.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { filledForm, shownSite, startTestSite } from '../../testing/test-site.ts';
import { consentOf } from './consent.ts';
import { type Store, storeIn } from './open-store.ts';
import { believe, believed, expiry, startRetention } from './retention.ts';
import { type Database, openDatabase } from './sqlite.ts';

const days = { requests: 365, consents: 4 * 365 + 1 };
const agreed = { body: { html: '<p>Согласен на всё.</p>', headings: [], minutes: 1 } };
const consent = () => agreed;
const nobody = pino({ level: 'silent' });

describe('what is said', () => {
  test('in the legal texts is what the program does unless told otherwise', () => {
    const config = loadConfig({});
    expect(config.retention).toEqual(days);
    const text = (name: string) => readFileSync(join(paths.content, `legal/${name}.md`), 'utf8').replace(/\s+/g, ' ');
    expect(text('policy')).toContain('Заявку - 12 месяцев');
    expect(text('policy')).toContain('Сведения о согласии - ещё три года после удаления заявки');
    expect(text('consent')).toContain('12 месяцев с последнего разговора');
  });

  test('in the environment holds, and evidence outlives what it is evidence of', () => {
    const { retention } = loadConfig({ LEADS_RETENTION_DAYS: '30', CONSENT_RETENTION_DAYS: '40' });
    expect(retention).toEqual({ requests: 30, consents: 40 });
    expect(() => loadConfig({ LEADS_RETENTION_DAYS: '30', CONSENT_RETENTION_DAYS: '29' })).toThrow(
      'CONSENT_RETENTION_DAYS: fewer than LEADS_RETENTION_DAYS',
    );
    expect(() => loadConfig({ LEADS_RETENTION_DAYS: '2000' })).toThrow('CONSENT_RETENTION_DAYS: fewer');
    expect(() => loadConfig({ LEADS_RETENTION_DAYS: '0' })).toThrow('LEADS_RETENTION_DAYS: ');
  });
});

test('time is up at midnight, so many days later', () => {
  const retention = { requests: 1, consents: 3 };
  const before = (now: string) => expiry(Date.parse(now), retention);
  expect(before('2026-11-20T00:00:00.000Z')).toEqual({
    requests: '2026-11-19T00:00:00.000Z',
    consents: '2026-11-17T00:00:00.000Z',
  });
  expect(before('2026-11-20T23:59:59.999Z')).toEqual(before('2026-11-20T00:00:00.000Z'));
});

describe('leads that are kept long enough', () => {
  let database: Database;
  let store: Store;
  let dataDir: string;

  beforeEach(() => {
    dataDir = temporaryFolder();
    database = openDatabase(dataDir);
    store = storeIn(database);
  });

  afterEach(async () => {
    await store.close();
    database.close();
  });

  async function keptFor(daysAgo: number): Promise<number> {
    const { number } = await store.leads.add(newLead({ key: `key-of-${daysAgo}` }), plan);
    const receivedAt = new Date(Date.now() - daysAgo * 86_400_000).toISOString();
    database.connection.prepare('UPDATE lead SET received_at = ? WHERE number = ?').run(receivedAt, number);
    return number;
  }

  test('lose all but the evidence of consent, and then are gone', async () => {
    const [recent, stripped, removed] = [await keptFor(364), await keptFor(367), await keptFor(days.consents + 2)];
    const lines: string[] = [];
    const logger = pino({ base: null }, { write: (line: string) => void lines.push(line) });
    await startRetention({ sql: database, consent, retention: days, logger }).stop();
    expect(await store.leads.find(recent)).toMatchObject({ name: 'Анна', message: expect.any(String) });
    const left = await store.leads.find(stripped);
    expect(left).toMatchObject({ name: null, message: null, phoneTyped: '', attribution: {} });
    expect(left).toMatchObject({ phone: '+79161234567', consent: newLead().consent, page: newLead().page });
    expect(await store.leads.find(removed)).toBeUndefined();
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { level: 30, time: expect.any(Number), stripped: 1, removed: 1, msg: 'leads have been kept for long enough' },
    ]);
  });

  test.each([
    ['three days ahead', 3, 60, false],
    ['two years ahead', 730, 86_000, false],
    ['three days back', -3, 60, false],
    ['an hour ahead, as hours pass', 1 / 24, 60, true],
    ['three days ahead, where the server has run for a day', 3, 90_000, true],
  ])('stay as long as a clock that has jumped may be wrong: %s', async (_, daysGone, uptime, removes) => {
    const number = await keptFor(400);
    const last = new Date(Date.now() - daysGone * 86_400_000).toISOString();
    await believe(database, last);
    const lines: string[] = [];
    const logger = pino({ base: null }, { write: (line: string) => void lines.push(line) });
    await startRetention({ sql: database, consent, retention: days, logger, uptime: () => uptime }).stop();
    expect((await store.leads.find(number))?.name).toBe(removes ? null : 'Анна');
    expect((await believed(database)) === last).toBe(!removes);
    expect(lines.join('').includes('the clock has jumped')).toBe(!removes);
  });

  test('are looked for every hour, and a failure waits for the next one', async () => {
    jest.useFakeTimers();
    try {
      let asked = 0;
      const failing: Sql = {
        ...database,
        async query<R extends object>(text: string) {
          if (text.includes('consent_text')) asked += 1;
          if (asked === 1) throw new Error('the disk is full');
          return [] as R[];
        },
      };
      const errors: unknown[] = [];
      const logger = pino({ level: 'error' }, { write: (line: string) => void errors.push(JSON.parse(line)) });
      const retention = startRetention({ sql: failing, consent, retention: days, logger });
      await jest.advanceTimersByTimeAsync(3 * 3_600_000);
      expect(asked).toBe(4);
      expect(errors).toHaveLength(1);
      await retention.stop();
      await jest.advanceTimersByTimeAsync(3 * 3_600_000);
      expect(asked).toBe(4);
    } finally {
      jest.useRealTimers();
    }
  });

  test('leave no text without its hash: what visitors agree to now is kept', async () => {
    await startRetention({ sql: database, consent, retention: days, logger: nobody }).stop();
    const kept = database.connection.prepare('SELECT hash, text FROM consent_text').all();
    const { hash } = consentOf(agreed);
    expect(kept).toEqual([expect.objectContaining({ hash, text: '<p>Согласен на всё.</p>' })]);
  });
});

test('a lead from the form carries the hash of the text that is kept', async () => {
  const site = await startTestSite();
  await site.post(filledForm);
  const { hash: consent } = consentOf((await shownSite()).content.legal.consent);
  expect(await site.services.leads.find(1)).toMatchObject({ consent });
});
