import type { ReactNode } from 'react';
import { PageHeading } from '../../components/page-heading.tsx';
import { FactList } from '../../components/prose/fact-list.tsx';
import type { Content } from '../../model/content.ts';
import { presetTitle } from '../../model/preset-title.ts';
import { SentBill } from '../../pages/services/sent-calculation.tsx';
import { type Fact, factsOf, messageLines } from '../messages/lead-facts.ts';
import type { Lead } from '../store/lead.ts';
import { type ActionDraft, LeadActions } from './lead-actions.tsx';
import './lead-sheet.css';

export type LeadSheetProps = {
  lead: Lead;
  content: Content;
  siteUrl: string;
  /** Where the forms are sent; by default this page. */
  address?: string;
  draft: ActionDraft;
  now: Date;
  /** Between the actions and the facts. */
  children?: ReactNode;
};

export function LeadSheet({ lead, content, siteUrl, address, draft, now, children }: LeadSheetProps) {
  const { company } = content;
  const { timeZone } = company.workingHours;
  const facts = factsOf(lead, { url: siteUrl, timeZone });
  const message = messageLines(lead);
  return (
    <>
      <PageHeading heading={leadName(lead)} intro={presetTitle(content, lead.preset)} />
      <LeadActions lead={lead} address={address} draft={draft} call={`tel:${lead.phone}`} company={company} now={now} />
      {children}
      <FactList
        facts={facts.map((fact) => ({
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
