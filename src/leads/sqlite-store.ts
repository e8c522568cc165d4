import { createHash, randomBytes } from 'node:crypto';
import type { SQLOutputValue } from 'node:sqlite';
import { type Database, storeError } from './database.ts';
import { type Lead, type LeadState, type LeadStore, type NewLead, type Receipt, StoreError } from './lead.ts';

/** A lead whose sender still waits for the answer. */
type Waiting = { lead: NewLead; resolve: (receipt: Receipt) => void; reject: (reason: StoreError) => void };
type Outcome = { receipt: Receipt } | { failure: unknown };
type Row = Record<string, SQLOutputValue>;

const portion = 200;
/** Bytes that a check writes: no less than the largest lead that the form lets through. */
const ballast = 48 * 1024;

/**
 * Leads in SQLite. The database stays the caller's: close the store first, then the database.
 *
 * Leads that arrive in one turn of the event loop share one commit, and with it one wait for the disk.
 */
export function sqliteLeadStore(database: Database): LeadStore {
  const { connection } = database;
  const insert = connection.prepare(`
    INSERT INTO lead (receipt, key, digest, state, received_at, preset, name, phone, phone_typed, message, page,
      attribution, consent_version, consent_hash, signals)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (key, digest) DO NOTHING
    RETURNING number, receipt, received_at, preset`);
  const selectSame = connection.prepare(
    'SELECT number, receipt, received_at, preset FROM lead WHERE key = ? AND digest = ?',
  );
  const selectReceipt = connection.prepare('SELECT number, receipt, received_at, preset FROM lead WHERE receipt = ?');
  const selectNumber = connection.prepare('SELECT * FROM lead WHERE number = ?');
  const selectNewest = connection.prepare('SELECT * FROM lead ORDER BY number DESC LIMIT ?');
  const selectNewestIn = connection.prepare('SELECT * FROM lead WHERE state = ? ORDER BY number DESC LIMIT ?');
  const selectAfter = connection.prepare('SELECT * FROM lead WHERE number > ? ORDER BY number LIMIT ?');
  const beat = connection.prepare('INSERT OR REPLACE INTO heartbeat (id, at, ballast) VALUES (1, ?, randomblob(?))');

  let waiting: Waiting[] = [];
  let closed = false;

  function keep(lead: NewLead): Receipt {
    const key = digest(lead);
    const row =
      insert.get(
        randomBytes(16).toString('base64url'),
        lead.key,
        key,
        lead.signals.length > 0 ? 'quarantined' : 'new',
        new Date().toISOString(),
        lead.preset,
        lead.name,
        lead.phone,
        lead.phoneTyped,
        lead.message,
        lead.page,
        JSON.stringify(lead.attribution),
        lead.consent.version,
        lead.consent.hash,
        JSON.stringify(lead.signals),
      ) ?? selectSame.get(lead.key, key);
    if (row === undefined) throw new StoreError('The lead was neither added nor found');
    return toReceipt(row);
  }

  function keepAll(leads: readonly Waiting[]): Outcome[] {
    return leads.map(({ lead }) => {
      try {
        return { receipt: keep(lead) };
      } catch (failure) {
        // A lead is one statement, and SQLite undoes a failed statement alone; its neighbours are unharmed
        // unless the error was so bad that the whole transaction is gone.
        if (!connection.isTransaction) throw failure;
        return { failure };
      }
    });
  }

  function commitWaiting(): void {
    const batch = waiting;
    waiting = [];
    if (batch.length === 0) return;
    let outcomes: Outcome[];
    try {
      outcomes = database.write(() => keepAll(batch));
    } catch (error) {
      for (const { reject } of batch) reject(storeError('The lead was not kept', error));
      return;
    }
    batch.forEach(({ resolve, reject }, index) => {
      const outcome = outcomes[index];
      if (outcome && 'receipt' in outcome) resolve(outcome.receipt);
      else reject(storeError('The lead was not kept', outcome?.failure));
    });
  }

  return {
    add(lead) {
      if (closed) return Promise.reject(new StoreError('The lead was not kept: the store is closed'));
      return new Promise((resolve, reject) => {
        waiting.push({ lead, resolve, reject });
        if (waiting.length === 1) setImmediate(commitWaiting);
      });
    },

    async receipt(token) {
      const row = read(() => selectReceipt.get(token));
      return row && toReceipt(row);
    },

    async find(number) {
      return read(() => {
        const row = selectNumber.get(number);
        return row && toLead(row);
      });
    },

    async list({ state, limit }) {
      return read(() => (state ? selectNewestIn.all(state, limit) : selectNewest.all(limit)).map(toLead));
    },

    async *all() {
      let last = 0;
      for (;;) {
        const leads = read(() => selectAfter.all(last, portion).map(toLead));
        yield* leads;
        if (leads.length < portion) return;
        last = leads.at(-1)?.number ?? last;
      }
    },

    async check() {
      // A transaction that is rolled back stays in memory and succeeds on a full disk. Only a commit
      // meets the disk, and it must be as large as a lead may be.
      database.write(() => beat.run(new Date().toISOString(), ballast));
    },

    async close() {
      closed = true;
      commitWaiting();
    },
  };
}

/** SHA-256 over what the visitor typed, spelt so that no two different requests are spelt alike. */
function digest({ preset, name, phone, phoneTyped, message }: NewLead): Uint8Array {
  const words = JSON.stringify([preset, name, phone, phoneTyped, message]);
  return createHash('sha256').update(words).digest();
}

function read<T>(query: () => T): T {
  try {
    return query();
  } catch (error) {
    throw storeError('The database cannot be read', error);
  }
}

function toReceipt(row: Row): Receipt {
  return {
    number: Number(row.number),
    receipt: String(row.receipt),
    receivedAt: String(row.received_at),
    preset: String(row.preset),
  };
}

function toLead(row: Row): Lead {
  return {
    ...toReceipt(row),
    state: String(row.state) as LeadState,
    name: row.name === null ? null : String(row.name),
    phone: String(row.phone),
    phoneTyped: String(row.phone_typed),
    message: row.message === null ? null : String(row.message),
    page: String(row.page),
    attribution: JSON.parse(String(row.attribution)),
    consent: { version: String(row.consent_version), hash: String(row.consent_hash) },
    signals: JSON.parse(String(row.signals)),
  };
}
