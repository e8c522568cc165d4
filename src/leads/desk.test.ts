import { afterEach, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { builtEdition, siteUrl } from '../testing/test-site.ts';
import { until } from '../testing/until.ts';
import type { Channel } from './channels/channel.ts';
import { type Database, openDatabase } from './database.ts';
import { type Desk, startDesk } from './desk.ts';
import { sqliteLeadStore } from './sqlite-store.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { newLead } from './testing.ts';

let database: Database;
let desk: Desk;

afterEach(async () => {
  await desk.stop();
  database.close();
});

test('a visitor is answered before the first channel turns to the request, and then it does so by itself', async () => {
  database = openDatabase(temporaryFolder());
  const store = sqliteLeadStore(database);
  const events: string[] = [];
  const channel: Channel = {
    kind: 'webhook',
    name: 'hook',
    parallel: 1,
    deliver: async () => void events.push('told'),
  };
  desk = await startDesk({
    store: {
      ...store,
      claim(...options) {
        events.push('claimed');
        return store.claim(...options);
      },
    },
    channels: [channel],
    later: [],
    content: (await builtEdition()).content,
    siteUrl,
    logger: pino({ level: 'silent' }),
  });
  // What it does at its start is none of the visitor's business.
  await new Promise((resolve) => setImmediate(resolve));
  events.length = 0;
  const receipt = desk.receive(newLead(), new Date(Date.now() - 60_000)).then(() => events.push('answered'));
  await receipt;
  expect(events).toEqual(['answered']);
  await until(() => events.includes('told'), 'the delivery');
  expect(events.slice(0, 2)).toEqual(['answered', 'claimed']);
});
