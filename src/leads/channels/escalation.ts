import type { Logger } from 'pino';
import { localTime } from '../../lib/calendar.ts';
import { minuteMs } from '../../lib/durations.ts';
import { outage } from '../../lib/outage.ts';
import { type Repetition, repeatedly } from '../../lib/repeatedly.ts';
import {
  afterWorkingMinutes,
  isOpen,
  isWorkdayStart,
  nextOpening,
  type WorkingHours,
  workdayAfter,
} from '../../model/working-hours.ts';
import type { Deliveries, OverdueLead, Reason, Reminder } from '../store/deliveries.ts';
import { firstReminderMinutes, maxReminderWaitMs, reminderMinutes, reminderTime } from '../store/lead-events.ts';
import { StoreError } from '../store/sql.ts';
import { maxJoined } from './channel.ts';

const pollIntervalMs = 5_000;

/** Per poll. */
const maxReminders = 100;
/** Per digest; a flood of spam waits for later ones. */
const maxDigestLeads = 5 * maxJoined;

/** Names of channels. */
export type ChannelOrder = {
  /** Notified at once. */
  atOnce: readonly string[];
  /** Of these, those that join leads into digests. */
  joining: readonly string[];
  /** Reminded in turn while a lead waits. */
  inTurn: readonly string[];
};

/** @param later names of channels only reminded, in order; if empty, all take turns */
export function orderChannels(
  channels: readonly { name: string; joins?: true }[],
  later: readonly string[],
): ChannelOrder {
  const atOnce = channels.filter(({ name }) => !later.includes(name));
  const names = (some: typeof channels) => some.map(({ name }) => name);
  return {
    atOnce: names(atOnce),
    joining: names(atOnce.filter(({ joins }) => joins)),
    inTurn: later.length > 0 ? later : names(channels),
  };
}

type Situation = Pick<OverdueLead, 'reminders'> & {
  isWaiting: boolean;
  /** The time of a planned call has come. */
  isCallDue: boolean;
  /** The reminder was due when a working day began. */
  isMorning: boolean;
  order: ChannelOrder;
  hours: WorkingHours;
  now: Date;
};

type MessageRow = {
  applies(situation: Situation): boolean;
  reason: Reason;
  channels(order: ChannelOrder, reminders: number): readonly string[];
};

/** The first row that applies says what staff get. */
const reminders: readonly MessageRow[] = [
  { applies: ({ isCallDue }) => isCallDue, reason: 'due', channels: ({ atOnce }) => atOnce },
  {
    applies: ({ isMorning, order }) => isMorning && order.joining.length > 0,
    reason: 'morningDigest',
    channels: ({ joining }) => joining,
  },
  {
    applies: () => true,
    reason: 'reminder',
    channels: ({ inTurn }, sent) => inTurn.slice(sent % inTurn.length).slice(0, 1),
  },
];

/** Each channel gets one of them, soon after the one before. */
const maxFirstReminders = 3;

type PauseRow = Pick<MessageRow, 'applies'> & { next(hours: WorkingHours, now: Date): Date | undefined };

/** The first row that applies says when staff get the next reminder, unless the lead changes before. */
const pauses: readonly PauseRow[] = [
  {
    applies: ({ isWaiting, isCallDue, reminders, order: { inTurn } }) =>
      isCallDue || (isWaiting && reminders + 1 < Math.min(maxFirstReminders, inTurn.length)),
    next: (hours, now) => afterWorkingMinutes(hours, now, firstReminderMinutes),
  },
  {
    applies: ({ isWaiting, hours, now }) => isWaiting && isOpenToday(hours, now, reminderMinutes),
    next: (hours, now) => afterWorkingMinutes(hours, now, reminderMinutes),
  },
  // Each morning has one digest, and a taken lead has nothing else after its first reminder.
  { applies: () => true, next: workdayAfter },
];

/** After a break, too. */
function isOpenToday(hours: WorkingHours, now: Date, inMinutes: number): boolean {
  const opening = nextOpening(hours, new Date(now.getTime() + inMinutes * minuteMs));
  return opening !== undefined && (opening.open || opening.date === localTime(now, hours.timeZone).date);
}

/** The message that is sent now about a lead, and when the next one is due. */
export function reminderOf(lead: OverdueLead, order: ChannelOrder, hours: WorkingHours, now: Date): Reminder {
  const isWaiting = lead.state === 'waiting';
  const situation: Situation = {
    ...{ reminders: lead.reminders, isWaiting, order, hours, now },
    isCallDue: isWaiting && lead.remindAt === lead.since,
    isMorning: isWorkdayStart(hours, new Date(lead.remindAt)),
  };
  const { reason, channels } = rowFor(reminders, situation);
  const { next } = rowFor(pauses, situation);
  return { reason, channels: channels(order, lead.reminders), next: reminderTime(next(hours, now), now) };
}

function rowFor<Row extends Pick<MessageRow, 'applies'>>(rows: readonly Row[], situation: Situation): Row {
  const row = rows.find(({ applies }) => applies(situation));
  if (row === undefined) throw new Error('no row applies');
  return row;
}

type EscalationOptions = {
  deliveries: Deliveries;
  order: ChannelOrder;
  hours: () => WorkingHours;
  logger: Logger;
  wake: () => void;
};

/**
 * In working hours, every five seconds:
 *
 * 1. Find the leads of which staff are to be reminded, longest overdue first.
 * 2. For each, choose the message, its channels, and when the next reminder is due.
 * 3. Store that in one transaction. Only one process succeeds, and none if the lead has changed.
 * 4. Once a working day, queue the digest of quarantine.
 *
 * A lead that fails is logged and tried again; it does not stop the others.
 */
export function startEscalation({ deliveries, order, hours, logger, wake }: EscalationOptions): Repetition {
  let lastDigestDay: string | undefined;
  const storeOutage = outage((error) => {
    if (error) logger.error({ err: error }, 'reminders cannot be read, retrying');
    else logger.info('reminders can be read again');
  });

  async function poll(): Promise<void> {
    if (!isOpen(hours(), new Date())) return;
    try {
      const now = Date.now();
      const times = { now: new Date(now).toISOString(), latest: new Date(now + maxReminderWaitMs).toISOString() };
      for (const lead of await deliveries.overdue(times, maxReminders)) await tryToRemind(lead);
      await queueQuarantineDigest(localTime(new Date(), hours().timeZone).date);
      storeOutage.over();
    } catch (error) {
      storeOutage.failed(error);
    }
  }

  async function tryToRemind(lead: OverdueLead): Promise<void> {
    try {
      await remind(lead);
    } catch (error) {
      if (error instanceof StoreError) throw error;
      logger.error({ err: error, lead: lead.number }, 'staff were not reminded of a lead, retrying');
    }
  }

  async function remind(lead: OverdueLead): Promise<void> {
    const reminder = reminderOf(lead, order, hours(), new Date());
    if (!(await deliveries.remind(lead, reminder)) || reminder.channels.length === 0) return;
    const { number, state } = lead;
    logger.warn({ lead: number, state, reason: reminder.reason }, 'lead is due; staff reminded');
    wake();
  }

  async function queueQuarantineDigest(day: string): Promise<void> {
    if (day === lastDigestDay || order.joining.length === 0) return;
    const count = await deliveries.queueQuarantineDigest(day, order.joining, maxDigestLeads);
    lastDigestDay = day;
    if (count === 0) return;
    logger.info({ count }, 'quarantine digest sent');
    wake();
  }

  return repeatedly(poll, { intervalMs: pollIntervalMs, logger });
}
