import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { type LeadEvent, type LeadState, leadEvents, type Transition } from '../../leads/store/lead-events.ts';
import { databasePath } from '../../leads/store/sqlite.ts';
import { dayMs, hourMs, minuteMs } from '../../lib/durations.ts';
import { isOpen, type Span } from '../../model/working-hours.ts';
import { newLead } from '../support/sample-leads.ts';
import { shownSite } from '../support/test-site.ts';
import { channelNames, SimulatedCompany, settled, type Weather } from './simulated-company.ts';

/** Random histories of one company; `SIMULATIONS` tries more. */
const simulations = Number(process.env.SIMULATIONS ?? 200);
/** Per test, so that none takes too long. */
const batchSize = 20;

/** What has happened in all histories. */
const tally = { operations: 0, leads: 0, events: 0, deaths: 0, erased: 0, restored: 0 };
const maxOperations = 60;

const { content: shipped } = await shownSite();
const shift: Span[] = [['09:00', '20:00']];
const workingHours = {
  ...shipped.company.workingHours,
  timeZone: 'Europe/Moscow',
  week: [shift, shift, shift, shift, shift, shift, []],
  holidays: [],
};
const content = { ...shipped, company: { ...shipped.company, workingHours } };

/** Forms 0 and 3, 1 and 4 are of one person. The last form is spam. */
const forms = [0, 1, 2, 3, 4, 5];
const phones = ['+79161110000', '+79162220000', '+79163330000'];
const phoneOf = (form: number) => phones[form % phones.length] ?? '';
/** Found in the bytes of the database. */
const wordsOf = (form: number) => `canary-${form}-${phoneOf(form).slice(-7)}`;
const isSpam = (form: number) => form === forms.length - 1;

type Operation =
  | { kind: 'submit'; server: number; form: number; lost: boolean }
  | { kind: 'act'; server: number; lead: number; action: Transition | 'note'; key: number; callInHours: number }
  | { kind: 'takeTogether'; lead: number }
  | { kind: 'resend'; server: number; lead: number; channel: string }
  | { kind: 'weather'; channel: string; weather: Weather }
  | { kind: 'pass'; seconds: number }
  | { kind: 'wait'; hours: number }
  | { kind: 'clock'; hours: number }
  | { kind: 'dieAfter'; server: number; steps: number }
  | { kind: 'erase'; phone: number }
  | { kind: 'expire'; server: number }
  | { kind: 'backUp' }
  | { kind: 'restore' };

const server = fc.nat({ max: 1 });
/** Which of the stored leads. */
const lead = fc.nat({ max: 5 });
const channel = fc.constantFrom(...channelNames);
const action = fc.constantFrom<(Transition | 'note')[]>(
  'take',
  'take',
  'take',
  'talked',
  'missed',
  'return',
  'notOurs',
  'release',
  'note',
);
type Fields<Kind> = Omit<Extract<Operation, { kind: Kind }>, 'kind'>;

function weighted<Kind extends Operation['kind']>(
  weight: number,
  kind: Kind,
  fields: { [Name in keyof Fields<Kind>]: fc.Arbitrary<Fields<Kind>[Name]> },
): fc.WeightedArbitrary<Operation> {
  return { weight, arbitrary: fc.record(fields).map((values) => ({ kind, ...values }) as unknown as Operation) };
}

const operation = fc.oneof(
  weighted(10, 'submit', { server, form: fc.constantFrom(...forms), lost: fc.boolean() }),
  weighted(24, 'act', {
    server,
    lead,
    action,
    key: fc.nat({ max: 2 }),
    callInHours: fc.constantFrom(0.25, 1, 20, 700),
  }),
  weighted(4, 'takeTogether', { lead }),
  weighted(2, 'resend', { server, lead, channel }),
  weighted(3, 'weather', { channel, weather: fc.constantFrom<Weather[]>('ok', 'lost', 'error', 'hang') }),
  weighted(4, 'pass', { seconds: fc.integer({ min: 0, max: 30 }) }),
  weighted(4, 'wait', { hours: fc.constantFrom(0.1, 1, 14, 30, 80) }),
  weighted(1, 'wait', { hours: fc.constant(370 * 24) }),
  weighted(2, 'clock', { hours: fc.constantFrom(-60, -1, -0.01, 0.01, 1, 60) }),
  weighted(8, 'dieAfter', { server, steps: fc.nat({ max: 30 }) }),
  weighted(2, 'erase', { phone: fc.nat({ max: phones.length - 1 }) }),
  weighted(2, 'expire', { server }),
  weighted(3, 'backUp', {}),
  weighted(3, 'restore', {}),
);

type Promised = {
  /** By receipt: the form of each acknowledged lead. */
  leads: Map<string, number>;
  /** Keys of acknowledged events, by receipt of the lead. */
  events: Map<string, Set<string>>;
};

type Row = {
  number: number;
  receipt: string;
  key: string;
  state: LeadState;
  phone: string;
  details: string;
  events: string;
  signals: string;
  remind_at: string | null;
  stripped_at: string | null;
};

/** What the people outside know, and what must therefore be true. */
class Simulation {
  readonly company = new SimulatedCompany(content);
  private promised: Promised = { leads: new Map(), events: new Map() };
  /** Whose words may be in no file; a form that is sent again leaves. */
  private readonly erasedForms = new Set<number>();
  /** By receipt: leads that no backup may bring back. */
  private readonly erasedLeads = new Set<string>();
  private backup: { file: string; promised: Promised } | undefined;
  private presses = 0;

  async run(operation: Operation): Promise<void> {
    switch (operation.kind) {
      case 'submit':
        return this.submit(operation);
      case 'act':
        return this.act(operation);
      case 'takeTogether':
        return this.takeTogether(this.numberOf(operation.lead));
      case 'resend': {
        const by = { by: 'desk:Анна', key: this.nextKey() };
        await this.company
          .server(operation.server)
          .ask(({ intake }) => intake.resend(this.numberOf(operation.lead), operation.channel, by));
        return;
      }
      case 'weather':
        this.company.weather[operation.channel] = operation.weather;
        return;
      case 'pass':
        return pass(operation.seconds * 1_000);
      case 'wait':
        return this.wait(operation.hours * hourMs);
      case 'clock':
        jest.setSystemTime(Date.now() + operation.hours * hourMs);
        return;
      case 'dieAfter':
        return this.company.server(operation.server).dieAfter(operation.steps);
      case 'erase':
        return this.erase(phones[operation.phone] ?? '');
      case 'expire':
        this.company.server(operation.server).expire();
        return pass(1_000);
      case 'backUp':
        this.backup = { file: this.company.backUp(), promised: copyOf(this.promised) };
        return;
      case 'restore':
        return this.restore();
    }
  }

  private async submit({ server, form, lost }: Extract<Operation, { kind: 'submit' }>): Promise<void> {
    const words = wordsOf(form);
    const sent = newLead({
      ...{ key: `form-${form}`, phone: phoneOf(form), phoneTyped: phoneOf(form), name: words, message: words },
      signals: isSpam(form) ? ['honeypot', 'challenge'] : [],
    });
    const renderedAt = new Date(Date.now() - minuteMs);
    this.erasedForms.delete(form);
    const waiting = this.copiesOf(form).find(({ state }) => state === 'waiting');
    const kept = await this.company.server(server).ask(({ intake }) => intake.receive(sent, { renderedAt }));
    if (kept) tally.leads += 1;
    if (kept && waiting) expect(kept.number).toBe(waiting.number);
    if (kept && !lost) this.promised.leads.set(kept.receipt, form);
  }

  private async act({ server, lead, action, key, callInHours }: Extract<Operation, { kind: 'act' }>): Promise<void> {
    const text = action === 'note' ? 'Перезвонит сама' : '';
    const number = this.numberOf(lead);
    const event = { eventName: action, key: `page-${key}`, by: 'desk:Анна', text };
    const callAt = new Date(Date.now() + callInHours * hourMs);
    const acted = await this.company
      .server(server)
      .ask(({ intake }) => intake.act(number, event, action === 'missed' ? callAt : undefined));
    if (acted) this.remember(acted.lead.receipt, acted.changed ? event.key : undefined);
    if (acted?.changed) tally.events += 1;
  }

  /** Of a stored lead; 1 if there is none. */
  private numberOf(lead: number): number {
    const rows = this.rows();
    return rows[lead % rows.length]?.number ?? 1;
  }

  /** Two people press the button at the same moment, at different servers. */
  private async takeTogether(lead: number): Promise<void> {
    const answers = [0, 1].map((index) => {
      const event = { eventName: 'take' as const, key: this.nextKey(), by: `desk:${index}`, text: '' };
      return this.company.server(index).answer(({ intake }) => intake.act(lead, event));
    });
    const takes = await settled(Promise.all(answers));
    expect(takes.filter((take) => take?.changed).length).toBeLessThanOrEqual(1);
  }

  private async erase(phone: string): Promise<void> {
    tally.erased += await this.company.erase(phone);
    for (const [receipt, form] of this.promised.leads) {
      if (phoneOf(form) !== phone) continue;
      this.erasedLeads.add(receipt);
      this.forget(receipt);
    }
    for (const form of forms) if (phoneOf(form) === phone) this.erasedForms.add(form);
  }

  private async restore(): Promise<void> {
    if (this.backup === undefined) return;
    await this.company.restore(this.backup.file);
    tally.restored += 1;
    this.promised = copyOf(this.backup.promised);
    for (const receipt of this.promised.leads.keys()) if (this.erasedLeads.has(receipt)) this.forget(receipt);
    // A form that was sent again after the backup is gone with it.
    const bytes = this.company.bytes();
    for (const form of forms) if (!bytes.includes(wordsOf(form))) this.erasedForms.add(form);
  }

  private forget(receipt: string): void {
    this.promised.leads.delete(receipt);
    this.promised.events.delete(receipt);
  }

  private remember(receipt: string, key: string | undefined): void {
    const keys = this.promised.events.get(receipt) ?? new Set();
    if (key) keys.add(key);
    this.promised.events.set(receipt, keys);
  }

  private nextKey(): string {
    this.presses += 1;
    return `press-${this.presses}`;
  }

  /** Moves the clock from one due moment to the next, and lets the servers work for some seconds at each. */
  async wait(milliseconds: number): Promise<void> {
    const end = Date.now() + milliseconds;
    for (let stops = 0; Date.now() < end && stops < 60; stops++) {
      const next = Math.max(Date.now(), Math.min(this.nextDue() ?? end, end));
      jest.setSystemTime(next);
      await pass(6_000);
    }
    if (Date.now() < end) jest.setSystemTime(end);
    await pass(6_000);
  }

  private nextDue(): number | undefined {
    const [row] = this.read<{ at: string | null }>(
      `SELECT min(at) AS at FROM (
         SELECT due_at AS at FROM delivery WHERE delivered_at IS NULL AND given_up_at IS NULL UNION ALL SELECT remind_at FROM lead
       ) WHERE at > ?`,
      new Date().toISOString(),
    );
    return row?.at ? Date.parse(row.at) : undefined;
  }

  private read<T>(text: string, ...values: string[]): T[] {
    using database = new DatabaseSync(databasePath(this.company.dataDir), { readOnly: true, timeout: 1_000 });
    return database.prepare(text).all(...values) as T[];
  }

  rows(): Row[] {
    return this.read<Row>('SELECT * FROM lead ORDER BY number');
  }

  /** The leads that this form would find again. */
  private copiesOf(form: number): Row[] {
    return this.rows().filter(({ details, key, receipt }) => details.includes(wordsOf(form)) && key !== receipt);
  }

  check(): void {
    const rows = this.rows();
    const receipts = rows.map(({ receipt }) => receipt);
    for (const [receipt, form] of this.promised.leads) {
      expect({ form, isStored: receipts.includes(receipt) }).toEqual({ form, isStored: true });
    }
    for (const form of forms) expect([form, this.copiesOf(form).slice(1)]).toEqual([form, []]);
    for (const row of rows) this.checkRow(row);
    this.checkErased();
  }

  private checkRow(row: Row): void {
    const { number, receipt, state, stripped_at: strippedAt, remind_at: remindAt } = row;
    if (strippedAt !== null) return;
    const events: LeadEvent[] = JSON.parse(row.events);
    const { signals } = JSON.parse(row.details) as { signals: string[] };
    let reached: LeadState = signals.includes('honeypot') ? 'quarantined' : 'waiting';
    for (const { eventName } of events) {
      expect(leadEvents[eventName].from).toContain(reached);
      reached = leadEvents[eventName].to ?? reached;
    }
    expect({ number, state }).toEqual({ number, state: reached });
    const pressed = events.map(({ key, eventName, text }) => `${key} ${eventName} ${eventName === 'note' ? text : ''}`);
    expect(new Set(pressed).size).toBe(pressed.length);
    const keys = events.map(({ key }) => key);
    expect(keys).toEqual(expect.arrayContaining([...(this.promised.events.get(receipt) ?? [])]));
    // A lead that nobody talked to is due at some moment.
    const isOpenLead = state === 'waiting' || state === 'taken';
    expect({ number, state, isDue: remindAt !== null }).toEqual({ number, state, isDue: isOpenLead });
    expect(Date.parse(remindAt ?? '')).not.toBeGreaterThan(Date.now() + 50 * dayMs);
  }

  private checkErased(): void {
    const bytes = this.company.bytes();
    for (const form of this.erasedForms)
      expect({ form, found: bytes.includes(wordsOf(form)) }).toEqual({ form, found: false });
    for (const phone of phones) {
      const isErased = forms.every((form) => phoneOf(form) !== phone || this.erasedForms.has(form));
      if (isErased) expect({ phone, found: bytes.includes(phone.slice(1)) }).toEqual({ phone, found: false });
    }
  }

  /** In fair weather, everything that is due is sent. */
  async checkLiveness(): Promise<void> {
    for (const name of channelNames) this.company.weather[name] = 'ok';
    for (const index of [0, 1]) this.company.server(index).dieAfter(Number.POSITIVE_INFINITY);
    await pass(90_000);
    await this.wait(3 * hourMs);
    await pass(10_000);
    const now = new Date().toISOString();
    const recent = new Date(Date.now() - 45_000).toISOString();
    // The first message of a lead and a channel is tried at least hourly.
    const latest = new Date(Date.now() + hourMs + 2 * minuteMs).toISOString();
    const late = this.read(
      `SELECT * FROM delivery WHERE delivered_at IS NULL AND given_up_at IS NULL AND reason = 'new'
         AND (due_at < ? OR due_at > ?)`,
      recent,
      latest,
    );
    expect(late).toEqual([]);
    if (isOpen(workingHours, new Date(now)) && isOpen(workingHours, new Date(Date.now() - 2 * minuteMs))) {
      expect(this.read('SELECT number, state, remind_at FROM lead WHERE remind_at < ?', recent)).toEqual([]);
    }
    this.check();
    this.checkNotified();
  }

  /** A channel knows each lead under one id. */
  private checkNotified(): void {
    const waiting = this.read<{ lead: number; channel: string; id: string }>(
      `SELECT delivery.lead, delivery.channel, delivery.id FROM delivery WHERE reason = 'new' AND delivered_at IS NOT NULL`,
    );
    for (const { channel, id } of waiting) {
      expect(this.company.received).toContainEqual(expect.objectContaining({ channel, id, reason: 'new' }));
    }
    for (const { number, details, events } of this.rows()) {
      const wasQuarantined = details.includes('honeypot');
      const isNotified = !wasQuarantined || events.includes('"release"');
      for (const channel of channelNames) {
        const text = `SELECT id FROM delivery WHERE lead = ${number} AND channel = ? AND reason = 'new'`;
        expect({ number, channel, messages: this.read(text, channel).length }).toEqual({
          ...{ number, channel, messages: isNotified ? 1 : 0 },
        });
      }
    }
  }
}

function copyOf({ leads, events }: Promised): Promised {
  return { leads: new Map(leads), events: new Map([...events].map(([receipt, keys]) => [receipt, new Set(keys)])) };
}

async function pass(milliseconds: number): Promise<void> {
  await jest.advanceTimersByTimeAsync(milliseconds);
}

beforeEach(() => {
  const now = Date.parse('2026-11-20T09:00:00Z');
  jest.useFakeTimers({ now, doNotFake: ['nextTick', 'setImmediate', 'clearImmediate', 'queueMicrotask'] });
  jest.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
    const attempt = new AbortController();
    setTimeout(() => attempt.abort(new DOMException('Late', 'TimeoutError')), milliseconds);
    return attempt.signal;
  });
});
afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

async function live(history: readonly Operation[]): Promise<void> {
  jest.setSystemTime(Date.parse('2026-11-20T09:00:00Z'));
  const simulation = new Simulation();
  try {
    simulation.company.server(0);
    simulation.company.server(1);
    for (const operation of history) {
      await simulation.run(operation);
      simulation.check();
      tally.operations += 1;
    }
    await simulation.checkLiveness();
  } finally {
    tally.deaths += simulation.company.deaths;
    simulation.company.stop();
    jest.clearAllTimers();
  }
}

const batches = Array.from(
  { length: simulations / batchSize },
  (_, batch) => Number(process.env.PROPERTY_SEED) + batch,
);

test.each(batches)(
  `a lead lives until a person has talked to its visitor, in ${batchSize} histories of seed %d`,
  async (seed) => {
    const histories = fc.array(operation, { maxLength: maxOperations, size: 'max' });
    await fc.assert(fc.asyncProperty(histories, live), { seed, numRuns: batchSize });
  },
);

test('the histories contain everything that may happen to a lead', () => {
  process.stderr.write(`${simulations} histories: ${JSON.stringify(tally)}\n`);
  for (const count of Object.values(tally)) expect(count).toBeGreaterThan(0);
});
