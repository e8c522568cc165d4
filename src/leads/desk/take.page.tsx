import { SubmitButton } from '../../components/action.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { FactList } from '../../components/prose/fact-list.tsx';
import { formatMoment } from '../../lib/format.ts';
import { presetTitle } from '../../model/preset-title.ts';
import { defineView } from '../../pages/page.ts';
import { leadTitles } from '../store/lead.ts';
import { type LeadForms, TakeForm } from './lead-actions.tsx';
import { LeadSheet, leadName } from './lead-sheet.tsx';

type Props = LeadForms & {
  siteUrl: string;
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
  Body: ({ pressed, ...props }) => (
    <div className="lead-sheet fill">
      {pressed ? <LeadSheet {...props} /> : <Impersonal {...props} />}
      <p>
        <small>Ссылка только для сотрудников: не пересылайте её.</small>
      </p>
    </div>
  ),
});

function Impersonal(forms: LeadForms) {
  const { lead, content } = forms;
  const { timeZone } = content.company.workingHours;
  return (
    <>
      <PageHeading heading={leadName(lead)} intro={presetTitle(content, lead.preset)} />
      {lead.state === 'waiting' || lead.state === 'quarantined' ? (
        <TakeForm {...forms} />
      ) : (
        <form method="post">
          <SubmitButton text="Показать заявку" />
          <p>{lead.state === 'taken' ? 'Её уже взяли.' : 'Она уже закончена.'}</p>
        </form>
      )}
      <FactList facts={[{ term: leadTitles.receivedAt, value: formatMoment(lead.receivedAt, timeZone), wide: true }]} />
      <p>Имя, телефон и сообщение покажем, когда нажмёте.</p>
    </>
  );
}
