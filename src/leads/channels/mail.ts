import * as z from 'zod';
import { hashOf } from '../../lib/hash.ts';
import { withAsciiHost } from '../../lib/host.ts';
import { asciiMail, mailPattern } from '../../lib/mail-address.ts';
import { explainCode, RemoteError } from '../../lib/remote-error.ts';
import { list, passwordSigns } from '../../lib/variable.ts';
import type { Notification, Sender } from '../messages/notification.ts';
import { type Channel, defineChannel } from './channel.ts';

const mailbox = z
  .email({ pattern: mailPattern, error: 'an address such as info@example.ru, in Latin letters before the @' })
  .transform(asciiMail);

const smtpForm = `an address such as smtp://user:password@host:587, or smtps:// for TLS from the start, as on port 465; ${passwordSigns}`;

const smtpUrl = z
  .url({ protocol: /^smtps?$/, hostname: /./, error: smtpForm, abort: true })
  .refine((value) => {
    const { protocol, port, pathname, hash } = new URL(value);
    return /^\/?$/.test(pathname) && hash === '' && !(protocol === 'smtp:' && port === '465');
  }, smtpForm)
  .transform(withAsciiHost);

/** Duplicates are dropped, ignoring case. */
const mailboxes = list
  .pipe(z.array(mailbox).min(1, 'at least one address'))
  .transform((addresses) => [...new Set(addresses.map((address) => address.toLowerCase()))]);

/** One channel per mailbox, so that a full one delays no other. */
export const mail = defineChannel({
  inPolicy: /почт/i,
  needs: {
    SMTP_URL: smtpUrl.optional(),
    LEADS_EMAIL_FROM: mailbox.optional(),
    LEADS_EMAIL_TO: mailboxes.optional(),
  },
  may: {},
  make: ({ SMTP_URL: url, LEADS_EMAIL_FROM: from, LEADS_EMAIL_TO: mailboxes }, site) =>
    mailboxes.map((to) => mailChannel({ url, from, to, site })),
});

/**
 * A server that scans mail may take most of a minute for its last answer. It keeps the mail even if we no longer wait,
 * so a retry would send a second one.
 */
const timeoutMs = 60_000;

/** Milliseconds. The library's defaults reach ten minutes, within which we promise to call. */
const timeouts = {
  dnsTimeout: 5_000,
  connectionTimeout: 5_000,
  greetingTimeout: 5_000,
  socketTimeout: timeoutMs - 2_000,
  // Closes the socket even if the other side does not.
  socketCloseTimeout: 0,
};

/**
 * Repeats share a Message-ID, because mail programs recognize duplicates by it. The date is that of the attempt:
 * otherwise mail programs sort a late mail among yesterday's.
 *
 * @param options.url may have options such as `?requireTLS=true` and `?tls.rejectUnauthorized=false`
 */
export function mailChannel({ url, from, to, site }: { url: string; from: string; to: string; site: Sender }): Channel {
  async function deliver(notifications: readonly Notification[], signal: AbortSignal): Promise<void> {
    // Made of all leads, because a retry may join others.
    const id = hashOf(
      notifications
        .map(({ deliveryId }) => deliveryId)
        .toSorted()
        .join(' '),
    );
    // Saves memory on servers without mail.
    const [{ default: nodemailer }, { mailMessage }] = await Promise.all([
      import('nodemailer'),
      import('./mail-message.ts'),
    ]);
    try {
      await nodemailer.createTransport({ url, ...timeouts }).sendMail({
        ...mailMessage(notifications, site),
        from: { name: site.name, address: from },
        to: { name: '', address: to },
        envelope: { from, to: [to] },
        messageId: `<${id}@${new URL(site.url).hostname}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
        disableFileAccess: true,
        disableUrlAccess: true,
        signal,
      });
    } catch (error) {
      throw new RemoteError(`The mail server at ${new URL(url).host}: ${explain(error, signal)}`);
    }
  }

  return {
    name: `mail:${to}`,
    parallel: 1,
    joins: true,
    timeoutMs,
    deliver,
  };
}

type SmtpError = Partial<Error & Record<'code' | 'originalCode' | 'command' | 'responseCode' | 'response', unknown>>;

function explain(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return 'it did not answer in time';
  const { code, originalCode, command, responseCode, response }: SmtpError = Error.isError(error) ? error : {};
  if (code === 'ETLS') return 'no encrypted connection could be made';
  if (typeof responseCode === 'number') return refusal(String(command), responseCode, String(response));
  if (code === 'EAUTH') return 'it accepts no way to sign in that is known here; check SMTP_URL';
  if (code === 'EPROTOCOL') return 'it does not speak SMTP';
  const cause = originalCode ?? code;
  return explainCode(typeof cause === 'string' ? cause : undefined);
}

/** By the command that was refused: what, and what to do. */
const refused: Readonly<Record<string, [what: string, remedy: string]>> = {
  AUTH: [
    'the user or the password',
    '; check SMTP_URL, and whether the mailbox has a password of its own for programs',
  ],
  MAIL: ['the sender', '; check LEADS_EMAIL_FROM'],
  RCPT: ['the recipient', '; check LEADS_EMAIL_TO and that mailbox'],
  DATA: ['the mail', ''],
};

function refusal(command: string, status: number, response: string): string {
  // The full response may quote the mail.
  const [codes = ''] = /^\d{3}([ -]\d\.\d{1,3}\.\d{1,3})?/.exec(response) ?? [];
  if (status < 500) return `it did not take the mail for now (${codes})`;
  if (status === 530) return `it wants a user and a password (${codes}); add them to SMTP_URL`;
  const [what, remedy] = refused[command.slice(0, 4)] ?? ['the connection', ''];
  return `it refused ${what} (${codes})${remedy}`;
}
