import { beforeAll, describe } from '@jest/globals';
import { leadStoreContract } from '../../testing/lead-store.contract.ts';
import { initdbPath, type PostgresServer, startPostgres } from '../../testing/postgres.ts';
import { has, testWith } from '../../testing/requires.ts';
import { storeIn } from './open-store.ts';
import { openPostgres } from './postgres.ts';

const test = testWith(initdbPath, 'leads are kept in PostgreSQL');

let server: PostgresServer;

beforeAll(async () => {
  if (has(initdbPath)) server = await startPostgres();
}, 60_000);

describe('leads in PostgreSQL', () => {
  leadStoreContract(test, async () => {
    const url = await server.newDatabase();
    const postgres = await openPostgres(url);
    const store = storeIn(postgres);
    const others: { close(): Promise<void> }[] = [];
    return {
      store,
      async another() {
        const database = await openPostgres(url);
        others.push(database);
        return storeIn(database);
      },
      async count() {
        const database = await openPostgres(url);
        const [counts] = await database.query<{ leads: number; deliveries: number }>(
          'SELECT (SELECT count(*)::int FROM lead) AS leads, (SELECT count(*)::int FROM delivery) AS deliveries',
        );
        await database.close();
        return counts ?? { leads: 0, deliveries: 0 };
      },
      breakDatabase: () => postgres.close(),
      async close() {
        await store.close();
        for (const database of [postgres, ...others]) await database.close();
      },
    };
  });
});
