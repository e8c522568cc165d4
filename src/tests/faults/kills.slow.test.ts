import { randomInt } from 'node:crypto';
import { Agent } from 'node:http';
import { expect, test } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { aMinuteLater, type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type Event, missingFrom, postQuestion, startPostOffice, startWebhook, storedIn } from './testing.ts';

const kills = Number(process.env.KILLS ?? 8);

const webhook = await startWebhook();
const postOffice = await startPostOffice(['sales@korob.example']);
const killed = { DATA_DIR: temporaryFolder(), TRUST_PROXY: '1', ...webhook.env, ...postOffice.env };
/** Messages by the receipt address that their senders were redirected to. */
const acknowledged = new Map<string, string>();

/** Sends leads until the server is gone, and kills it after some of them. */
async function killUnderLoad({ port, child, exited }: ServerProcess, round: number): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  let left = randomInt(1, 40);
  const send = async (sender: number) => {
    for (let count = 0; ; count++) {
      const message = `${round}-${sender}-${count}`;
      const answer = await postQuestion(port, message, agent).catch(() => undefined);
      if (answer === undefined) return;
      expect(answer.status).toBe(303);
      acknowledged.set(answer.headers.location ?? '', message);
      left -= 1;
      if (left === 0) setTimeout(() => child.kill('SIGKILL'), randomInt(20));
    }
  };
  await Promise.all([1, 2, 3, 4].map(send));
  await exited;
  agent.destroy();
}

const numbersOf = (events: readonly Event[]) => new Set(events.map(({ data }) => data.number));

test(`no acknowledged lead is lost in ${kills} kills, under load and at the start`, async () => {
  for (let round = 0; round < kills; round++) {
    const atStart = round % 4 === 3;
    const server = await startServerProcess(killed, (child) => {
      if (atStart) setTimeout(() => child.kill('SIGKILL'), randomInt(1_000));
    }).catch(() => undefined);
    if (server) await killUnderLoad(server, round);
    else expect(atStart).toBe(true);
    const stored = storedIn(killed.DATA_DIR);
    expect([stored.integrity, missingFrom(stored, acknowledged)]).toEqual(['ok', []]);
  }
  expect(acknowledged.size).toBeGreaterThan(0);
});

test('every lead reaches every channel after the kills, and repeated events keep their id', async () => {
  await startServerProcess({ ...killed, ...aMinuteLater });
  const { leads } = storedIn(killed.DATA_DIR);
  const numbers = new Set([...leads.values()].map(({ number }) => number));
  await eventually(() => numbersOf(webhook.events), numbers, 'every webhook');
  expect(new Set(webhook.events.map(({ id }) => id)).size).toBe(numbers.size);
  // Deliveries that waited for the end of a claim may arrive in one mail about several leads.
  const mailed = () =>
    postOffice.mails.flatMap(({ mail }) =>
      [...(mail.text ?? '').matchAll(/^(?:Заявка )?№ (\d+):/gm)].map(([, number]) => Number(number)),
    );
  await eventually(() => new Set(mailed()), numbers, 'every mail');
});
