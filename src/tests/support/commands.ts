import { Writable } from 'node:stream';
import { run } from '../../cli.ts';
import type { Arrival, NewLead } from '../../leads/store/lead.ts';
import { type Store, storeIn } from '../../leads/store/open-store.ts';
import { openDatabase } from '../../leads/store/sqlite.ts';
import { arrival, newLead } from './sample-leads.ts';

/** A stream that records what was written. */
export function memory(): Writable & { text(): string } {
  let all = '';
  const stream = new Writable({
    write(chunk, _, done) {
      all += chunk;
      done();
    },
  });
  return Object.assign(stream, { text: () => all });
}

export async function korob(dataDir: string, args: string[], env: Record<string, string> = {}) {
  const [stdout, stderr] = [memory(), memory()];
  const code = await run(args, { env: { DATA_DIR: dataDir, ...env }, stdout, stderr });
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

export async function withStore<T>(dataDir: string, work: (store: Store) => Promise<T>): Promise<T> {
  const store = storeIn(openDatabase(dataDir));
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** @param leads stored in this order, each with its own form key */
export function keep(
  dataDir: string,
  leads: readonly (Partial<NewLead> & Partial<Pick<Arrival, 'quarantined' | 'channels'>>)[],
): Promise<void> {
  return withStore(dataDir, async (store) => {
    for (const [n, { quarantined = false, channels = [], ...words }] of leads.entries()) {
      await store.leads.add(newLead({ key: `key-${Date.now()}-${n}`, ...words }), {
        ...arrival,
        quarantined,
        channels,
      });
    }
  });
}
