import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import fc from 'fast-check';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { Channel } from '../../leads/channels/channel.ts';
import { readAttribution, readPage } from '../../leads/form/read-lead-form.ts';
import type { Notification, Sender } from '../../leads/messages/notification.ts';
import type { Lead } from '../../leads/store/lead.ts';
import { RemoteError } from '../../lib/remote-error.ts';
import { tidyLine, tidyText } from '../../lib/tidy.ts';
import { atEnd } from './at-end.ts';
import { keptLead } from './sample-leads.ts';

export const site: Sender = { name: 'Короб', url: 'https://korob.example', timeZone: 'Europe/Moscow' };

/** Personal data that no error may contain. */
const canaries = {
  name: 'Канарейкина',
  phone: '+79160009988',
  phoneTyped: '8 916 000 99 88 добавочный Зяблик',
  message: 'Чижик сидит в клетке\nи поёт',
  attribution: { utm_source: 'snegir' },
};

export const takeUrl = 'https://korob.example/leads/12/take?token=TakeWagtail';

/** A notification about a lead of the form; `about` overrides fields. */
export function notificationOf(
  about: Partial<Omit<Notification, 'lead'>> & { lead?: Partial<Lead> } = {},
): Notification {
  const lead = keptLead(about.lead);
  return {
    deliveryId: '0197f3a0-5b1c-7000-8000-000000000001',
    reason: 'new',
    presetTitle: 'Заказать расчет',
    takeUrl,
    ...about,
    lead,
  };
}

/** Pieces that could end a line, a header, a tag, an entity or an address. */
const nasty = fc.constantFrom(
  '\r\n',
  '\n',
  '\r',
  '\0',
  '\u2028',
  '\u202e',
  '\ud800',
  '🐤',
  '\r\nBcc: evil@example.net\r\n',
  '\r\n.\r\nMAIL FROM:<evil@example.net>\r\n',
  '\r\n\r\n--=_boundary\r\nContent-Type: text/html\r\n\r\n',
  'group: a@evil.example, b@evil.example;',
  '"evil" <evil@example.net>,',
  '=?utf-8?B?DQpCY2M6IGV2aWxAZXhhbXBsZS5uZXQ=?=',
  '<script>alert(1)</script>',
  '<a href="https://evil.example">',
  '</blockquote></td></tr></table>',
  '&lt;b&gt;',
  "\" onmouseover='x'",
  '{{ takeUrl }}{% raw %}',
  '[url=https://evil.example]press[/url]',
  '*bold* _it_ `code` ||spoiler|| [x](tg://user?id=1)',
  '@everyone /start',
  'https://evil.example',
  'Телефон: +7 000 000-00-00',
);

const words = fc.array(fc.oneof(nasty, fc.string({ unit: 'grapheme', maxLength: 12 }), fc.string({ maxLength: 12 })), {
  maxLength: 6,
});
const text = words.map((parts) => parts.join(''));

/** Anything that a visitor may send. */
export const hostileForm = fc.record({
  name: fc.option(text, { nil: null }),
  phoneTyped: text,
  message: fc.option(text, { nil: null }),
  page: fc.oneof(fc.constant('/rates'), text),
  attribution: fc.dictionary(text, text, { maxKeys: 3 }),
});

/** The worst leads that the form accepts. */
export const hostileLead: fc.Arbitrary<Partial<Lead>> = hostileForm.map(
  ({ name, phoneTyped, message, page, attribution }) => ({
    name: tidyLine(name ?? '') || null,
    phoneTyped: tidyLine(phoneTyped),
    message: tidyText(message ?? '') || null,
    page: readPage(page),
    attribution: readAttribution(Object.entries(attribution)),
  }),
);

/** A signal that never aborts, so that only the channel itself ends an attempt. */
export function endless(): AbortSignal {
  return new AbortController().signal;
}

/** A loopback server that stops after the tests of the file; `closed` resolves once every connection is closed. */
type TestServer = { port: number; closed(): Promise<void>; stop(): Promise<void> };

/** Starts a server on a free port and tracks its connections. */
async function watch(server: ReturnType<typeof createServer>): Promise<TestServer> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = async () => {
    for (const socket of sockets) socket.destroy();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };
  atEnd(stop);
  return {
    port: (server.address() as AddressInfo).port,
    closed: async () => {
      const ended = [...sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve)));
      await Promise.all(ended);
    },
    stop,
  };
}

/** Starts a server of bare sockets, for misbehaviour that no library offers. */
export function rawServer(connected: (socket: Socket) => void): Promise<TestServer> {
  return watch(createServer(connected));
}

/** A request that an HTTP server received. */
export type Received = { url: string; headers: Record<string, string>; body: string };

/** Starts an HTTP server that records its requests. */
export async function httpServer(
  answer: (res: ServerResponse, received: Received) => void,
): Promise<TestServer & { url: string; received: Received[] }> {
  const received: Received[] = [];
  const server = createHttpServer(async (req: IncomingMessage, res) => {
    let body = '';
    for await (const chunk of req.setEncoding('utf8')) body += chunk;
    const headers = Object.fromEntries(Object.entries(req.headers).map(([name, value]) => [name, String(value)]));
    const got = { url: req.url ?? '', headers, body };
    received.push(got);
    answer(res, got);
  });
  const watched = await watch(server);
  return { ...watched, url: `http://127.0.0.1:${watched.port}`, received };
}

/** Returns a loopback port on which no server listens. */
export async function closedPort(): Promise<number> {
  const server = await rawServer(() => undefined);
  await server.stop();
  return server.port;
}

export function sendJson(res: ServerResponse, status: number, body: unknown): void {
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Text that no error may contain; every secret of a channel under test contains `Canary`. */
const forbidden = /Canary|Канарейкина|0009988|000-99-88|Зяблик|Чижик|snegir|TakeWagtail/;

/**
 * Returns the error of a delivery that fails.
 *
 * @throws if the delivery succeeds, fails with anything but a `RemoteError`, or if the error contains forbidden text
 */
export async function failureOf(channel: Channel, signal = endless()): Promise<RemoteError> {
  const error = await channel.deliver([notificationOf({ lead: canaries })], signal).then(
    () => new Error('the delivery succeeded'),
    (error: unknown) => error,
  );
  if (!(error instanceof RemoteError)) throw error;
  const printed = `${error.stack} ${JSON.stringify(error)} ${error.cause}`;
  if (forbidden.test(printed)) throw new Error(`The error tells too much: ${printed}`);
  return error;
}

export type Mail = { from: string; to: string[]; source: string; mail: Email };

/** Starts a mail server that records mails, and accepts all of them unless `options` say otherwise. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<{ port: number; sent: Mail[] }> {
  const sent: Mail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    hideSTARTTLS: true,
    disableReverseLookup: true,
    closeTimeout: 100,
    onData(stream, { envelope }, taken) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', async () => {
        const source = Buffer.concat(chunks);
        sent.push({
          from: envelope.mailFrom ? envelope.mailFrom.address : '',
          to: envelope.rcptTo.map(({ address }) => address),
          source: source.toString(),
          mail: await PostalMime.parse(source),
        });
        taken();
      });
    },
    ...options,
  });
  // A killed client breaks its connection.
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  atEnd(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return { port: (server.server.address() as AddressInfo).port, sent };
}

/** The replies of a mail server before it receives the text of a mail. */
export const smtpLines = ['220 hi', '250 hi', '250 ok', '250 ok', '354 go'];

/**
 * Starts a mail server that sends the given lines: the first at once, then one for each line of the client and for its
 * text. After the last it calls `atLast`. `heard` receives what a client sent, once it has disconnected.
 */
export function scriptedMailServer(
  lines: readonly string[],
  { atLast, heard }: { atLast?: (socket: Socket) => void; heard?: (said: string) => void } = {},
): Promise<TestServer> {
  return rawServer((socket) => {
    const left = [...lines];
    let said = '';
    const next = () => {
      const line = left.shift();
      if (line !== undefined) socket.write(`${line}\r\n`);
      if (left.length === 0) atLast?.(socket);
    };
    socket.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (/\r\nDATA\r\n./s.test(said) ? said.endsWith('\r\n.\r\n') : said.endsWith('\r\n')) next();
    });
    socket.once('close', () => heard?.(said));
    next();
  });
}
