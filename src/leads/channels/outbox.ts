import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { hourMs, minuteMs } from '../../lib/calendar.ts';
import { type Outage, outage } from '../../lib/outage.ts';
import { RemoteError } from '../../lib/remote-error.ts';
import { repeatedly } from '../../lib/repeatedly.ts';
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

/**
 * Milliseconds until the next attempt.
 *
 * @param attempts made so far
 * @returns `undefined` after three days
 */
function retryDelay(attempts: number): number | undefined {
  const pause = retrySeconds[attempts - 1];
  if (pause !== undefined) return pause * secondMs;
  return attempts < maxAttempts ? hourMs : undefined;
}

/** Between two attempts, whether we schedule them or the channel asks for a pause. */
const maxWaitMs = hourMs + minuteMs;
const defaultTimeoutMs = 10 * secondMs;
/** A claim outlasts its attempt by this, so that no other process sends the same message. */
const leaseMarginMs = 20 * secondMs;
/** For attempts in flight when the process stops. */
const stopGraceMs = 2 * secondMs;
/** Retries and other processes' leads do not wake the outbox. */
const pollIntervalMs = secondMs;

type Options = {
  queue: Pick<Deliveries, 'claim' | 'settle'>;
  channels: readonly Channel[];
  notification: (delivery: Delivery) => Notification;
  logger: Logger;
  /** For metrics. */
  onAttempt?: (channel: Channel, outcome: 'delivered' | 'failed') => void;
};

/**
 * Lanes are independent, so that a channel that hangs delays no other. Joined messages share one outcome. Each delivery
 * is sent at least once, always under the same id.
 */
export function startOutbox(options: Options): Outbox {
  const { logger } = options;
  const storeOutage = outage((error) => {
    if (error) logger.error({ err: error }, 'deliveries cannot be read or updated; retrying every second');
    else logger.info('deliveries can be read and updated again');
  });
  const lanes = options.channels.map((channel) => startLane(channel, options, storeOutage));
  return {
    wake() {
      for (const lane of lanes) lane.wake();
    },
    async stop() {
      await Promise.all(lanes.map((lane) => lane.stop()));
    },
  };
}

/** Up to this many are sent singly. */
const maxSeparateMessages = 3;
/** For channels that join messages: a Telegram chat accepts about one a second. */
const pauseBetweenMessagesMs = secondMs;

/** Runs `channel.parallel` senders, so that one that hangs blocks no other. */
function startLane(channel: Channel, { queue, notification, logger, onAttempt }: Options, storeOutage: Outage) {
  const { timeoutMs = defaultTimeoutMs } = channel;
  const cut = new AbortController();
  let stopped = false;
  /** Halved after a refusal, so that one bad lead does not hold back the others. */
  let batchSize = maxJoined;
  /** By `performance.now()`, because the system clock may be set back. */
  let pausedUntilMs = 0;

  async function sendAll(): Promise<void> {
    while (!stopped && performance.now() >= pausedUntilMs) {
      const message = await claim();
      if (message.length === 0) return;
      const outcomes = await send(message);
      if (channel.joins) pausedUntilMs = Math.max(pausedUntilMs, performance.now() + pauseBetweenMessagesMs);
      await settle(outcomes);
    }
  }

  async function claim(): Promise<Delivery[]> {
    const now = Date.now();
    try {
      const claimed = await queue.claim(channel.name, {
        limit: channel.joins ? batchSize : 1,
        maxSeparateMessages,
        now: iso(now),
        latest: iso(now + maxWaitMs),
        leaseUntil: iso(now + timeoutMs + leaseMarginMs),
      });
      storeOutage.over();
      return claimed;
    } catch (error) {
      storeOutage.failed(error);
      return [];
    }
  }

  async function send(message: readonly Delivery[]): Promise<Outcome[]> {
    const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), cut.signal]);
    try {
      signal.throwIfAborted();
      // A channel that ignores its signal must not delay the next message.
      const ended = once(signal, 'abort').then(() => signal.throwIfAborted());
      await Promise.race([channel.deliver(message.map(notification), signal), ended]);
      batchSize = Math.min(batchSize * 2, maxJoined);
      return message.map(delivered);
    } catch (error) {
      const pauseMs = error instanceof RemoteError ? error.pauseMs : 0;
      if (pauseMs > 0) pausedUntilMs = performance.now() + pauseMs;
      else batchSize = Math.ceil(message.length / 2);
      return message.map((delivery) => failed(delivery, explain(error, signal, timeoutMs), pauseMs));
    }
  }

  const fieldsOf = ({ id, lead, attempts }: Delivery) => {
    return { channel: channel.kind, delivery: id, lead: lead.number, attempts };
  };

  function delivered(delivery: Delivery): Outcome {
    logger.info(fieldsOf(delivery), 'lead delivered');
    onAttempt?.(channel, 'delivered');
    return { id: delivery.id, at: iso(Date.now()), delivered: true };
  }

  function failed(delivery: Delivery, reason: string, pauseMs: number): Outcome {
    const { id, attempts, token } = delivery;
    const fields = { ...fieldsOf(delivery), reason };
    const now = Date.now();
    if (pauseMs > 0) {
      logger.warn({ ...fields, pauseMs }, 'channel is rate limiting, retrying');
      return { id, at: iso(now), error: reason, retryAt: iso(now + pauseMs), unused: token };
    }
    onAttempt?.(channel, 'failed');
    const delay = retryDelay(attempts);
    if (delay === undefined) logger.error(fields, 'delivery expired; the lead is at /desk');
    else logger.warn(fields, 'delivery failed, retrying');
    return { id, at: iso(now), error: reason, retryAt: delay === undefined ? null : iso(now + delay) };
  }

  /** An unrecorded message would be sent again. */
  async function settle(outcomes: readonly Outcome[]): Promise<void> {
    for (;;) {
      try {
        await queue.settle(outcomes);
        return storeOutage.over();
      } catch (error) {
        storeOutage.failed(error);
      }
      if (stopped) return;
      await sleep(pollIntervalMs);
    }
  }

  const senders = Array.from({ length: channel.parallel }, () => repeatedly(sendAll, pollIntervalMs));
  return {
    wake() {
      for (const sender of senders) sender.again();
    },
    async stop() {
      stopped = true;
      const timer = setTimeout(() => cut.abort(), stopGraceMs);
      await Promise.all(senders.map((sender) => sender.stop()));
      clearTimeout(timer);
    },
  };
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
