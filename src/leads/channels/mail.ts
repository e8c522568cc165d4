import { createHash } from 'node:crypto';
import * as z from 'zod';
import { decoded } from '../../lib/decoded.ts';
import { explainCode, RemoteError } from '../../lib/remote-error.ts';
import { type Channel, channelKind, type Notification, type Sender } from './channel.ts';
import { remark } from './remark.ts';

const mailbox = z.email('an address such as info@example.ru');

const smtpUrl = z.string().superRefine((value, context) => {
  try {
    parseSmtpUrl(value);
  } catch (error) {
    context.addIssue(Error.isError(error) ? error.message : 'not an SMTP address');
  }
});

/** Addresses with commas between them; those that differ in case alone are one. */
const mailboxes = z
  .string()
  .transform((value) => [...new Set(value.split(',').map((address) => address.trim().toLowerCase()))].filter(Boolean))
  .pipe(z.array(mailbox).min(1, 'at least one address'));

/** A channel for each mailbox. */
export const mail = channelKind({
  words: { name: 'Почта', taken: 'по ссылке из письма' },
  needs: {
    SMTP_URL: smtpUrl.optional(),
    LEADS_EMAIL_FROM: mailbox.optional(),
    LEADS_EMAIL_TO: mailboxes.optional(),
  },
  may: {},
  make: ({ SMTP_URL: url, LEADS_EMAIL_FROM: from, LEADS_EMAIL_TO: mailboxes }, site) =>
    mailboxes.map((to) => mailChannel({ url, from, to, site })),
});

type MailOptions = {
  /** `smtp://` or `smtps://`, as `parseSmtpUrl` reads it. */
  url: string;
  /** The address that mail comes from; the name beside it is the site's. */
  from: string;
  /** One mailbox: each is a channel of its own, so that a full one does not hold up the others. */
  to: string;
  site: Sender;
};

/** Milliseconds. The library's own reach up to ten minutes, which is the whole promise. */
const timeouts = {
  dnsTimeout: 5_000,
  connectionTimeout: 5_000,
  greetingTimeout: 5_000,
  socketTimeout: 8_000,
  // An attempt that ended leaves no socket behind, even if the other side does not close it.
  socketCloseTimeout: 0,
};

/** Loaded by the first mail, so that a server without mail never has it in memory. */
type Words = typeof import('./mail-message.ts');

/**
 * Mails notifications to one mailbox. Repeated deliveries have the same Message-ID, by which mail programs and
 * servers know them. The date is that of the attempt: a mail that was late must not lie under those of yesterday.
 */
export function mailChannel({ url, from, to, site }: MailOptions): Channel {
  const server = parseSmtpUrl(url);

  async function send(
    told: readonly Notification[],
    id: string,
    mail: (words: Words) => ReturnType<Words['mailMessage']>,
    signal: AbortSignal,
  ): Promise<void> {
    const [{ default: nodemailer }, words] = await Promise.all([import('nodemailer'), import('./mail-message.ts')]);
    const transport = nodemailer.createTransport({ ...server, ...timeouts });
    try {
      await transport.sendMail({
        ...mail(words),
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
      const secrets = [server.auth?.user ?? '', server.auth?.pass ?? ''];
      throw new RemoteError(
        `The mail server at ${new URL(url).host}: ${explain(error, signal)}${remark(replyOf(error), told, secrets)}`,
      );
    }
  }

  return {
    kind: 'mail',
    name: `mail:${to}`,
    // Mail servers count the connections of one sender.
    parallel: 3,
    deliver: (notification, signal) =>
      send([notification], notification.deliveryId, ({ mailMessage }) => mailMessage(notification, site), signal),
    join: (joined, signal) =>
      send(joined, joinedId(joined), ({ joinedMailMessage }) => joinedMailMessage(joined, site), signal),
  };
}

/** Of all that are in it: a mail of others, though it begins with the same one, is another mail. */
function joinedId(joined: readonly Notification[]): string {
  const ids = joined.map(({ deliveryId }) => deliveryId).toSorted();
  return `msg_${createHash('sha256').update(ids.join(' ')).digest('base64url').slice(0, 22)}`;
}

/** What of an SMTP address is used. */
export type SmtpServer = {
  host: string;
  port?: number;
  secure: boolean;
  auth?: { user: string; pass: string };
  requireTLS?: boolean;
  name?: string;
  tls?: { rejectUnauthorized: boolean };
};

/**
 * Reads `smtp://user:password@host:587`, or `smtps://` for TLS from the start; user and password are percent-encoded.
 * Its query may hold `requireTLS=true`, `name={own name in EHLO}` and `tls.rejectUnauthorized=false`. The library would
 * take any of its options from there, the timeouts and a log of all mail included.
 *
 * @throws {TypeError} if it is no such address; the message does not repeat it, because it may hold a password
 */
export function parseSmtpUrl(text: string): SmtpServer {
  const url = URL.parse(text);
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === '' || url.pathname.length > 1 || url.hash) {
    throw new TypeError('not of the form smtp://user:password@host:port or smtps://user:password@host:port');
  }
  const server: SmtpServer = { host: url.hostname.replace(/^\[|\]$/g, ''), secure: url.protocol === 'smtps:' };
  if (url.port) server.port = Number(url.port);
  if (url.username) {
    const [user, pass] = [decoded(url.username), decoded(url.password)];
    if (user === undefined || pass === undefined) {
      throw new TypeError('user and password must be percent-encoded, % as %25');
    }
    server.auth = { user, pass };
  }
  for (const [key, value] of url.searchParams) {
    if (key === 'requireTLS' && /^(true|false)$/.test(value)) server.requireTLS = value === 'true';
    else if (key === 'tls.rejectUnauthorized' && /^(true|false)$/.test(value)) {
      server.tls = { rejectUnauthorized: value === 'true' };
    } else if (key === 'name' && value !== '') server.name = value;
    else throw new TypeError('after ? only requireTLS=true, tls.rejectUnauthorized=false and name=… are understood');
  }
  return server;
}

/** What the library adds to an error. */
type SmtpError = Partial<Error & Record<'code' | 'originalCode' | 'responseCode' | 'response', unknown>>;

function explain(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return 'it did not answer in time';
  const { code, originalCode, responseCode }: SmtpError = Error.isError(error) ? error : {};
  if (code === 'EAUTH') return 'it refused the user or the password; check SMTP_URL';
  if (code === 'ETLS') return 'no encrypted connection could be made';
  if (typeof responseCode === 'number') {
    return responseCode < 500 ? 'it did not take the mail for now' : 'it refused the mail';
  }
  if (code === 'EPROTOCOL') return 'it does not speak SMTP';
  const cause = originalCode ?? code;
  return explainCode(typeof cause === 'string' ? cause : undefined);
}

/** The server's own words, with their codes; empty if it said none. */
function replyOf(error: unknown): string {
  const { response }: SmtpError = Error.isError(error) ? error : {};
  return typeof response === 'string' ? response : '';
}
