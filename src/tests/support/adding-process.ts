/*
 * A process for tests: adding-process.ts DATA_DIR PREFIX COUNT
 *
 * Prints that it is ready, waits for the end of its input, opens the store, adds leads with the keys PREFIX-0,
 * PREFIX-1, … in this order, and prints each receipt once it has it.
 */
import { readSync, writeSync } from 'node:fs';
import { storeIn } from '../../leads/store/open-store.ts';
import { openDatabase } from '../../leads/store/sqlite.ts';
import { arrival, newLead } from './sample-leads.ts';

const [dataDir = '', prefix = '', count = '0'] = process.argv.slice(2);

function say(said: object): void {
  writeSync(1, `${JSON.stringify(said)}\n`);
}

say({});
readSync(0, Buffer.alloc(1));
const { leads, close } = storeIn(openDatabase(dataDir));
for (let n = 0; n < Number(count); n++) {
  const key = `${prefix}-${n}`;
  say({ key, receipt: await leads.add(newLead({ key }), arrival) });
}
await close();
