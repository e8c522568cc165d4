import { expect, test } from '@jest/globals';
import { eventually } from '../testing/eventually.ts';
import { aMinuteLater, startServerProcess } from '../testing/server-process.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { type Killed, killRepeatedly } from './kills.ts';
import { ask, deliveryTime, missingFrom, startPostOffice, startWebhook, storedIn } from './testing.ts';

/** `npm run bench -- --only kills` makes two hundred. */
const kills = Number(process.env.KILLS ?? 20);

const dataDir = temporaryFolder();
const webhook = await startWebhook();
const postOffice = await startPostOffice(['sales@korob.example']);
let killed: Killed;

test(`of ${kills} kills, no acknowledged request is lost, and the database stays whole`, async () => {
  // The webhook alone sees more requests, the mail more of its own conversations cut.
  const before = Math.floor(kills / 2);
  const alone = await killRepeatedly(before, { DATA_DIR: dataDir, ...webhook.env });
  const both = await killRepeatedly(kills - before, { DATA_DIR: dataDir, ...webhook.env, ...postOffice.env });
  killed = {
    acknowledged: new Map([...alone.acknowledged, ...both.acknowledged]),
    unexpected: [...alone.unexpected, ...both.unexpected],
    early: alone.early + both.early,
  };
  process.stdout.write(
    `${kills} kills, ${killed.early} of them before the server served; ${killed.acknowledged.size} requests acknowledged.\n`,
  );
  expect(killed.unexpected).toEqual([]);
  expect(killed.acknowledged.size).toBeGreaterThan(kills / 2);
}, 600_000);

test('once it is left in peace, every request is told to every channel, repeated events under the same id', async () => {
  const last = await startServerProcess({ DATA_DIR: dataDir, ...webhook.env, ...postOffice.env, ...aMinuteLater });
  expect((await ask(last.port, '/readyz')).status).toBe(200);
  // What a killed process had claimed is due when its lease ends, and what has failed a little later.
  const waiting = () => storedIn(dataDir).deliveries.filter(({ state }) => state !== 'delivered');
  await eventually(() => waiting().length === 0, true, 'every delivery', deliveryTime);

  const { leads, deliveries } = storedIn(dataDir);
  expect(missingFrom({ leads }, killed.acknowledged)).toEqual([]);
  const told = (channel: string) => deliveries.filter((one) => one.channel === channel).map(({ lead }) => lead);
  const numbers = [...leads.values()].map(({ number }) => number);
  expect(told('webhook')).toEqual(numbers);
  expect(told('mail:sales@korob.example').length).toBeGreaterThan(0);

  const events = webhook.events.map(({ id, data }) => ({ id, lead: data.number }));
  expect(new Set(events.map(({ lead }) => lead))).toEqual(new Set(numbers));
  expectOneIdEach(events, numbers.length);
  // What waited for the end of a claim may come in a mail about several.
  const mails = postOffice.mails.map(({ mail }) =>
    [...(mail.text ?? '').matchAll(/^(?:Заявка )?№ (\d+):/gm)].map(([, number]) => Number(number)),
  );
  const mailed = new Set(told('mail:sales@korob.example'));
  expect(new Set(mails.flat())).toEqual(mailed);
  process.stdout.write(
    `${numbers.length} leads, ${events.length} webhooks and ${mails.length} mails for ${mailed.size} of them.\n`,
  );
}, 120_000);

function expectOneIdEach(told: readonly { id: string; lead: number }[], leads: number): void {
  const pairs = new Set(told.map(({ id, lead }) => `${id} ${lead}`));
  const ids = new Set(told.map(({ id }) => id));
  expect([pairs.size, ids.size]).toEqual([leads, leads]);
}
