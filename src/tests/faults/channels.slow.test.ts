import { expect, test } from '@jest/globals';
import { mailChannel } from '../../leads/channels/mail.ts';
import { failureOf, httpServer, rawServer, scriptedMailServer, sendJson, site } from '../support/channels.ts';
import { eventually } from '../support/eventually.ts';
import { aMinuteLater, startServerProcess } from '../support/server-process.ts';
import { askKeepAlive, postQuestion, startPostOffice, startWebhook, storedIn } from './testing.ts';

test('leads are accepted while every channel hangs, and the next process delivers them', async () => {
  const webhook = await startWebhook();
  const post = await startPostOffice(['sales@korob.example']);
  const web = await httpServer((res) =>
    sendJson(res, 200, { ok: true, message: {}, result: { items: [], item: { id: 1 } } }),
  );
  let reached = 0;
  const mute = await rawServer(() => {
    reached += 1;
  });
  const channelsAt = (url: string) => ({
    TRUST_PROXY: '1',
    ...webhook.env,
    TELEGRAM_BOT_TOKEN: '1:TokenCanaryTokenCanary',
    TELEGRAM_CHAT_ID: '-100',
    TELEGRAM_API_BASE: url,
    MAX_BOT_TOKEN: 'MaxTokenCanaryMaxTokenCanary',
    MAX_CHAT_ID: '-100',
    MAX_API_BASE: url,
    BITRIX24_WEBHOOK_URL: `${url}/rest/1/CodeCanary/`,
    ...post.env,
  });
  const silence = `127.0.0.1:${mute.port}`;
  const hanging = { LEADS_WEBHOOK_URL: `http://${silence}`, SMTP_URL: `smtp://${silence}` };
  const first = await startServerProcess({ ...channelsAt(`http://${silence}`), ...hanging });
  expect((await postQuestion(first.port, 'first')).status).toBe(303);
  await eventually(() => reached >= 5, true, 'a connection from every channel');
  const answers = await Promise.all(Array.from({ length: 19 }, (_, n) => postQuestion(first.port, `while ${n}`)));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 303));
  expect((await askKeepAlive(first.port, '/readyz')).status).toBe(200);
  const waiting = () => storedIn(first.dataDir).deliveries.filter((one) => one.delivered_at === null).length;
  expect(waiting()).toBe(100);
  first.child.kill('SIGKILL');
  await first.exited;

  const next = await startServerProcess({ ...channelsAt(web.url), ...aMinuteLater, DATA_DIR: first.dataDir });
  await eventually(waiting, 0, 'every delivery');
  expect(new Set(webhook.events.map(({ data }) => data.number)).size).toBe(20);
  expect(web.received.filter(({ url }) => url.endsWith('/crm.item.add'))).toHaveLength(20);
  const messages = ['/sendMessage', '/messages'].map((path) =>
    web.received.filter(({ url }) => url.includes(path)).map(({ body }) => body),
  );
  for (const told of [post.mails.map(({ mail }) => mail.text), ...messages]) {
    expect(new Set(told.join().match(/№ \d+(?=:)/g)).size).toBe(20);
  }
  expect(first.output() + next.output()).not.toMatch(/Анна|\+7916|8 916|Canary|whsec_|\/take\//);
});

test('a mail server that hangs fails the delivery in time, even without an abort signal', async () => {
  const servers = await Promise.all([scriptedMailServer([]), scriptedMailServer(['220 hi'])]);
  const errors = await Promise.all(
    servers.map(({ port }) =>
      failureOf(mailChannel({ url: `smtp://127.0.0.1:${port}`, from: 'a@b.example', to: 'c@d.example', site })),
    ),
  );
  for (const { message } of errors) expect(message).toMatch(/did not answer in time$/);
  await Promise.all(servers.map((server) => server.closed()));
});
