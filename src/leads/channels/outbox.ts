import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { hourMs, minuteMs } from '../../lib/durations.ts';
import { type Outage, outage } from '../../lib/outage.ts';
import { RemoteError } from '../../lib/remote-error.ts';
import { type Repetition, repeatedly } from '../../lib/repeatedly.ts';
import type { Deliveries, Delivery, Outcome } from '../store/deliveries.ts';
import { type Channel, maxJoined, type Notification } from './channel.ts';

export type Outbox = {
  wake(): void;
  /** Waits for attempts in flight; unsettled ones are repeated later. */
  stop(): Promise<void>;
};

const secondMs = 1000;

/** Then hourly, until three days have passed. */
const retrySeconds = [5, 10, 15, 30, 60, 120, 240, 480, 960, 1_680];
const maxAttempts = 1 + retrySeconds.length + (3 * 24 - 1);

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
  queue: Pick<Deliveries, 'claim' | 'settle'>;
  channels: readonly Channel[];
  notification: (delivery: Delivery) => Notification;
  logger: Logger;
  /** For metrics. */
  onAttempt?: (channel: Channel, outcome: 'delivered' | 'failed') => void;
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
  return {
    wake() {
      for (const sender of senders) sender.wake();
    },
    async stop() {
      await Promise.all(senders.map((sender) => sender.stop()));
    },
  };
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
    this.options.onAttempt?.(this.channel, 'delivered');
    return { id: delivery.id, at: iso(Date.now()), delivered: true };
  }

  private failed(delivery: Delivery, reason: string, pauseMs: number): Outcome {
    const { id, attempts, token } = delivery;
    const { logger, onAttempt } = this.options;
    const fields = { ...this.describe(delivery), reason };
    const now = Date.now();
    if (pauseMs > 0) {
      logger.warn({ ...fields, pauseMs }, 'channel is rate limiting, retrying');
      return { id, at: iso(now), error: reason, retryAt: iso(now + pauseMs), unused: token };
    }
    onAttempt?.(this.channel, 'failed');
    const delayMs = retryDelayMs(attempts);
    if (delayMs === undefined) logger.error(fields, 'delivery expired; the lead is at /desk');
    else logger.warn(fields, 'delivery failed, retrying');
    return { id, at: iso(now), error: reason, retryAt: delayMs === undefined ? null : iso(now + delayMs) };
  }

  private describe({ id, lead, attempts }: Delivery) {
    return { channel: this.channel.kind, delivery: id, lead: lead.number, attempts };
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

/**
 * @param attempts made so far
 * @returns `undefined` after three days
 */
function retryDelayMs(attempts: number): number | undefined {
  const pause = retrySeconds[attempts - 1];
  if (pause !== undefined) return pause * secondMs;
  return attempts < maxAttempts ? hourMs : undefined;
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
