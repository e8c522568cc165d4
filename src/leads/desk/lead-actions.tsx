import { randomUUID } from 'node:crypto';
import type { ReactNode } from 'react';
import { LinkButton, SubmitButton } from '../../components/action.tsx';
import { ErrorSummary, findError } from '../../components/forms/error-summary.tsx';
import { InputField } from '../../components/forms/form-field.tsx';
import { localTime } from '../../lib/calendar.ts';
import { dayMs, hourMs, minuteMs } from '../../lib/durations.ts';
import type { Company } from '../../model/content.ts';
import type { FieldError } from '../../model/field-error.ts';
import { instant, startOfDay, type WorkingHours, workdayAfter } from '../../model/working-hours.ts';
import { statePhrase } from '../messages/desk-phrases.ts';
import { promisedCall } from '../messages/promised-call.ts';
import type { Lead } from '../store/lead.ts';
import { leadEvents, maxCallDays, type Transition } from '../store/lead-events.ts';
import './lead-actions.css';

/** The forms of one page. */
export type ActionDraft = {
  /** Identifies repeated submissions. */
  key: string;
  /** As typed. */
  callAt: string;
  errors: readonly FieldError[];
};

export function blankDraft(): ActionDraft {
  return { key: randomUUID(), callAt: '', errors: [] };
}

type Props = {
  lead: Lead;
  /** Where the forms are sent; by default this page. */
  address?: string | undefined;
  draft: ActionDraft;
  /** Absent without a phone to call. */
  call?: string | undefined;
  company: Company;
  now: Date;
};

/** What a person at the company can do next, as plain forms. The list of quarantine has the button to release a lead. */
export function LeadActions(props: Props) {
  const { lead, call, company } = props;
  const phrase = statePhrase(lead, company.workingHours.timeZone);
  return (
    <>
      {phrase && (
        <p className="lead-state" role="status">
          {phrase}
        </p>
      )}
      {lead.state === 'taken' && call && <LinkButton href={call} text="Позвонить" />}
      {lead.state === 'taken' && <Outcomes {...props} />}
      {lead.state === 'done' && <ActionButton {...props} action="return" />}
      {(lead.state === 'waiting' || lead.state === 'quarantined') && <TakeForm {...props} />}
      {lead.state === 'waiting' && <ActionButton {...props} action="notOurs" />}
    </>
  );
}

type TakeFormProps = Pick<Props, 'address' | 'company' | 'now'> & {
  draft: Pick<ActionDraft, 'key'>;
  lead: Pick<Lead, 'since' | 'events'>;
};

export function TakeForm({ address, draft, lead, company, now }: TakeFormProps) {
  const { again, time } = promisedCall(lead, company, now);
  return (
    <ActionForm address={address} draft={draft} action="take">
      <SubmitButton text={leadEvents.take.button} />
      <p>
        Нажмите, чтобы остальные видели, что звоните вы. Мы обещали {again ? 'перезвонить' : 'позвонить'} {time}.
      </p>
    </ActionForm>
  );
}

function Outcomes(props: Props) {
  const { errors, callAt } = props.draft;
  return (
    <section className="lead-outcomes">
      <ErrorSummary errors={errors} fields={['callAt']} />
      <h2>Чем кончилось?</h2>
      <div className="lead-buttons">
        <ActionButton {...props} action="talked" />
        <ActionButton {...props} action="notOurs" />
        <ActionButton {...props} action="return" />
      </div>
      <h3>Не дозвонились? Перезвонить:</h3>
      <ActionForm {...props} action="missed">
        <div className="lead-buttons">
          {usualCalls.map(({ when, button }) => (
            <SubmitButton key={when} text={button} quiet name="when" value={when} />
          ))}
        </div>
      </ActionForm>
      <ActionForm {...props} action="missed">
        <InputField
          field="callAt"
          label="В другое время"
          value={callAt}
          error={findError(errors, 'callAt')}
          type="datetime-local"
          autoComplete="off"
          required
        />
        <SubmitButton text={leadEvents.missed.button} quiet />
      </ActionForm>
    </section>
  );
}

type FormProps = {
  address?: string | undefined;
  draft: Pick<ActionDraft, 'key'>;
  action: Transition;
};

function ActionButton(props: FormProps) {
  return (
    <ActionForm {...props}>
      <SubmitButton text={leadEvents[props.action].button} quiet />
    </ActionForm>
  );
}

function ActionForm({ address, draft, action, children }: FormProps & { children: ReactNode }) {
  return (
    <form action={address} method="post">
      <input type="hidden" name="key" value={draft.key} />
      <input type="hidden" name="action" value={action} />
      {children}
    </form>
  );
}

/** Longer than a UUID; the key is stored with the event. */
const maxKeyLength = 64;

export function keyIn(fields: URLSearchParams): string {
  return (fields.get('key') || randomUUID()).slice(0, maxKeyLength);
}

type Action = { eventName: Transition; key: string; text: ''; callAt?: Date };

/** @returns `undefined` if no button of `LeadActions` was pressed */
export function readAction(
  fields: URLSearchParams,
  now: Date,
  hours: WorkingHours,
): Action | { draft: ActionDraft } | undefined {
  const name = fields.get('action') ?? '';
  if (!isTransition(name)) return undefined;
  const action = { eventName: name, key: keyIn(fields), text: '' } as const;
  if (name !== 'missed') return action;
  const typed = (fields.get('callAt') ?? '').slice(0, 40);
  const usual = usualCalls.find(({ when }) => when === fields.get('when'));
  const callAt = usual ? usual.at(now, hours) : readCall(typed, now, hours.timeZone);
  return callAt ? { ...action, callAt } : { draft: { key: action.key, callAt: typed, errors: [wrongCall] } };
}

function isTransition(name: string): name is Transition {
  return Object.entries(leadEvents).some(([eventName, { to }]) => eventName === name && to !== undefined);
}

const wrongCall: FieldError = {
  field: 'callAt',
  message: `Укажите день и время, которые ещё не прошли, не дальше ${maxCallDays} дней`,
};

type UsualCall = { when: string; button: string; at(now: Date, hours: WorkingHours): Date | undefined };

const usualCalls: readonly UsualCall[] = [
  { when: 'quarter', button: 'через 15 минут', at: (now) => new Date(now.getTime() + 15 * minuteMs) },
  { when: 'hour', button: 'через час', at: (now) => new Date(now.getTime() + hourMs) },
  { when: 'morning', button: 'завтра утром', at: tomorrowMorning },
];

/** People call that morning tomorrow even before it begins, except at night. */
const firstMinuteOfDay = 5 * 60;

function tomorrowMorning(now: Date, hours: WorkingHours): Date | undefined {
  const { date, minutes } = localTime(now, hours.timeZone);
  const from = minutes < firstMinuteOfDay ? now : new Date(startOfDay(date, hours.timeZone).getTime() + dayMs - 1);
  return workdayAfter(hours, from);
}

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
