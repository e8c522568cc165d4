import { randomUUID } from 'node:crypto';
import { localTime } from '../../lib/calendar.ts';
import { dayMs, hourMs, minuteMs } from '../../lib/durations.ts';
import type { FieldError } from '../../model/field-error.ts';
import { instant, startOfDay, type WorkingHours, workdayAfter } from '../../model/working-hours.ts';
import { maxCallDays } from '../channels/escalation.ts';
import { type Transition, transitions } from '../store/lead.ts';
import type { ActionDraft } from './lead-actions.tsx';

/** Longer than a UUID; the key is stored with the event. */
const maxKeyLength = 64;

type Fields = Readonly<Record<string, unknown>> | undefined;

type Action = { kind: Transition; key: string; text: ''; callAt?: Date };

export function blankDraft(): ActionDraft {
  return { key: randomUUID(), callAt: '', errors: [] };
}

export function keyIn(fields: Fields): string {
  return String(fields?.key || randomUUID()).slice(0, maxKeyLength);
}

/**
 * Reads a form of `LeadActions`.
 *
 * @returns `undefined` if it names no action
 */
export function readAction(
  fields: Fields,
  now: Date,
  hours: WorkingHours,
): Action | { draft: ActionDraft } | undefined {
  const kind = String(fields?.action ?? '');
  const key = keyIn(fields);
  if (!Object.hasOwn(transitions, kind)) return undefined;
  if (kind !== 'missed') return { kind: kind as Transition, key, text: '' };
  const typed = String(fields?.callAt ?? '').slice(0, 40);
  const callAt = presetCall(String(fields?.when ?? ''), now, hours) ?? readCall(typed, now, hours.timeZone);
  if (callAt !== undefined) return { kind, key, text: '', callAt };
  return { draft: { key, callAt: typed, errors: [wrongCall] } };
}

const wrongCall: FieldError = {
  field: 'callAt',
  message: `Укажите день и время, которые ещё не прошли, не дальше ${maxCallDays} дней`,
};

function presetCall(when: string, now: Date, hours: WorkingHours): Date | undefined {
  if (when === 'quarter') return new Date(now.getTime() + 15 * minuteMs);
  if (when === 'hour') return new Date(now.getTime() + hourMs);
  if (when !== 'morning') return undefined;
  // At night, the next morning is today's.
  const { date, minutes } = localTime(now, hours.timeZone);
  const from = minutes < firstMinuteOfDay ? now : new Date(startOfDay(date, hours.timeZone).getTime() + dayMs - 1);
  return workdayAfter(hours, from);
}

/** People call that morning tomorrow even before it begins, except at night. */
const firstMinuteOfDay = 5 * 60;

/** As browsers send it, or as people type where the browser has no calendar: `2026-11-26T15:30`, `26.11.2026 15:30`. */
const typedCall =
  /^(?:(?<date>\d{4}-\d\d-\d\d)T|(?<day>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{4}),? )(?<time>\d\d:\d\d)/;

function readCall(typed: string, now: Date, timeZone: string): Date | undefined {
  const { date, day = '', month = '', year, time = '' } = typedCall.exec(typed.trim())?.groups ?? {};
  try {
    const at = instant(date ?? `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`, time, timeZone);
    return at > now.getTime() && at <= now.getTime() + maxCallDays * dayMs ? new Date(at) : undefined;
  } catch {
    // There is no such day or time.
    return undefined;
  }
}
