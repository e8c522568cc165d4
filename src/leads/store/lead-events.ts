import { dayMs } from '../../lib/durations.ts';
import {
  afterWorkingMinutes,
  callsFrom,
  type WorkingHours,
  workdayAfter,
  workingFrom,
} from '../../model/working-hours.ts';

/** `waiting`: the visitor awaits a call. `taken`: a person at the company calls. `done`: the lead has its outcome. */
export type LeadState = 'quarantined' | 'waiting' | 'taken' | 'done';

export type Transition = 'release' | 'take' | 'talked' | 'notOurs' | 'missed' | 'return';
export type EventName = Transition | 'note' | 'resend';

type EventMeaning = {
  /** The states that allow it. */
  from: readonly LeadState[];
  /** The next state; without it, the state stays. */
  to?: LeadState;
  /** The channels of a new lead get the lead. */
  notifies?: true;
  /** When staff are reminded next; without it, never. `reminders` in `escalation.ts` has the messages and their channels. */
  reminds?(hours: WorkingHours, at: Date): Date | undefined;
  /** Another state keeps its reminder. */
  remindsOnlyIf?: LeadState;
  /** The lead waits from that moment on, because the visitor is called again then. */
  callsAgain?: true;
  /** What the event stores in `text`; without it, nothing. */
  text?: 'call' | 'note' | 'channel';
  button: string;
  /** Empty if the text says it. */
  history: string;
  /** Above the buttons, until the lead waits again. */
  status?: string;
  log: string;
};

/** Working minutes. */
export const firstReminderMinutes = 3;
/** Working minutes in which a taken lead should have an outcome or a note. */
export const reminderMinutes = 60;

const anyState: readonly LeadState[] = ['quarantined', 'waiting', 'taken', 'done'];

/** What staff do with a lead. */
export const leadEvents: Readonly<Record<EventName, EventMeaning>> = {
  release: {
    from: ['quarantined'],
    to: 'waiting',
    notifies: true,
    reminds: firstReminder,
    button: 'Выпустить',
    history: 'выпущена из карантина',
    log: 'lead released',
  },
  take: {
    from: ['quarantined', 'waiting'],
    to: 'taken',
    reminds: (hours, at) => afterWorkingMinutes(hours, at, reminderMinutes),
    button: 'Беру заявку',
    history: 'взята',
    status: 'Заявку взяли',
    log: 'lead taken',
  },
  talked: {
    from: ['taken'],
    to: 'done',
    button: 'Поговорили',
    history: 'поговорили',
    status: 'Поговорили',
    log: 'lead done',
  },
  notOurs: {
    from: ['waiting', 'taken'],
    to: 'done',
    button: 'Не наша заявка',
    history: 'не наша заявка',
    status: 'Заявка не наша, отметили',
    log: 'lead done, not a customer',
  },
  missed: {
    from: ['taken'],
    to: 'waiting',
    reminds: workingFrom,
    callsAgain: true,
    text: 'call',
    button: 'Перезвонить в это время',
    history: 'не дозвонились',
    log: 'call not answered',
  },
  return: {
    from: ['taken', 'done'],
    to: 'waiting',
    reminds: workingFrom,
    callsAgain: true,
    button: 'Вернуть в очередь',
    history: 'возвращена в очередь',
    log: 'lead returned',
  },
  note: {
    from: anyState,
    // A note shows work in progress, so the reminder can wait.
    reminds: workdayAfter,
    remindsOnlyIf: 'taken',
    text: 'note',
    button: 'Записать',
    history: '',
    log: 'note written',
  },
  resend: {
    from: anyState,
    text: 'channel',
    button: 'Отправить ещё раз',
    history: 'отправлена ещё раз',
    log: 'notification sent again',
  },
};

function firstReminder(hours: WorkingHours, at: Date): Date | undefined {
  const from = callsFrom(hours, at);
  return from && afterWorkingMinutes(hours, from, firstReminderMinutes);
}

/** Later calls are not planned. */
export const maxCallDays = 30;
/** A reminder that falls into a longer closure is sent when the closure ends. */
const maxClosedMs = 15 * dayMs;
/** Reminders that are later were set by a wrong clock. */
export const maxReminderWaitMs = maxCallDays * dayMs + maxClosedMs;

/** @param at of the event, or when the visitor wants to be called */
export function reminderAfter(eventName: EventName, hours: WorkingHours, at: Date): string | null {
  const { reminds } = leadEvents[eventName];
  return reminds ? reminderTime(reminds(hours, at), at) : null;
}

/** @param moment `undefined` without working hours in the next year */
export function reminderTime(moment: Date | undefined, from: Date): string {
  const latest = from.getTime() + maxClosedMs;
  return new Date(Math.min(moment?.getTime() ?? latest, latest)).toISOString();
}

export type LeadEvent = {
  /** Identifies repeated submissions of a form. */
  key: string;
  at: string;
  /** `desk:` and the name on the link to the desk, the channel whose link was used, or `command`. */
  by: string;
  eventName: EventName;
  /** See `EventMeaning`. */
  text: string;
};

/** The last event that led to one of these states; by default, what led to the present one. */
export function lastChange({ events }: { events: readonly LeadEvent[] }, states = anyState): LeadEvent | undefined {
  return events.findLast(({ eventName }) => leadsTo(eventName, states));
}

export function leadsTo(eventName: EventName, states: readonly LeadState[]): boolean {
  const { to } = leadEvents[eventName];
  return to !== undefined && states.includes(to);
}
