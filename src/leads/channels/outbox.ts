import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from 'pino';
import { hourMs, minuteMs } from '../../lib/calendar.ts';
import { type Outage, outage } from '../../lib/outage.ts';
import { RemoteError } from '../../lib/remote-error.ts';
import type { Deliveries, Delivery, Outcome } from '../store/deliveries.ts';
import { type Channel, joinedAtMost, type Notification } from './channel.ts';

/** Sends what waits. */
export type Outbox = {
  /** Looks at the queue at once. */
  wake(): void;
  /** Begins no more attempts and waits for those that run; what is left unsettled is sent again later. */
  stop(): Promise<void>;
};

const second = 1000;

/** Seconds after the first attempt at which it is tried again, while the other side fails. */
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
  return at === undefined ? hourMs : (at - (quick[attempts - 2] ?? 0)) * second;
}

/** The most milliseconds by which a delivery is put off, by our own schedule or because the other side asked. */
const longestWait = hourMs + minuteMs;
/** Milliseconds without a message when the other side says that there are too many, but not how long to wait. */
const pause = 5 * second;
/** Milliseconds that an attempt may take, and for which a claim holds. */
const attemptTime = 10 * second;
const leaseTime = 30 * second;
/** Milliseconds that running attempts get to finish when the process ends. */
const graceTime = 2 * second;
/** Milliseconds between looks at the queue for what does not wake the outbox: retries, and leads of other processes. */
const lookInterval = second;

type Options = {
  queue: Pick<Deliveries, 'claim' | 'settle'>;
  channels: readonly Channel[];
  /** Makes what a channel is told of a delivery. */
  notification: (delivery: Delivery) => Notification;
  logger: Logger;
  /** Called after every attempt, for metrics. */
  onAttempt?: (channel: Channel, outcome: 'delivered' | 'failed') => void;
};

/**
 * Sends deliveries, each channel by itself, so that one that hangs delays no other. Where a channel can join messages,
 * many that wait share one, and its outcome. Each is sent at least once, always under the same id.
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

/** Up to so many for one reason are sent one by one: their attempts take no longer than a claim holds. */
const few = 3;

/**
 * What is told of in one message each, in turns of messages that follow each other. Of many, the newest goes by itself,
 * and then the others as one. Reminders are never among anything else, so that they are not overlooked.
 */
function joined(claimed: readonly Delivery[]): Delivery[][][] {
  const newestFirst = claimed.toSorted((a, b) => b.lead.number - a.lead.number);
  return Object.values(Object.groupBy(newestFirst, ({ reason }) => reason)).map((same) => {
    if (same[0]?.reason === 'digest') return [same];
    return same.length > few ? [same.slice(0, 1), same.slice(1)] : same.map((one) => [one]);
  });
}

/** The deliveries of one channel, as many at once as it can take. */
function startLane(channel: Channel, { queue, notification, logger, onAttempt }: Options, storeOutage: Outage) {
  const running = new Set<Promise<void>>();
  const cut = new AbortController();
  let stopped = false;
  let claiming: Promise<void> | undefined;
  /** Of a burst that takes minutes, every second message is the newest: the last lead does not wait for all others. */
  let newest = false;
  /** A joined message that is refused is split in halves, so that one bad lead does not hold back the others. */
  let portion = joinedAtMost;
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
      const limit = channel.join ? portion : channel.parallel - running.size;
      const claimed = await queue.claim(channel.name, {
        ...{ limit, now: iso(now), latest: iso(now + longestWait), leaseUntil: iso(now + leaseTime) },
        // What is left behind is joined soon.
        newest: newest || channel.join !== undefined,
      });
      newest = !newest;
      storeOutage.over();
      for (const turn of channel.join ? joined(claimed) : claimed.map((one) => [[one]])) run(turn);
    } catch (error) {
      storeOutage.failed(error);
    }
    claiming = undefined;
  }

  function run(turn: readonly Delivery[][]): void {
    const attempt = (async () => {
      for (const message of turn) {
        const ended = await send(message);
        outcomes.push(...ended);
        look();
      }
    })().finally(() => {
      running.delete(attempt);
      look();
    });
    running.add(attempt);
  }

  /** What is told in one message arrives or fails together. */
  async function send(message: readonly Delivery[]): Promise<Outcome[]> {
    const signal = AbortSignal.any([AbortSignal.timeout(attemptTime), cut.signal]);
    try {
      signal.throwIfAborted();
      await unlessAborted(signal, tell(message.map(notification), signal));
      if (message.length > 1) portion = Math.min(portion * 2, joinedAtMost);
      return message.map(delivered);
    } catch (error) {
      const reason = explain(error, signal);
      const { retryAfterMs, tooMany } = error instanceof RemoteError ? error : { retryAfterMs: 0, tooMany: false };
      if (tooMany) pausedUntil = Math.max(pausedUntil, Date.now() + Math.max(retryAfterMs, pause));
      else if (message.length > 1) portion = Math.max(Math.ceil(message.length / 2), few + 1);
      return message.map((delivery) => failed(delivery, { reason, retryAfterMs, tooMany }));
    }
  }

  async function tell(notifications: readonly Notification[], signal: AbortSignal): Promise<void> {
    const [first, ...others] = notifications;
    if (first === undefined) return;
    if (channel.join && (others.length > 0 || first.reason === 'digest')) await channel.join(notifications, signal);
    else await channel.deliver(first, signal);
  }

  const fieldsOf = ({ id, lead, attempts }: Delivery) => ({
    ...{ channel: channel.kind, delivery: id, lead: lead.number, attempts },
  });

  function delivered(delivery: Delivery): Outcome {
    logger.info(fieldsOf(delivery), 'delivered');
    onAttempt?.(channel, 'delivered');
    return { id: delivery.id, at: iso(Date.now()), delivered: true };
  }

  function failed(
    delivery: Delivery,
    { reason, retryAfterMs, tooMany }: { reason: string; retryAfterMs: number; tooMany: boolean },
  ): Outcome {
    const { id, attempts, token } = delivery;
    const fields = { ...fieldsOf(delivery), reason };
    const now = Date.now();
    if (tooMany) {
      const wait = Math.max(retryAfterMs, pause);
      logger.warn({ ...fields, wait }, 'the other side takes no messages just now; it is tried again');
      return { id, at: iso(now), error: reason, retryAt: iso(now + wait), unused: token };
    }
    const delay = retryDelay(attempts);
    onAttempt?.(channel, 'failed');
    if (delay === undefined) logger.error(fields, 'given up; the desk shows the lead');
    else logger.warn(fields, 'not delivered; it is tried again');
    const retryAt = delay === undefined ? null : iso(now + Math.max(delay, retryAfterMs));
    return { id, at: iso(now), error: reason, retryAt };
  }

  /** Outcomes of one turn of the event loop share a commit; if it fails, they wait for the next look. */
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
      // Attempts that run get a moment to finish.
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
  if (error instanceof RemoteError) return error.message;
  if (signal.aborted)
    return signal.reason?.name === 'TimeoutError' ? 'no answer within 10 s' : 'the server was stopped';
  return `unexpected ${Error.isError(error) ? error.name : typeof error}`;
}

function iso(time: number): string {
  return new Date(time).toISOString();
}
