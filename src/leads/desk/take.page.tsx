import { SubmitButton } from '../../components/action.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { FactList } from '../../components/prose/fact-list.tsx';
import { formatMoment } from '../../lib/format.ts';
import { presetTitle } from '../../model/preset-title.ts';
import { defineView } from '../../pages/page.ts';
import { TakeForm } from './lead-actions.tsx';
import { LeadSheet, type LeadSheetProps, leadName } from './lead-sheet.tsx';

type Props = Omit<LeadSheetProps, 'address' | 'children'> & {
  /** A button was pressed. Previews of links only open the page. */
  pressed: boolean;
};

export const takeView = defineView({
  name: 'take',
  staff: true,
  uncounted: true,
  head: ({ lead }: Props) => ({
    path: '/take',
    title: leadName(lead),
    description: leadName(lead),
    crumbs: [{ path: '/take', text: leadName(lead) }],
    noindex: true,
  }),
  data: () => null,
  Body: ({ lead, content, siteUrl, draft, now, pressed }) => (
    <div className="lead-sheet fill">
      {pressed ? (
        <LeadSheet lead={lead} content={content} siteUrl={siteUrl} draft={draft} now={now} />
      ) : (
        <Impersonal lead={lead} content={content} draft={draft} now={now} />
      )}
      <p>
        <small>Ссылка только для сотрудников: не пересылайте её.</small>
      </p>
    </div>
  ),
});

type ImpersonalProps = Pick<Props, 'lead' | 'content' | 'draft' | 'now'>;

function Impersonal({ lead, content, draft, now }: ImpersonalProps) {
  const { company } = content;
  return (
    <>
      <PageHeading heading={leadName(lead)} intro={presetTitle(content, lead.preset)} />
      {lead.state === 'waiting' || lead.state === 'quarantined' ? (
        <TakeForm lead={lead} draft={draft} company={company} now={now} />
      ) : (
        <form method="post">
          <SubmitButton text="Показать заявку" />
          <p>{lead.state === 'taken' ? 'Её уже взяли.' : 'Она уже закончена.'}</p>
        </form>
      )}
      <FactList
        facts={[
          { term: 'Когда пришла', value: formatMoment(lead.receivedAt, company.workingHours.timeZone), wide: true },
        ]}
      />
      <p>Имя, телефон и сообщение покажем, когда нажмёте.</p>
    </>
  );
}
