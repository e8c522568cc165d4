/**
 * Leads from one version of a database to the next. What it leaves, programs of the versions before go on with: replicas
 * are not replaced all at once, and a release may be taken back. One that cannot leave it so is `breaking`.
 */
export type Migration = string | { breaking: string };

/*
 * What each database is made of: entry N leads from version N to version N + 1. An entry that was ever released must
 * never change; add another one instead.
 *
 * A column that leads have since comes by the same entry at the end of each: `ALTER TABLE lead ADD COLUMN company text`.
 */
const sqlite: readonly Migration[] = [
  `
  -- AUTOINCREMENT, so that the number of an erased lead is never given to another.
  -- No CHECK on the state: SQLite cannot alter one, and later versions add states.
  CREATE TABLE lead (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    receipt TEXT NOT NULL UNIQUE,
    key TEXT NOT NULL,
    digest BLOB NOT NULL CHECK (length(digest) = 32),
    state TEXT NOT NULL,
    received_at TEXT NOT NULL,
    preset TEXT NOT NULL,
    name TEXT,
    phone TEXT NOT NULL,
    phone_typed TEXT NOT NULL,
    message TEXT,
    page TEXT NOT NULL,
    attribution TEXT NOT NULL CHECK (json_valid(attribution)),
    consent_version TEXT NOT NULL,
    consent_hash TEXT NOT NULL,
    signals TEXT NOT NULL CHECK (json_valid(signals)),
    UNIQUE (key, digest)
  ) STRICT;
  CREATE INDEX lead_state ON lead (state);

  CREATE TABLE broadcast (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    status INTEGER NOT NULL CHECK (status IN (0, 1)),
    url TEXT NOT NULL
  ) STRICT;

  CREATE TABLE heartbeat (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    at TEXT NOT NULL,
    ballast BLOB NOT NULL
  ) STRICT;
  `,
  `
  ALTER TABLE lead ADD COLUMN taken_at TEXT;
  ALTER TABLE lead ADD COLUMN taken_by TEXT;
  -- When one more channel is told if nobody has taken the lead by then, and how many were.
  ALTER TABLE lead ADD COLUMN escalate_at TEXT;
  ALTER TABLE lead ADD COLUMN escalation INTEGER NOT NULL DEFAULT 0;
  -- When all but the evidence of consent was removed.
  ALTER TABLE lead ADD COLUMN stripped_at TEXT;
  -- Nobody could take these, so somebody was reading the list.
  UPDATE lead SET state = 'taken', taken_at = received_at, taken_by = 'list' WHERE state = 'new';
  CREATE INDEX lead_phone ON lead (phone, received_at);
  CREATE INDEX lead_words ON lead (substr(message, 1, 40), received_at) WHERE message IS NOT NULL;
  CREATE INDEX lead_received_at ON lead (received_at);
  CREATE INDEX lead_escalate_at ON lead (escalate_at) WHERE escalate_at IS NOT NULL;

  -- A claimed delivery is due again when its lease ends.
  CREATE TABLE delivery (
    id TEXT PRIMARY KEY,
    lead INTEGER NOT NULL REFERENCES lead (number) ON DELETE CASCADE,
    channel TEXT NOT NULL,
    reason TEXT NOT NULL,
    state TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    due_at TEXT NOT NULL,
    ended_at TEXT,
    error TEXT
  ) STRICT;
  CREATE INDEX delivery_lead ON delivery (lead);
  CREATE INDEX delivery_due ON delivery (channel, due_at) WHERE state = 'waiting';
  CREATE INDEX delivery_open ON delivery (state, channel) WHERE state <> 'delivered';

  CREATE TABLE consent_text (
    hash TEXT PRIMARY KEY,
    version TEXT NOT NULL,
    text TEXT NOT NULL
  ) STRICT;
  `,
  `
  ALTER TABLE lead ADD COLUMN calculation TEXT;
  `,
  `
  -- When the clock was last believed.
  CREATE TABLE clock (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    at TEXT NOT NULL
  ) STRICT;
  INSERT INTO clock (id, at) SELECT 1, received_at FROM lead ORDER BY received_at DESC LIMIT 1;
  `,
  `
  -- The day of the last digest of quarantine, and the newest lead in it. Digests begin with what comes from now on.
  CREATE TABLE digest (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    day TEXT NOT NULL,
    lead INTEGER NOT NULL
  ) STRICT;
  INSERT INTO digest (id, day, lead) SELECT 1, '', coalesce(max(number), 0) FROM lead;
  `,
  `
  -- Where all of this went. What is here then is no longer what the company works with.
  CREATE TABLE moved (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    place TEXT NOT NULL,
    at TEXT NOT NULL
  ) STRICT;
  `,
  `
  ALTER TABLE lead ADD COLUMN notes TEXT;
  CREATE INDEX lead_taken_at ON lead (taken_at) WHERE taken_at IS NOT NULL;

  -- Links to a lead, or to the desk, by a hash of their token.
  CREATE TABLE link (
    hash TEXT PRIMARY KEY,
    lead INTEGER REFERENCES lead (number) ON DELETE CASCADE,
    name TEXT NOT NULL,
    ends_at TEXT NOT NULL
  ) STRICT;
  CREATE INDEX link_lead ON link (lead);
  CREATE INDEX link_ends_at ON link (ends_at);

  ALTER TABLE broadcast ADD COLUMN ends_at TEXT;
  `,
];

const postgres: readonly Migration[] = [
  `
  CREATE TABLE lead (
    number integer PRIMARY KEY,
    receipt text NOT NULL UNIQUE,
    key text NOT NULL,
    digest bytea NOT NULL CHECK (octet_length(digest) = 32),
    state text NOT NULL,
    received_at timestamptz NOT NULL,
    preset text NOT NULL,
    name text,
    phone text NOT NULL,
    phone_typed text NOT NULL,
    message text,
    page text NOT NULL,
    attribution json NOT NULL,
    consent_version text NOT NULL,
    consent_hash text NOT NULL,
    signals json NOT NULL,
    taken_at timestamptz,
    taken_by text,
    escalate_at timestamptz,
    escalation integer NOT NULL DEFAULT 0,
    stripped_at timestamptz,
    UNIQUE (key, digest)
  );
  CREATE INDEX lead_state ON lead (state);
  CREATE INDEX lead_phone ON lead (phone, received_at);
  CREATE INDEX lead_words ON lead (substr(message, 1, 40), received_at) WHERE message IS NOT NULL;
  CREATE INDEX lead_received_at ON lead (received_at);
  CREATE INDEX lead_escalate_at ON lead (escalate_at) WHERE escalate_at IS NOT NULL;

  -- A sequence leaves gaps, and whoever reads the list takes a gap for a lead that was lost.
  CREATE TABLE numbering (
    id integer PRIMARY KEY CHECK (id = 1),
    last integer NOT NULL
  );
  INSERT INTO numbering (id, last) VALUES (1, 0);

  -- A claimed delivery is due again when its lease ends.
  CREATE TABLE delivery (
    id text PRIMARY KEY,
    position bigint GENERATED ALWAYS AS IDENTITY,
    lead integer NOT NULL REFERENCES lead (number) ON DELETE CASCADE,
    channel text NOT NULL,
    reason text NOT NULL,
    state text NOT NULL,
    attempts integer NOT NULL DEFAULT 0,
    due_at timestamptz NOT NULL,
    ended_at timestamptz,
    error text
  );
  CREATE INDEX delivery_lead ON delivery (lead);
  CREATE INDEX delivery_due ON delivery (channel, due_at) WHERE state = 'waiting';
  CREATE INDEX delivery_open ON delivery (state, channel) WHERE state <> 'delivered';

  CREATE TABLE consent_text (
    hash text PRIMARY KEY,
    version text NOT NULL,
    text text NOT NULL
  );

  CREATE TABLE broadcast (
    id integer PRIMARY KEY CHECK (id = 1),
    status boolean NOT NULL,
    url text NOT NULL
  );

  CREATE TABLE heartbeat (
    id integer PRIMARY KEY CHECK (id = 1),
    at timestamptz NOT NULL,
    ballast bytea NOT NULL
  );

  -- Adds leads with their deliveries, or finds those that are there, and returns them in the order given.
  -- Numbers follow each other, so one process at a time gives them; that nobody holds up the others in
  -- between, all of it is one statement.
  CREATE FUNCTION add_leads(given json) RETURNS SETOF lead LANGUAGE plpgsql AS $$
  DECLARE
    item json;
    fresh lead;
    kept lead;
  BEGIN
    PERFORM FROM numbering FOR UPDATE;
    FOR item IN SELECT value FROM json_array_elements(given) LOOP
      fresh := json_populate_record(NULL::lead, item);
      SELECT * INTO kept FROM lead WHERE lead.key = fresh.key AND lead.digest = fresh.digest;
      IF NOT FOUND THEN
        UPDATE numbering SET last = last + 1 RETURNING last INTO fresh.number;
        INSERT INTO lead (number, receipt, key, digest, state, received_at, preset, name, phone, phone_typed,
          message, page, attribution, consent_version, consent_hash, signals, escalate_at)
        VALUES (fresh.number, fresh.receipt, fresh.key, fresh.digest, fresh.state, fresh.received_at, fresh.preset,
          fresh.name, fresh.phone, fresh.phone_typed, fresh.message, fresh.page, fresh.attribution,
          fresh.consent_version, fresh.consent_hash, fresh.signals, fresh.escalate_at)
        RETURNING * INTO kept;
        INSERT INTO delivery (id, lead, channel, reason, state, due_at)
        SELECT told.id, kept.number, told.channel, 'new', 'waiting', kept.received_at
        FROM json_to_recordset(item -> 'deliveries') AS told (id text, channel text);
      END IF;
      RETURN NEXT kept;
    END LOOP;
  END $$;
  `,
  `
  ALTER TABLE lead ADD COLUMN calculation text;

  -- As before, with the calculation; a version that knows none leaves it null.
  CREATE OR REPLACE FUNCTION add_leads(given json) RETURNS SETOF lead LANGUAGE plpgsql AS $$
  DECLARE
    item json;
    fresh lead;
    kept lead;
  BEGIN
    PERFORM FROM numbering FOR UPDATE;
    FOR item IN SELECT value FROM json_array_elements(given) LOOP
      fresh := json_populate_record(NULL::lead, item);
      SELECT * INTO kept FROM lead WHERE lead.key = fresh.key AND lead.digest = fresh.digest;
      IF NOT FOUND THEN
        UPDATE numbering SET last = last + 1 RETURNING last INTO fresh.number;
        INSERT INTO lead (number, receipt, key, digest, state, received_at, preset, name, phone, phone_typed,
          message, calculation, page, attribution, consent_version, consent_hash, signals, escalate_at)
        VALUES (fresh.number, fresh.receipt, fresh.key, fresh.digest, fresh.state, fresh.received_at, fresh.preset,
          fresh.name, fresh.phone, fresh.phone_typed, fresh.message, fresh.calculation, fresh.page, fresh.attribution,
          fresh.consent_version, fresh.consent_hash, fresh.signals, fresh.escalate_at)
        RETURNING * INTO kept;
        INSERT INTO delivery (id, lead, channel, reason, state, due_at)
        SELECT told.id, kept.number, told.channel, 'new', 'waiting', kept.received_at
        FROM json_to_recordset(item -> 'deliveries') AS told (id text, channel text);
      END IF;
      RETURN NEXT kept;
    END LOOP;
  END $$;
  `,
  `
  -- When the clock was last believed.
  CREATE TABLE clock (
    id integer PRIMARY KEY CHECK (id = 1),
    at timestamptz NOT NULL
  );
  INSERT INTO clock (id, at) SELECT 1, received_at FROM lead ORDER BY received_at DESC LIMIT 1;
  `,
  `
  -- The day of the last digest of quarantine, and the newest lead in it. Digests begin with what comes from now on.
  CREATE TABLE digest (
    id integer PRIMARY KEY CHECK (id = 1),
    day text NOT NULL,
    lead integer NOT NULL
  );
  INSERT INTO digest (id, day, lead) SELECT 1, '', coalesce(max(number), 0) FROM lead;
  `,
  `
  -- As before, with all columns that there are, so that a later one needs no other function.
  CREATE OR REPLACE FUNCTION add_leads(given json) RETURNS SETOF lead LANGUAGE plpgsql AS $$
  DECLARE
    item json;
    fresh lead;
    kept lead;
  BEGIN
    PERFORM FROM numbering FOR UPDATE;
    FOR item IN SELECT value FROM json_array_elements(given) LOOP
      fresh := json_populate_record(NULL::lead, item);
      SELECT * INTO kept FROM lead WHERE lead.key = fresh.key AND lead.digest = fresh.digest;
      IF NOT FOUND THEN
        UPDATE numbering SET last = last + 1 RETURNING last INTO fresh.number;
        fresh.escalation := 0;
        INSERT INTO lead SELECT fresh.* RETURNING * INTO kept;
        INSERT INTO delivery (id, lead, channel, reason, state, due_at)
        SELECT told.id, kept.number, told.channel, 'new', 'waiting', kept.received_at
        FROM json_to_recordset(item -> 'deliveries') AS told (id text, channel text);
      END IF;
      RETURN NEXT kept;
    END LOOP;
  END $$;
  `,
  `
  ALTER TABLE lead ADD COLUMN notes json;
  CREATE INDEX lead_taken_at ON lead (taken_at) WHERE taken_at IS NOT NULL;

  -- Links to a lead, or to the desk, by a hash of their token.
  CREATE TABLE link (
    hash text PRIMARY KEY,
    lead integer REFERENCES lead (number) ON DELETE CASCADE,
    name text NOT NULL,
    ends_at timestamptz NOT NULL
  );
  CREATE INDEX link_lead ON link (lead);
  CREATE INDEX link_ends_at ON link (ends_at);

  ALTER TABLE broadcast ADD COLUMN ends_at timestamptz;
  `,
];

/** In SQL. */
export function textOf(step: Migration): string {
  return typeof step === 'string' ? step : step.breaking;
}

/** The least version that a program must know to use a database that is made of these. */
export function oldestFor(schema: readonly Migration[]): number {
  return schema.findLastIndex((step) => typeof step !== 'string') + 1;
}

export const migrations = { sqlite, postgres };
