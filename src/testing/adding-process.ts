/*
 * A process for tests: adding-process.ts DATA_DIR PREFIX COUNT WIDTH
 *
 * Says that it is ready, waits for a byte or the end of its input, then adds COUNT leads with the keys
 * PREFIX-0, PREFIX-1, …, WIDTH at a time, and says each receipt when it has it. At the first failure it
 * says the error and whether the store finds itself able to store, and ends.
 */
import { readSync, writeSync } from 'node:fs';
import { storeIn } from '../leads/store/open-store.ts';
import { openDatabase } from '../leads/store/sqlite.ts';
import { newLead, plan, type Said } from './leads.ts';

const [dataDir = '', prefix = '', count = '0', width = '1'] = process.argv.slice(2);

function say(said: Said): void {
  writeSync(1, `${JSON.stringify(said)}\n`);
}

const database = openDatabase(dataDir);
const store = storeIn(database);
say({ ready: true });
readSync(0, Buffer.alloc(1));

let next = 0;
async function addAll(): Promise<void> {
  while (next < Number(count)) {
    const key = `${prefix}-${next++}`;
    say({ key, receipt: await store.leads.add(newLead({ key, message: `words of ${key}` }), plan) });
  }
}

try {
  await Promise.all(Array.from({ length: Number(width) }, addAll));
} catch (error) {
  say({ error: String(error) });
  await store.leads.probe().then(
    () => say({ check: 'ok' }),
    (reason) => say({ check: String(reason) }),
  );
}
await store.close();
database.close();
