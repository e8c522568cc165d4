import type { ReactNode } from 'react';
import { LinkButton, SubmitButton } from '../../components/action.tsx';
import { ErrorSummary, findError } from '../../components/forms/error-summary.tsx';
import { InputField } from '../../components/forms/form-field.tsx';
import type { Company } from '../../model/content.ts';
import type { FieldError } from '../../model/field-error.ts';
import { promisedCall } from '../form/promised-call.ts';
import type { Lead, Transition } from '../store/lead.ts';
import { stateWords } from './staff-words.ts';
import './lead-actions.css';

/** The forms of one page. */
export type ActionDraft = {
  /** Identifies repeated submissions. */
  key: string;
  /** As typed. */
  callAt: string;
  errors: readonly FieldError[];
};

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

/** What a person at the company can do next, as plain forms. */
export function LeadActions(props: Props) {
  const { lead, call, company } = props;
  const state = stateWords(lead, company.workingHours.timeZone);
  return (
    <>
      {state && (
        <p className="lead-state" role="status">
          {state}
        </p>
      )}
      {lead.state === 'taken' && call && <LinkButton href={call} text="Позвонить" />}
      {lead.state === 'taken' && <Outcomes {...props} />}
      {lead.state === 'done' && (
        <ActionForm {...props} action="return">
          <SubmitButton text="Вернуть в очередь" quiet />
        </ActionForm>
      )}
      {(lead.state === 'waiting' || lead.state === 'quarantined') && <Take {...props} />}
    </>
  );
}

function Take(props: Props) {
  return (
    <>
      <TakeForm {...props} />
      {props.lead.state === 'waiting' && (
        <ActionForm {...props} action="notOurs">
          <SubmitButton text="Не наша заявка" quiet />
        </ActionForm>
      )}
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
      <SubmitButton text="Беру заявку" />
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
        <ActionForm {...props} action="talked">
          <SubmitButton text="Поговорили" quiet />
        </ActionForm>
        <ActionForm {...props} action="notOurs">
          <SubmitButton text="Не наша заявка" quiet />
        </ActionForm>
        <ActionForm {...props} action="return">
          <SubmitButton text="Вернуть в очередь" quiet />
        </ActionForm>
      </div>
      <h3>Не дозвонились? Перезвонить:</h3>
      <ActionForm {...props} action="missed">
        <div className="lead-buttons">
          <SubmitButton text="через 15 минут" quiet name="when" value="quarter" />
          <SubmitButton text="через час" quiet name="when" value="hour" />
          <SubmitButton text="завтра утром" quiet name="when" value="morning" />
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
        <SubmitButton text="Перезвонить в это время" quiet />
      </ActionForm>
    </section>
  );
}

type FormProps = {
  address?: string | undefined;
  draft: Pick<ActionDraft, 'key'>;
  action: Transition;
  children: ReactNode;
};

function ActionForm({ address, draft, action, children }: FormProps) {
  return (
    <form action={address} method="post">
      <input type="hidden" name="key" value={draft.key} />
      <input type="hidden" name="action" value={action} />
      {children}
    </form>
  );
}
