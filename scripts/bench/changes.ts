import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { databasePath } from '../../src/database/sqlite.ts';
import { httpServer } from '../../src/leads/delivery/testing.ts';
import { eventually } from '../../src/testing/eventually.ts';
import { freePort } from '../../src/testing/free-port.ts';
import { nginxPath, startNginx } from '../../src/testing/nginx.ts';
import { alone, type Figure, percentile } from './figure.ts';
import { installed } from './installed.ts';
import { addParagraph, command, newPlace, rowsOf, serverOf, unshipped } from './place.ts';
import { type Peers, type RunningServer, start } from './servers.ts';
import { steadily } from './steady.ts';
import { visit } from './visitor.ts';

const publishings = 50;
const replacements = 20;
const perSecond = 100;
/** One request of so many is a form. */
const everyForm = 5;
/** Milliseconds in which everything that is on its way must arrive. */
const patience = 60_000;

const pages = ['/', '/rates', '/cases?page=2', '/rates?utm_source=a', '/contact', '/about', '/favicon.svg'];
const none = { at: 'most', value: 0 } as const;

/**
 * Publishes and replaces the process behind nginx while visitors come, some of whom send a form: the next process is
 * there before the last one goes.
 *
 * @throws without nginx
 */
export async function measureChanges({ folder }: Peers): Promise<Figure[]> {
  if (!installed(nginxPath, '-v')) throw new Error('nginx is missing (Debian: apt-get install nginx-light).');
  const place = newPlace(unshipped(folder), join(folder, 'changes'));
  const ports = [await freePort(), await freePort()] as const;
  await using webhook = await httpServer((res) => res.writeHead(204).end());
  const kind = serverOf(place, {
    LEADS_WEBHOOK_URL: webhook.url,
    LEADS_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 1).toString('base64')}`,
  });
  const nginx = await startNginx(...ports);
  let server: RunningServer | undefined;
  let replaced = 0;
  const replace = async () => {
    const next = await start(kind, { at: ports[replaced % 2 === 0 ? 0 : 1] });
    await server?.stop('SIGTERM');
    server = next;
    replaced += 1;
  };

  const failed: string[] = [];
  /** What was said in forms that were answered with a receipt, by the receipt. */
  const acknowledged = new Map<string, string>();
  async function come(number: number): Promise<void> {
    // Every address of 127.0.0.0/8 is this machine, and each visitor has one.
    const from = `127.2.${(number >> 8) & 255}.${number & 255 || 1}`;
    const path = pages[number % pages.length] ?? '/';
    const message = `Вопрос номер ${number}`;
    const phone = `8 916 1${String(number).padStart(6, '0')}`;
    const form = number % everyForm === 0 ? { message, phone, key: `changes-${number}` } : undefined;
    const { status, location } = await visit(nginx.port, path, { from, ...(form && { form }) });
    if (status !== (form ? 303 : 200)) failed.push(`${form ? 'form' : path}: ${status}`);
    if (status === 303) acknowledged.set(location, message);
  }

  try {
    await replace();
    const stop = steadily(perSecond, come);
    for (let number = 1; number <= publishings; number++) {
      addParagraph(place, 'pages/about.md', `Правка ${number}.`);
      await command(place, 'publish');
      if (number % (publishings / replacements) < 1) await replace();
    }
    const waits = await stop();
    const told = () =>
      webhook.received.map(({ body }) => (JSON.parse(body) as { data: { message: string } }).data.message);
    await eventually(() => new Set(told()).size >= acknowledged.size, true, 'the last message', patience).catch(
      () => undefined,
    );
    // What is told twice is told soon.
    await sleep(1_000);
    const stored = storedIn(place.dataDir);
    const lost = [...acknowledged].filter(([receipt, message]) => stored.get(receipt) !== message);
    const untold = [...acknowledged.values()].filter((message) => !told().includes(message));
    const twice = told().length - new Set(told()).size;
    for (const [what, { length }] of Map.groupBy(failed, (what) => what)) {
      process.stderr.write(`${length} requests failed: ${what}\n`);
    }
    const during = `${publishings} publishings and ${replaced - 1} replacements`;
    return [
      alone(`requests during ${during}`, 'requests', waits.length),
      alone('of them failed', 'requests', failed.length, none),
      alone('of them lost or never told of', 'leads', lost.length + untold.length, none),
      alone('of them told twice', 'leads', twice, none),
      alone('wait for an answer meanwhile, p99', 'ms', percentile(waits, 0.99)),
    ];
  } finally {
    await server?.stop('SIGTERM');
    await nginx.stop();
  }
}

/** What each receipt stands for. */
function storedIn(dataDir: string): Map<string, string> {
  const leads = rowsOf(databasePath(dataDir), 'SELECT receipt, message FROM lead');
  return new Map(leads.map(({ receipt, message }) => [`/contact/${receipt}`, String(message)]));
}
