import { expect, test } from '@jest/globals';
import { mailChannel } from '../../leads/channels/mail.ts';
import { failureOf, scriptedMailServer, site } from '../support/channels.ts';

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
