import { Agent } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { Webhook } from 'standardwebhooks';
import { newKey } from '../../leads/form/read-lead-form.ts';
import { databasePath } from '../../leads/store/sqlite.ts';
import { type Ask, asForm, ask, type HttpAnswer } from '../support/ask.ts';
import { httpServer, type Received, startMailServer } from '../support/channels.ts';

const keepAlive = new Agent({ keepAlive: true });

/** Sends a request on a keep-alive connection, unless `agent` is false. */
export function askKeepAlive(port: number, path: string, options: Ask = {}): Promise<HttpAnswer> {
  return ask(port, path, { agent: keepAlive, ...options });
}

/** Posts a form like a browser does. */
function post(port: number, fields: Record<string, string> | URLSearchParams, options: Ask = {}): Promise<HttpAnswer> {
  return askKeepAlive(port, '/contact', asForm(fields, options));
}

let visitors = 0;

/** Returns the fields of a form with a new phone number. */
export function question(message: string): Record<string, string> {
  phones += 1;
  const phone = `8 916 1${String(phones).padStart(6, '0')}`;
  return {
    preset: 'request',
    name: 'Анна',
    phone,
    message,
    consent: 'yes',
    key: newKey(new Date(Date.now() - 60_000)),
  };
}

let phones = 0;

/** Posts a question from a new address, which the server believes with `TRUST_PROXY=1`. */
export function postQuestion(port: number, message: string, agent: Agent | false = keepAlive): Promise<HttpAnswer> {
  visitors += 1;
  const address = `10.${(visitors >> 16) & 255}.${(visitors >> 8) & 255}.${visitors & 255}`;
  return post(port, question(message), { headers: { 'x-forwarded-for': address }, agent });
}

/** The contents of a database. A receipt address is the one that the visitor was redirected to. */
export type Stored = {
  integrity: string;
  /** By the address of the receipt. */
  leads: Map<string, { number: number; message: string; state: string }>;
  deliveries: { lead: number; delivered_at: string | null; error: string | null }[];
};

/** Reads a database that a process may be using. */
export function storedIn(dataDir: string): Stored {
  const database = new DatabaseSync(databasePath(dataDir), { timeout: 5_000 });
  try {
    const leads = database.prepare('SELECT number, receipt, details, state FROM lead').all();
    return {
      integrity: String(database.prepare('PRAGMA integrity_check').get()?.integrity_check),
      leads: new Map(
        leads.map(({ number, receipt, details, state }) => [
          `/contact/${receipt}`,
          { number: Number(number), message: String(JSON.parse(String(details)).message), state: String(state) },
        ]),
      ),
      deliveries: database.prepare('SELECT lead, delivered_at, error FROM delivery').all() as Stored['deliveries'],
    };
  } finally {
    database.close();
  }
}

/** Returns the receipts of acknowledged leads that the database lacks or holds with another message. */
export function missingFrom({ leads }: Pick<Stored, 'leads'>, acknowledged: ReadonlyMap<string, string>): string[] {
  return [...acknowledged].filter(([receipt, message]) => leads.get(receipt)?.message !== message).map(([one]) => one);
}

export type Event = {
  id: string;
  type: string;
  data: { number: number; message: string | null; takeUrl: string } & Record<string, unknown>;
};

const webhookSecret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;

/** Starts a webhook receiver that verifies signatures and records events; `answer` replaces the 204. */
export async function startWebhook(
  answer: (res: Parameters<Parameters<typeof httpServer>[0]>[0], event: Event) => void = (res) =>
    res.writeHead(204).end(),
) {
  const events: Event[] = [];
  const requests: Received[] = [];
  const verifier = new Webhook(webhookSecret);
  const server = await httpServer((res, received) => {
    const { type, data } = verifier.verify(received.body, received.headers) as Omit<Event, 'id'>;
    const event = { id: received.headers['webhook-id'] ?? '', type, data };
    requests.push(received);
    events.push(event);
    answer(res, event);
  });
  const env = { LEADS_WEBHOOK_URL: `${server.url}/leads`, LEADS_WEBHOOK_SECRET: webhookSecret };
  return { events, requests, env, stop: server.stop };
}

/** Starts a mail server that receives leads. @param mailboxes the recipients */
export async function startPostOffice(mailboxes: readonly string[]) {
  const { port, sent: mails } = await startMailServer();
  return {
    mails,
    env: {
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      LEADS_EMAIL_TO: mailboxes.join(','),
      LEADS_EMAIL_FROM: 'site@korob.example',
    },
  };
}
