import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { dayMs, hourMs, minuteMs } from '../../lib/durations.ts';
import { type Outage, outage } from '../../lib/outage.ts';
import { RemoteError } from '../../lib/remote-error.ts';
import { type Repetition, repeatedly } from '../../lib/repeatedly.ts';
import type { Notification } from '../messages/notification.ts';
import type { Deliveries, Delivery, Outcome } from '../store/deliveries.ts';
import { wholeRange } from '../store/lead.ts';
import { type Channel, maxJoined } from './channel.ts';

export type Outbox = {
  wake(): void;
  /** Waits for attempts in flight; unsettled ones are repeated later. */
  stop(): Promise<void>;
};

const secondMs = 1000;

/** Then hourly. */
const retrySeconds = [5, 10, 15, 30, 60, 120, 240, 480, 960, 1_680];
/** Then a delivery is given up, because its channel needs a person. */
const maxAgeMs = 3 * dayMs;

/** Between two attempts, whether we schedule them or the channel asks for a pause. */
const maxWaitMs = hourMs + minuteMs;
const defaultTimeoutMs = 10 * secondMs;
/** A claim outlasts its attempt by this, so that no other process sends the same message. */
const leaseMarginMs = 20 * secondMs;
/** For attempts in flight when the process stops. */
const stopGraceMs = 2 * secondMs;
/** Retries and other processes' leads do not wake the outbox. */
const pollIntervalMs = secondMs;

type OutboxOptions = {
  queue: Pick<Deliveries, 'claim' | 'settle' | 'giveUp'>;
  channels: readonly Channel[];
  notification: (delivery: Delivery) => Notification;
  logger: Logger;
};

/**
 * Channels are independent, so that one that hangs delays no other. Joined messages share one outcome. Each delivery is
 * sent at least once, always under the same id.
 */
export function startOutbox(options: OutboxOptions): Outbox {
  const { logger } = options;
  const storeOutage = outage((error) => {
    if (error) logger.error({ err: error }, 'deliveries cannot be read or updated; retrying every second');
    else logger.info('deliveries can be read and updated again');
  });
  const senders = options.channels.map((channel) => new ChannelSender(channel, options, storeOutage));
  const givingUp = startGivingUp(options, storeOutage);
  return {
    wake() {
      for (const sender of senders) sender.wake();
    },
    async stop() {
      await Promise.all([givingUp, ...senders].map((one) => one.stop()));
    },
  };
}

function startGivingUp({ queue, channels, logger }: OutboxOptions, storeOutage: Outage): Repetition {
  const names = channels.map(({ name }) => name);
  // What has waited while no server ran is tried for an hour.
  let hasRun = false;
  async function giveUp(): Promise<void> {
    const now = Date.now();
    const queuedBefore = hasRun ? iso(now - maxAgeMs) : wholeRange.since;
    hasRun = true;
    try {
      const givenUp = await queue.giveUp(iso(now), { queuedBefore, channels: names });
      for (const { id, channel, lead, error } of givenUp) {
        logger.error({ channel, delivery: id, lead, reason: error }, 'delivery given up; the lead is at /desk');
      }
    } catch (error) {
      storeOutage.failed(error);
    }
  }

  return repeatedly(giveUp, { intervalMs: hourMs, logger });
}

/** More leads than this are joined into one message. */
const maxSeparateMessages = 3;
/** For channels that join messages: a Telegram chat accepts about one a second. */
const pauseBetweenMessagesMs = secondMs;

class ChannelSender {
  private readonly channel: Channel;
  private readonly options: OutboxOptions;
  private readonly storeOutage: Outage;
  private readonly timeoutMs: number;
  /** `channel.parallel` of them, so that a message that hangs blocks no other. */
  private readonly loops: readonly Repetition[];
  /** Halved after a refusal, so that one bad lead does not hold back the others. */
  private batchSize = maxJoined;
  /** By `performance.now()`, because the system clock may be set back. */
  private pausedUntilMs = 0;
  private isStopping = false;
  private readonly graceOver = new AbortController();

  constructor(channel: Channel, options: OutboxOptions, storeOutage: Outage) {
    this.channel = channel;
    this.options = options;
    this.storeOutage = storeOutage;
    this.timeoutMs = channel.timeoutMs ?? defaultTimeoutMs;
    const repetition = { intervalMs: pollIntervalMs, logger: options.logger };
    this.loops = Array.from({ length: channel.parallel }, () => repeatedly(() => this.sendAll(), repetition));
  }

  wake(): void {
    for (const loop of this.loops) loop.again();
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    const timer = setTimeout(() => this.graceOver.abort(), stopGraceMs);
    await Promise.all(this.loops.map((loop) => loop.stop()));
    clearTimeout(timer);
  }

  private async sendAll(): Promise<void> {
    while (!this.isStopping && performance.now() >= this.pausedUntilMs) {
      const message = await this.claim();
      if (message.length === 0) return;
      const outcomes = await this.send(message);
      if (this.channel.joins) {
        this.pausedUntilMs = Math.max(this.pausedUntilMs, performance.now() + pauseBetweenMessagesMs);
      }
      await this.settle(outcomes);
    }
  }

  private async claim(): Promise<Delivery[]> {
    const now = Date.now();
    try {
      const claimed = await this.options.queue.claim(this.channel.name, {
        limit: this.channel.joins ? this.batchSize : 1,
        maxSeparateMessages,
        now: iso(now),
        latest: iso(now + maxWaitMs),
        leaseUntil: iso(now + this.timeoutMs + leaseMarginMs),
      });
      this.storeOutage.over();
      return claimed;
    } catch (error) {
      this.storeOutage.failed(error);
      return [];
    }
  }

  private async send(message: readonly Delivery[]): Promise<Outcome[]> {
    const signal = AbortSignal.any([AbortSignal.timeout(this.timeoutMs), this.graceOver.signal]);
    try {
      signal.throwIfAborted();
      // A channel that ignores its signal must not delay the next message.
      const aborted = once(signal, 'abort').then(() => signal.throwIfAborted());
      await Promise.race([this.channel.deliver(message.map(this.options.notification), signal), aborted]);
      this.batchSize = Math.min(this.batchSize * 2, maxJoined);
      return message.map((delivery) => this.delivered(delivery));
    } catch (error) {
      const pauseMs = error instanceof RemoteError ? error.pauseMs : 0;
      if (pauseMs > 0) this.pausedUntilMs = performance.now() + pauseMs;
      else this.batchSize = Math.ceil(message.length / 2);
      return message.map((delivery) => this.failed(delivery, explain(error, signal, this.timeoutMs), pauseMs));
    }
  }

  private delivered(delivery: Delivery): Outcome {
    this.options.logger.info(this.describe(delivery), 'lead delivered');
    return { id: delivery.id, deliveredAt: iso(Date.now()) };
  }

  private failed(delivery: Delivery, reason: string, pauseMs: number): Outcome {
    const { id, attempts, token } = delivery;
    const retryAt = iso(Date.now() + (pauseMs || retryDelayMs(attempts)));
    this.options.logger.warn({ ...this.describe(delivery), reason, retryAt }, 'delivery failed, retrying');
    return { id, error: reason, retryAt, ...(pauseMs > 0 && { unused: token }) };
  }

  private describe({ id, channel, lead, attempts }: Delivery) {
    return { channel, delivery: id, lead: lead.number, attempts };
  }

  /** An unrecorded message would be sent again. */
  private async settle(outcomes: readonly Outcome[]): Promise<void> {
    for (;;) {
      try {
        await this.options.queue.settle(outcomes);
        return this.storeOutage.over();
      } catch (error) {
        this.storeOutage.failed(error);
      }
      if (this.isStopping) return;
      await sleep(pollIntervalMs);
    }
  }
}

/** @param attempts made so far */
function retryDelayMs(attempts: number): number {
  const pause = retrySeconds[attempts - 1];
  return pause === undefined ? hourMs : pause * secondMs;
}

/** Other errors may contain secrets or personal data. */
function explain(error: unknown, signal: AbortSignal, timeoutMs: number): string {
  if (error instanceof RemoteError) return error.message;
  if (signal.aborted)
    return signal.reason?.name === 'TimeoutError'
      ? `no answer within ${timeoutMs / secondMs} s`
      : 'the server was stopped';
  return `unexpected ${Error.isError(error) ? error.name : typeof error}`;
}

function iso(time: number): string {
  return new Date(time).toISOString();
}
