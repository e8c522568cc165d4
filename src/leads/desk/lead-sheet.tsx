import type { ReactNode } from 'react';
import { LinkButton, SubmitButton } from '../../components/action.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { FactList } from '../../components/prose/fact-list.tsx';
import type { Content } from '../../model/content.ts';
import { presetTitle } from '../../model/preset-title.ts';
import { callTime, type WorkingHours } from '../../model/working-hours.ts';
import { SentBill } from '../../pages/services/sent-calculation.tsx';
import { type Fact, facts, messageLines } from '../channels/lead-words.ts';
import type { Lead } from '../store/lead.ts';
import { takenWords } from './staff-words.ts';
import './lead-sheet.css';

export type LeadSheetProps = {
  lead: Lead;
  content: Content;
  siteUrl: string;
  /** By default this page. */
  takeAction?: string;
  /** Between the actions and the facts. */
  children?: ReactNode;
};

export function LeadSheet({ lead, content, siteUrl, takeAction, children }: LeadSheetProps) {
  const { name, workingHours } = content.company;
  const { timeZone } = workingHours;
  const known = facts({ lead }, { name, url: siteUrl, timeZone });
  const phone = known.find(({ href }) => href?.startsWith('tel:'));
  const taken = takenWords(lead, timeZone);
  const message = messageLines({ lead });
  return (
    <>
      <PageHeading heading={leadName(lead)} intro={presetTitle(content, lead.preset)} />
      {taken ? (
        <>
          <p className="lead-taken" role="status">
            {taken}
          </p>
          {phone?.href && <LinkButton href={phone.href} text="Позвонить" />}
        </>
      ) : (
        <TakeForm action={takeAction} receivedAt={lead.receivedAt} workingHours={workingHours} />
      )}
      {children}
      <FactList
        facts={known.map((fact) => ({
          term: fact.label,
          value: <FactValue fact={fact} />,
          wide: fact.value.length > 30,
        }))}
      />
      {message.length > 0 && (
        <section>
          <h2>Сообщение</h2>
          <blockquote className="lead-words">
            <bdi>{message.join('\n')}</bdi>
          </blockquote>
        </section>
      )}
      {lead.calculation && <SentBill open bill={lead.calculation} />}
    </>
  );
}

type TakeFormProps = { action?: string; receivedAt: string; workingHours: WorkingHours };

export function TakeForm({ action, receivedAt, workingHours }: TakeFormProps) {
  return (
    <form action={action} method="post">
      <SubmitButton text="Беру заявку" />
      <p>
        Нажмите, чтобы остальные видели, что звоните вы. Мы обещали позвонить{' '}
        {callTime(workingHours, new Date(receivedAt))}.
      </p>
    </form>
  );
}

export function leadName({ number }: Pick<Lead, 'number'>): string {
  return `Заявка №\u00A0${number}`;
}

/** `bdi` isolates everything but phone numbers, which we format ourselves. */
function FactValue({ fact: { value, href } }: { fact: Fact }) {
  if (!href) return <bdi>{value}</bdi>;
  if (href.startsWith('tel:')) return <a href={href}>{value}</a>;
  // Allows line breaks after slashes.
  const parts = value.split(/(?<=\/)(?=\w)/);
  return (
    <a href={href}>
      <bdi>{parts.flatMap((part) => [<wbr key={part} />, part])}</bdi>
    </a>
  );
}
