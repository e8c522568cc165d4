import { openDatabase } from '../../src/database/sqlite.ts';
import { leadStore } from '../../src/leads/store/lead-store.ts';
import { newLead } from '../../src/leads/store/testing.ts';

const portion = 5_000;

/** Puts leads into a new database, each with a delivery to every channel. */
export async function fill(dataDir: string, count: number, channels: readonly string[]): Promise<void> {
  const database = openDatabase(dataDir);
  const store = leadStore(database);
  const plan = { quarantined: false, channels, escalateAt: null };
  const words = 'Посчитайте, пожалуйста, доставку коробов до Казани и хранение на две недели. '.repeat(2);
  for (let from = 0; from < count; from += portion) {
    const numbers = Array.from({ length: Math.min(portion, count - from) }, (_, n) => from + n);
    await Promise.all(
      numbers.map((n) => {
        // Spread out, as phones are.
        const phone = `+79${String((n * 7_919) % 1_000_000_000).padStart(9, '0')}`;
        return store.add(newLead({ key: `filled-${n}`, phone, phoneTyped: phone, message: `${n} ${words}` }), plan);
      }),
    );
  }
  await store.close();
  database.close();
}
