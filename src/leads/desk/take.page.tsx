import { SubmitButton } from '../../components/action.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { FactList } from '../../components/prose/fact-list.tsx';
import { momentOf } from '../../lib/format.ts';
import type { Content } from '../../model/content.ts';
import { presetTitle } from '../../model/preset-title.ts';
import { defineView } from '../../pages/page.ts';
import type { Lead } from '../store/lead.ts';
import { LeadSheet, type LeadSheetProps, leadName, TakeForm } from './lead-sheet.tsx';

type Props = Pick<LeadSheetProps, 'lead' | 'content' | 'siteUrl'> & {
  /** The button was pressed. Previews of links only open the page. */
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
  Body: ({ lead, content, siteUrl, pressed }) => (
    <div className="lead-sheet fill">
      {pressed ? (
        <LeadSheet lead={lead} content={content} siteUrl={siteUrl} />
      ) : (
        <Impersonal lead={lead} content={content} />
      )}
      <p>
        <small>Ссылка только для сотрудников: не пересылайте её.</small>
      </p>
    </div>
  ),
});

type ImpersonalProps = { lead: Pick<Lead, 'number' | 'preset' | 'receivedAt' | 'takenAt'>; content: Content };

function Impersonal({ lead, content }: ImpersonalProps) {
  const { workingHours } = content.company;
  return (
    <>
      <PageHeading heading={leadName(lead)} intro={presetTitle(content, lead.preset)} />
      {lead.takenAt === null ? (
        <TakeForm receivedAt={lead.receivedAt} workingHours={workingHours} />
      ) : (
        <form method="post">
          <SubmitButton text="Показать заявку" />
          <p>Её уже взяли.</p>
        </form>
      )}
      <FactList
        facts={[{ term: 'Когда пришла', value: momentOf(lead.receivedAt, workingHours.timeZone), wide: true }]}
      />
      <p>Имя, телефон и сообщение покажем, когда нажмёте.</p>
    </>
  );
}
