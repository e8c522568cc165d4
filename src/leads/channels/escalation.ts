import type { Logger } from 'pino';
import { localTime } from '../../lib/calendar.ts';
import { dayMs, minuteMs } from '../../lib/durations.ts';
import { outage } from '../../lib/outage.ts';
import { type Repetition, repeatedly } from '../../lib/repeatedly.ts';
import type { Company } from '../../model/content.ts';
import {
  afterWorkingMinutes,
  callsFrom,
  isOpen,
  isWorkdayStart,
  nextOpening,
  workdayAfter,
  workingFrom,
} from '../../model/working-hours.ts';
import type { Deliveries, Due, Reminder } from '../store/deliveries.ts';
import type { Plan } from '../store/lead.ts';
import type { NewEvent, Schedule } from '../store/leads.ts';
import { maxJoined } from './channel.ts';

type WorkingHours = Company['workingHours'];

/** Working minutes between the first reminders of a waiting lead, of which each channel gets one. */
const firstReminderMinutes = 3;
const maxFirstReminders = 3;
/** Working minutes between later reminders, and after which a taken lead should have an outcome or a note. */
const reminderMinutes = 60;

/** Later calls are not planned. */
export const maxCallDays = 30;
/** A reminder that falls into a longer closure is sent when the closure ends. */
const maxClosedMs = 15 * dayMs;
/** Reminders due later were set by a wrong clock. */
const maxReminderWaitMs = maxCallDays * dayMs + maxClosedMs;

const pollIntervalMs = 5_000;

/** Leads per digest; a flood of spam waits for later ones. */
const maxDigestLeads = 5 * maxJoined;

/** Per poll. */
const maxReminders = 100;

/** Names of channels notified at once, and reminded in turn while a lead waits. */
export type ChannelOrder = { atOnce: readonly string[]; inTurn: readonly string[] };

/** @param later channels only reminded, in order; if empty, all take turns */
export function orderChannels(channels: readonly string[], later: readonly string[]): ChannelOrder {
  return { atOnce: channels.filter((name) => !later.includes(name)), inTurn: later.length > 0 ? later : channels };
}

/** @param at when the first channels are notified */
export function planFor(at: Date, quarantined: boolean, { atOnce }: ChannelOrder, hours: WorkingHours): Plan {
  return { quarantined, channels: atOnce, notifyAt: at.toISOString(), remindAt: firstReminderAt(hours, at) };
}

/**
 * What follows from an event.
 *
 * @param callAt when the next call is due, moved into working hours; without it, at once
 */
export function scheduleFor(
  { kind }: Pick<NewEvent, 'kind'>,
  at: Date,
  { atOnce }: ChannelOrder,
  hours: WorkingHours,
  callAt = at,
): Schedule {
  switch (kind) {
    case 'release':
      return { dueAt: at.toISOString(), remindAt: firstReminderAt(hours, at), channels: atOnce };
    case 'take':
      return { dueAt: at.toISOString(), remindAt: iso(afterWorkingMinutes(hours, at, reminderMinutes), at) };
    case 'note':
      return { dueAt: at.toISOString(), remindAt: iso(workdayAfter(hours, at), at) };
    case 'missed':
    case 'return': {
      // Staff are reminded at once then.
      const dueAt = iso(workingFrom(hours, callAt), callAt);
      return { dueAt, remindAt: dueAt };
    }
    case 'talked':
    case 'notOurs':
      return { dueAt: at.toISOString(), remindAt: null };
  }
}

function firstReminderAt(hours: WorkingHours, at: Date): string {
  const from = callsFrom(hours, at);
  return iso(from && afterWorkingMinutes(hours, from, firstReminderMinutes), at);
}

/** @param found counted from `at`; `undefined` without a shift within a year */
function iso(found: Date | undefined, at: Date): string {
  const latest = at.getTime() + maxClosedMs;
  return new Date(Math.min(found?.getTime() ?? latest, latest)).toISOString();
}

/** The message that is sent now about a lead, and when the next one is due. */
export function reminderOf(
  { lead, remindAt, reminders }: Due,
  { channelOrder, joining }: { channelOrder: ChannelOrder; joining: readonly string[] },
  hours: WorkingHours,
  now: Date,
): Reminder {
  const { atOnce, inTurn } = channelOrder;
  const isWaiting = lead.state === 'waiting';
  const isDue = isWaiting && remindAt === lead.since;
  const sent = isDue ? reminders : reminders + 1;
  const isFirst = isWaiting && (isDue || sent < Math.min(maxFirstReminders, inTurn.length));
  const next = iso(nextReminder(hours, now, { isWaiting, isFirst }), now);
  if (isDue) return { reason: 'due', channels: atOnce, next };
  if (joining.length > 0 && isWorkdayStart(hours, new Date(remindAt)))
    return { reason: 'summary', channels: joining, next };
  const channel = inTurn[reminders % inTurn.length];
  return { reason: 'reminder', channels: channel === undefined ? [] : [channel], next };
}

type Urgency = { isWaiting: boolean; isFirst: boolean };

function nextReminder(hours: WorkingHours, now: Date, { isWaiting, isFirst }: Urgency): Date | undefined {
  if (isFirst) return afterWorkingMinutes(hours, now, firstReminderMinutes);
  const inAnHour = nextOpening(hours, new Date(now.getTime() + reminderMinutes * minuteMs));
  const isToday = inAnHour?.open || inAnHour?.date === localTime(now, hours.timeZone).date;
  if (isWaiting && isToday) return afterWorkingMinutes(hours, now, reminderMinutes);
  // Each morning has one summary, and a taken lead has nothing else after its first reminder.
  return workdayAfter(hours, now);
}

/** In working hours, reminds staff of leads and sends the digest of quarantine once a day. */
export function startEscalation(options: {
  deliveries: Deliveries;
  channelOrder: ChannelOrder;
  /** Notified at once, and able to join leads. */
  joining: readonly string[];
  hours: () => WorkingHours;
  logger: Logger;
  wake: () => void;
}): Repetition {
  const { deliveries, channelOrder, joining, hours, logger, wake } = options;
  let lastDigestDay: string | undefined;
  const storeOutage = outage((error) => {
    if (error) logger.error({ err: error }, 'reminders cannot be read, retrying');
    else logger.info('reminders can be read again');
  });

  async function poll(): Promise<void> {
    if (!isOpen(hours(), new Date())) return;
    try {
      await sendReminders();
      await sendQuarantineDigest(localTime(new Date(), hours().timeZone).date);
      storeOutage.over();
    } catch (error) {
      storeOutage.failed(error);
    }
  }

  async function sendReminders(): Promise<void> {
    const now = Date.now();
    const times = { now: new Date(now).toISOString(), latest: new Date(now + maxReminderWaitMs).toISOString() };
    for (const due of await deliveries.due(times, maxReminders)) await remind(due);
  }

  async function remind(due: Due): Promise<void> {
    const reminder = reminderOf(due, { channelOrder, joining }, hours(), new Date());
    const { reason, channels } = reminder;
    if (!(await deliveries.remind(due, reminder)) || channels.length === 0) return;
    logger.warn({ lead: due.lead.number, state: due.lead.state, reason }, 'lead is due; staff reminded');
    wake();
  }

  async function sendQuarantineDigest(day: string): Promise<void> {
    if (day === lastDigestDay || joining.length === 0) return;
    const count = await deliveries.queueQuarantineDigest(day, joining, maxDigestLeads);
    lastDigestDay = day;
    if (count === 0) return;
    logger.info({ count }, 'quarantine digest sent');
    wake();
  }

  return repeatedly(poll, { intervalMs: pollIntervalMs, logger });
}
