import { existsSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { pino } from 'pino';
import type { Channel } from '../../leads/channels/channel.ts';
import { type LeadIntake, startLeadIntake } from '../../leads/intake/lead-intake.ts';
import type { Notification } from '../../leads/messages/notification.ts';
import { backUp, restore } from '../../leads/store/backup.ts';
import { keepErasures } from '../../leads/store/erasures.ts';
import { type Store, storeIn } from '../../leads/store/open-store.ts';
import { startRetention } from '../../leads/store/retention.ts';
import type { Query, Sql } from '../../leads/store/sql.ts';
import { type Database, databasePath, openDatabase } from '../../leads/store/sqlite.ts';
import { RemoteError } from '../../lib/remote-error.ts';
import type { Repetition } from '../../lib/repeatedly.ts';
import type { Content } from '../../model/content.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** What a channel does with a message. `lost`: it accepts the message, and its answer is lost. */
export type Weather = 'ok' | 'lost' | 'error' | 'hang';

type Received = { channel: string; id: string; lead: number; reason: string };

export const channelNames = ['chat', 'crm'] as const;

const retention = { leads: 365, consents: 1_461 };

const never = new Promise<never>(() => {});

/**
 * Two servers of one company, with real services over one real database, in a time that the test sets. A server dies when its
 * countdown of database and channel operations ends: nothing that it began is finished or answered.
 */
export class SimulatedCompany {
  readonly dataDir = temporaryFolder();
  readonly received: Received[] = [];
  readonly weather: Record<string, Weather> = { chat: 'ok', crm: 'ok' };
  readonly servers: (SimulatedServer | undefined)[] = [undefined, undefined];
  readonly content: Content;
  deaths = 0;
  private backups = 0;

  constructor(content: Content) {
    this.content = content;
  }

  /** The running server, started if it is dead. */
  server(index: number): SimulatedServer {
    const running = this.servers[index];
    if (running?.isAlive) return running;
    const started = new SimulatedServer(this);
    this.servers[index] = started;
    return started;
  }

  /** Runs an operator's work in another process. */
  async operate<T>(work: (store: Store) => Promise<T>): Promise<T> {
    const store = storeIn(openDatabase(this.dataDir));
    try {
      return await settled(work(store));
    } finally {
      store.close();
    }
  }

  erase(phone: string): Promise<number> {
    return this.operate(async ({ sql, leads }) => {
      const erased = await leads.erase(phone, 'operator');
      await keepErasures(sql, this.dataDir, 'operator');
      return erased;
    });
  }

  backUp(): string {
    this.backups += 1;
    const file = join(temporaryFolder(), `${this.backups}.sqlite`);
    backUp(this.dataDir, file);
    return file;
  }

  /** Replaces the database, as the operators' page says. */
  async restore(file: string): Promise<void> {
    for (const server of this.servers) server?.die();
    const aside = temporaryFolder();
    for (const rest of ['', '-wal', '-shm']) {
      const path = databasePath(this.dataDir) + rest;
      if (existsSync(path)) renameSync(path, join(aside, `korob.sqlite${rest}`));
    }
    await this.operate(async ({ sql }) => {
      await restore(file, sql);
      await keepErasures(sql, this.dataDir, 'operator');
      await sql.forget();
    });
  }

  /** The bytes of all files in DATA_DIR. */
  bytes(): string {
    return readdirSync(this.dataDir)
      .map((name) => readFileSync(join(this.dataDir, name), 'latin1'))
      .join('');
  }

  stop(): void {
    for (const server of this.servers) server?.die();
  }
}

export class SimulatedServer {
  readonly store: Store;
  readonly intake: LeadIntake;
  isAlive = true;
  private readonly company: SimulatedCompany;
  private readonly database: Database;
  private readonly retention: Repetition;
  private stepsLeft = Number.POSITIVE_INFINITY;
  private readonly died: Promise<void>;
  private onDeath = () => {};

  constructor(company: SimulatedCompany) {
    this.company = company;
    this.died = new Promise((resolve) => {
      this.onDeath = resolve;
    });
    this.database = openDatabase(company.dataDir);
    this.store = storeIn({ ...this.mortal(this.database), close: this.database.close });
    const { leads, deliveries, sql } = this.store;
    const logger = pino({ level: 'silent' });
    const { content, dataDir } = company;
    this.retention = startRetention({
      ...{ sql, dataDir, retention, logger },
      consent: () => content.legal.consent,
    });
    this.intake = startLeadIntake({
      ...{ leads, deliveries, logger, later: [], siteUrl: 'https://korob.example' },
      channels: channelNames.map((name) => this.channel(name)),
      content: () => content,
    });
  }

  /** Lets the server die after some more operations. */
  dieAfter(steps: number): void {
    this.stepsLeft = steps;
  }

  die(): void {
    if (!this.isAlive) return;
    this.isAlive = false;
    this.company.deaths += 1;
    // Rolls back a transaction, as a killed process would.
    this.database.connection.close();
    this.onDeath();
  }

  /** Passes short times until the answer. @returns `undefined` if the server died first */
  ask<T>(work: (server: SimulatedServer) => Promise<T>): Promise<T | undefined> {
    return settled(this.answer(work));
  }

  /** Passes no time. @returns `undefined` if the server died first */
  answer<T>(work: (server: SimulatedServer) => Promise<T>): Promise<T | undefined> {
    return Promise.race([work(this), this.died.then(() => undefined)]);
  }

  /** Removes what has expired. */
  expire(): void {
    this.retention.again();
  }

  /** Each operation is two steps, so that the server may die before it and after it. */
  private step(): void {
    this.stepsLeft -= 1;
    if (this.stepsLeft < 0) this.die();
  }

  private async alive<T>(work: () => Promise<T>): Promise<T> {
    this.step();
    if (!this.isAlive) return never;
    try {
      const result = await work();
      this.step();
      return this.isAlive ? result : never;
    } catch (error) {
      if (!this.isAlive) return never;
      throw error;
    }
  }

  private mortal({ dialect, query, transact, forget }: Sql): Sql {
    const mortalQuery =
      (query: Query): Query =>
      (text, values) =>
        this.alive(() => query(text, values));
    return {
      dialect,
      query: mortalQuery(query),
      transact: (work) => this.alive(() => transact((query) => work(mortalQuery(query)))),
      forget: () => this.alive(forget),
    };
  }

  private channel(name: string): Channel {
    return {
      ...{ name, parallel: 2 },
      ...(name === 'chat' && { joins: true as const }),
      deliver: (notifications) => this.alive(() => this.deliver(name, notifications)),
    };
  }

  private async deliver(channel: string, notifications: readonly Notification[]): Promise<void> {
    const weather = this.company.weather[channel];
    if (weather === 'hang') return never;
    if (weather === 'error') throw new RemoteError('the channel is down');
    for (const { deliveryId: id, reason, lead } of notifications) {
      this.company.received.push({ channel, id, lead: lead.number, reason });
    }
    this.step();
    if (weather === 'lost') throw new RemoteError('the answer was lost');
  }
}

const stepMs = 20;

/** Passes short times until the work ends. Callers await one at a time, because each moves the clock. */
export async function settled<T>(work: Promise<T>): Promise<T> {
  let isSettled = false;
  const done = () => {
    isSettled = true;
  };
  work.then(done, done);
  await jest.advanceTimersByTimeAsync(0);
  for (let waitedMs = 0; !isSettled; waitedMs += stepMs) {
    if (waitedMs > 30_000) throw new Error('nothing happened for 30 s');
    // The store retries a locked database in real time, because Jest does not fake `node:timers/promises`.
    await sleep(stepMs);
    await jest.advanceTimersByTimeAsync(stepMs);
  }
  return work;
}
