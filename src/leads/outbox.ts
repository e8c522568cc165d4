import type { Logger } from 'pino';
import { type Outage, outage } from '../outage.ts';
import { type Channel, DeliveryError, type Notification } from './channels/channel.ts';
import type { DeliveryRecord, Lead } from './lead.ts';

/** A message on its way, claimed by this process. */
export type Delivery = Pick<DeliveryRecord, 'id' | 'channel' | 'reason'> & {
  lead: Lead;
  /** Counts this attempt, too. */
  attempts: number;
};

/**
 * How an attempt ended. Without `retryAt`, a delivery that failed is not tried again. `uncounted`: it was none, because
 * the other side took no messages at all.
 */
export type Outcome = { id: string; at: string } & (
  | { delivered: true }
  | { error: string; retryAt: string | null; uncounted?: true }
);

/** Where deliveries wait; the same store that keeps leads. Several processes may share it. */
export interface DeliveryQueue {
  /**
   * Takes deliveries of a channel that are due, the longest overdue first, and counts an
   * attempt of each. Until `leaseUntil` nobody else gets them; then they are due again,
   * for a process that has not come back with an outcome has died. One that is due after `latest`
   * was put off by a clock that went wrong, and is due, too. `newest`: those of the newest leads first.
   */
  claim(
    channel: string,
    options: { limit: number; now: string; latest: string; leaseUntil: string; newest?: boolean },
  ): Promise<Delivery[]>;
  settle(outcomes: readonly Outcome[]): Promise<void>;
}

/** Sends what waits. */
export type Outbox = {
  /** There may be something to send. */
  wake(): void;
  /** Begins no more attempts and waits for those that run; what is left unsettled is sent again later. */
  stop(): Promise<void>;
};

const second = 1000;
const hour = 3600 * second;

/** Seconds after a lead came in at which it is tried again, while the other side fails. */
const quick = [5, 15, 30, 60, 120, 240, 480, 960, 1920, 3600];
/** Then hourly, until three days have passed. */
const attemptsAtMost = 1 + quick.length + (3 * 24 - 1);

/**
 * Milliseconds from one failed attempt to the next.
 *
 * @param attempts how many there were
 * @returns `undefined` after three days of failures
 */
export function retryDelay(attempts: number): number | undefined {
  if (attempts >= attemptsAtMost) return undefined;
  const at = quick[attempts - 1];
  return at === undefined ? hour : (at - (quick[attempts - 2] ?? 0)) * second;
}

/** Milliseconds for which a delivery is put off at most: an hour, by its own pace or because the other side asked. */
const longestWait = hour + 60 * second;
/** Milliseconds without a message where the other side says that there are too many, and not for how long. */
const pause = 5 * second;
/** Milliseconds that an attempt may take, and for which a claim holds. */
const attemptTime = 10 * second;
const leaseTime = 30 * second;
/** Milliseconds that attempts get to come to their end when the process is about to. */
const graceTime = 2 * second;
/** Milliseconds between looks at the queue when nobody wakes the outbox: retries, and leads of other processes. */
const lookInterval = second;

type Options = {
  queue: DeliveryQueue;
  channels: readonly Channel[];
  /** Makes what a channel is told of a delivery. */
  notification: (delivery: Delivery) => Notification;
  logger: Logger;
  /** Told of every attempt: for metrics. */
  onAttempt?: (channel: Channel, outcome: 'delivered' | 'failed' | 'dead') => void;
};

/**
 * Sends deliveries, each channel by itself, so that one that hangs delays no other.
 * A delivery is sent at least once: whatever goes wrong between sending it and writing
 * down that it was sent, it is sent again under the same id.
 */
export function startOutbox(options: Options): Outbox {
  const { logger } = options;
  const storeOutage = outage((error) => {
    if (error) logger.error({ err: error }, 'deliveries cannot be read or written down; it is tried again each second');
    else logger.info('deliveries can be read and written down again');
  });
  const lanes = options.channels.map((channel) => startLane(channel, options, storeOutage));
  const wake = () => {
    for (const lane of lanes) lane.look();
  };
  const looking = setInterval(wake, lookInterval);
  wake();
  return {
    wake,
    async stop() {
      clearInterval(looking);
      await Promise.all(lanes.map((lane) => lane.stop()));
    },
  };
}

/** The deliveries of one channel, as many at once as it can take. */
function startLane(channel: Channel, { queue, notification, logger, onAttempt }: Options, storeOutage: Outage) {
  const running = new Set<Promise<void>>();
  const cut = new AbortController();
  let stopped = false;
  let claiming: Promise<void> | undefined;
  /** Of a burst that takes minutes, every second message is the newest: whoever comes last does not wait for all others. */
  let newest = false;
  /** Until when the other side takes no messages, in milliseconds since 1970. */
  let pausedUntil = 0;
  let outcomes: Outcome[] = [];
  let settling: Promise<void> | undefined;

  function look(): void {
    if (outcomes.length > 0) settling ??= settle();
    // Few large claims cost less than many small ones.
    if (stopped || Date.now() < pausedUntil) return;
    if (running.size <= channel.parallel / 2) claiming ??= claim();
  }

  async function claim(): Promise<void> {
    // What was sent and is not written down yet must not be sent again.
    await settling;
    try {
      const now = Date.now();
      const limit = channel.parallel - running.size;
      const claimed = await queue.claim(channel.name, {
        ...{ limit, now: iso(now), latest: iso(now + longestWait), leaseUntil: iso(now + leaseTime), newest },
      });
      newest = !newest;
      storeOutage.over();
      for (const delivery of claimed) run(delivery);
    } catch (error) {
      storeOutage.failed(error);
    }
    claiming = undefined;
  }

  function run(delivery: Delivery): void {
    const attempt = send(delivery).then((outcome) => {
      outcomes.push(outcome);
      running.delete(attempt);
      look();
    });
    running.add(attempt);
  }

  async function send(delivery: Delivery): Promise<Outcome> {
    const { id, attempts } = delivery;
    const fields = { channel: channel.kind, delivery: id, lead: delivery.lead.number, attempts };
    const signal = AbortSignal.any([AbortSignal.timeout(attemptTime), cut.signal]);
    try {
      await unlessAborted(signal, channel.deliver(notification(delivery), signal));
      logger.info(fields, 'delivered');
      onAttempt?.(channel, 'delivered');
      return { id, at: iso(Date.now()), delivered: true };
    } catch (error) {
      const reason = explain(error, signal);
      const delay = retryDelay(attempts);
      const asked = error instanceof DeliveryError ? error.retryAfterMs : 0;
      if (error instanceof DeliveryError && error.tooMany) {
        const wait = Math.max(asked, pause);
        pausedUntil = Math.max(pausedUntil, Date.now() + wait);
        logger.warn({ ...fields, reason, wait }, 'the other side takes no messages just now; it is tried again');
        return { id, at: iso(Date.now()), error: reason, retryAt: iso(Date.now() + wait), uncounted: true };
      }
      onAttempt?.(channel, delay === undefined ? 'dead' : 'failed');
      if (delay === undefined) logger.error({ ...fields, reason }, 'given up; "leads redeliver" tries again');
      else logger.warn({ ...fields, reason }, 'not delivered; it is tried again');
      const now = Date.now();
      return {
        id,
        at: iso(now),
        error: reason,
        retryAt: delay === undefined ? null : iso(now + Math.max(delay, asked)),
      };
    }
  }

  /** Outcomes of one turn of the event loop share a commit; those that cannot be written wait for the next look. */
  async function settle(): Promise<void> {
    await nextTurn();
    const batch = outcomes;
    outcomes = [];
    try {
      await queue.settle(batch);
      storeOutage.over();
    } catch (error) {
      outcomes = [...batch, ...outcomes];
      storeOutage.failed(error);
    }
    settling = undefined;
  }

  return {
    look,
    async stop() {
      stopped = true;
      await claiming;
      // What is on its way gets a moment to arrive.
      const timer = setTimeout(() => cut.abort(), graceTime);
      await Promise.all(running);
      clearTimeout(timer);
      await settling;
      if (outcomes.length > 0) await settle();
    },
  };
}

/** A channel that does not heed its signal must not hold up the others' turn. */
function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const give = () => reject(signal.reason);
    signal.addEventListener('abort', give, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', give));
  });
}

/** Only channels know which words about a failure hold nothing of the lead, and no secret. */
function explain(error: unknown, signal: AbortSignal): string {
  if (error instanceof DeliveryError) return error.message;
  if (signal.aborted)
    return signal.reason?.name === 'TimeoutError' ? 'no answer within 10 s' : 'the server was stopped';
  return `unexpected ${Error.isError(error) ? error.name : typeof error}`;
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function iso(time: number): string {
  return new Date(time).toISOString();
}
