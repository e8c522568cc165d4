import { afterEach, expect, test } from '@jest/globals';
import { pino } from 'pino';
import type { Channel } from '../leads/channels/channel.ts';
import { type Desk, startDesk } from '../leads/form/receive.ts';
import { storeIn } from '../leads/store/open-store.ts';
import { type Database, openDatabase } from '../leads/store/sqlite.ts';
import { siteUrl } from '../testing/built.ts';
import { eventually } from '../testing/eventually.ts';
import { newLead } from '../testing/leads.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { shownSite } from '../testing/test-site.ts';

let database: Database;
let desk: Desk;

afterEach(async () => {
  await desk.stop();
  database.close();
});

test('of what is in quarantine those learn who are told at once and can be told of several leads in one message', async () => {
  database = openDatabase(temporaryFolder());
  const { leads, deliveries } = storeIn(database);
  await leads.add(newLead(), { quarantined: true, channels: [], escalateAt: null });
  const { content } = await shownSite();
  const { company, ...rest } = content;
  const week = Array.from({ length: 7 }, (): [string, string] => ['00:00', '24:00']);
  const told: string[] = [];
  const channel = (name: string): Channel => ({
    ...{ kind: 'mail', name, parallel: 1 },
    joins: true,
    deliver: async (notifications) => void told.push(...notifications.map(({ reason }) => `${reason} ${name}`)),
  });
  const { joins: _, ...crm } = channel('crm');
  desk = startDesk({
    ...{ leads, deliveries, siteUrl, channels: [channel('mail'), crm, channel('boss')], later: ['boss'] },
    content: () => ({
      ...rest,
      company: { ...company, workingHours: { ...company.workingHours, week, holidays: [] } },
    }),
    logger: pino({ level: 'silent' }),
  });
  await eventually(() => told.length > 0, true, 'the digest');
  await desk.stop();
  expect(told).toEqual(['digest mail']);
  expect(await deliveries.of(1)).toHaveLength(1);
});

test('a visitor is answered before the first channel turns to the request, and then it does so by itself', async () => {
  database = openDatabase(temporaryFolder());
  const { leads, deliveries } = storeIn(database);
  const { content } = await shownSite();
  const events: string[] = [];
  const channel: Channel = {
    kind: 'webhook',
    name: 'hook',
    parallel: 1,
    deliver: async () => void events.push('told'),
  };
  desk = startDesk({
    leads,
    deliveries: {
      ...deliveries,
      claim(...options) {
        events.push('claimed');
        return deliveries.claim(...options);
      },
    },
    channels: [channel],
    later: [],
    content: () => content,
    siteUrl,
    logger: pino({ level: 'silent' }),
  });
  // What it does at its start is none of the visitor's business.
  await new Promise((resolve) => setImmediate(resolve));
  events.length = 0;
  const receipt = desk.receive(newLead(), new Date(Date.now() - 60_000)).then(() => events.push('answered'));
  await receipt;
  expect(events).toEqual(['answered']);
  await eventually(() => events.includes('told'), true, 'the delivery');
  expect(events.slice(0, 2)).toEqual(['answered', 'claimed']);
});
