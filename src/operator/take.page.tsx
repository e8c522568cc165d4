import { defineView } from '../document/page.ts';
import { LeadSheet, type LeadSheetProps, leadName } from './lead-sheet.tsx';

export const takeView = defineView({
  name: 'take',
  staff: true,
  uncounted: true,
  head: ({ lead }: LeadSheetProps) => ({
    path: '/take',
    title: leadName(lead),
    description: leadName(lead),
    crumbs: [{ path: '/take', text: leadName(lead) }],
    noindex: true,
  }),
  data: () => null,
  Body: ({ lead, content, siteUrl }) => (
    <div className="lead-sheet fill">
      <LeadSheet lead={lead} content={content} siteUrl={siteUrl} />
      <p>
        <small>Ссылка только для сотрудников: не пересылайте её.</small>
      </p>
    </div>
  ),
});
