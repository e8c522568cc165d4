import type { ReactNode } from 'react';
import { LinkButton, SubmitButton } from '../design/action.tsx';
import { FactList } from '../design/fact-list.tsx';
import { PageHeading } from '../design/page-heading.tsx';
import type { Fact } from '../leads/channels/wording.ts';
import { SentBill } from '../services/sent-calculation.tsx';
import type { LeadWords } from './lead-words.ts';
import './lead-sheet.css';

type Props = {
  lead: LeadWords;
  /** Says to the page what its form is for, where it has others. */
  take?: ReactNode;
  /** Between what is to be done with the lead and what is known of it. */
  children?: ReactNode;
};

/** All that staff are shown of a lead, and the form that takes it. */
export function LeadSheet({ lead, take, children }: Props) {
  const { presetTitle, facts, message, calculation, promised, taken } = lead;
  const phone = facts.find(({ href }) => href?.startsWith('tel:'));
  return (
    <>
      <PageHeading heading={leadName(lead)} lead={presetTitle} />
      {taken ? (
        <>
          <p className="lead-taken" role="status">
            {taken}
          </p>
          {phone?.href && <LinkButton href={phone.href} text="Позвонить" />}
        </>
      ) : (
        <form method="post">
          {take}
          <SubmitButton text="Беру заявку" />
          <p>Нажмите, чтобы остальные видели, что звоните вы. Мы обещали позвонить {promised}.</p>
        </form>
      )}
      {children}
      <FactList
        facts={facts.map((fact) => ({ term: fact.label, value: shownValue(fact), wide: fact.value.length > 30 }))}
      />
      {message.length > 0 && (
        <section>
          <h2>Сообщение</h2>
          <blockquote className="lead-words">
            <bdi>{message.join('\n')}</bdi>
          </blockquote>
        </section>
      )}
      {calculation && <SentBill open bill={calculation} />}
    </>
  );
}

/** What people call a lead by. */
export function leadName({ number }: Pick<LeadWords, 'number'>): string {
  return `Заявка №\u00A0${number}`;
}

/** A number is ours to write; all else stands as it came. */
function shownValue({ value, href }: Fact) {
  if (href?.startsWith('tel:')) return <a href={href}>{value}</a>;
  if (!href) return <bdi>{value}</bdi>;
  const parts = value.split(/(?<=\/)(?=\w)/);
  return (
    <a href={href}>
      <bdi>{parts.reduce<ReactNode>(breakable, '')}</bdi>
    </a>
  );
}

function breakable(start: ReactNode, part: string) {
  return (
    <>
      {start}
      <wbr />
      {part}
    </>
  );
}
