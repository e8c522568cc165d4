import { defineView } from '../document/page.ts';
import { LeadSheet, leadName } from './lead-sheet.tsx';
import type { LeadWords } from './lead-words.ts';

/** Where the person on duty sees a lead and takes it; with the link, they need no account. */
export const takeView = defineView({
  name: 'take',
  uncounted: true,
  head: (lead: LeadWords) => ({
    path: '/take',
    title: leadName(lead),
    description: lead.presetTitle,
    crumbs: [{ path: '/take', text: leadName(lead) }],
    noindex: true,
  }),
  data: () => null,
  Body: (lead) => (
    <div className="lead-sheet fill">
      <LeadSheet lead={lead} />
      <p>
        <small>Ссылка только для сотрудников: не пересылайте её.</small>
      </p>
    </div>
  ),
});
