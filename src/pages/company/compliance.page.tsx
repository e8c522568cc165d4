import { Callout } from '../../components/callout.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { DateText } from '../../components/prose/date-text.tsx';
import { FactList } from '../../components/prose/fact-list.tsx';
import { Guide } from '../../components/prose/guide.tsx';
import { Section } from '../../components/section.tsx';
import { mailto } from '../../lib/mail-address.ts';
import { legalNames } from '../../model/content.ts';
import { defineSection } from '../page.ts';
import './compliance.css';

export const compliance = defineSection({
  name: 'compliance',
  path: '/compliance',
  share: { drawing: '/images/contract.svg' },
  props: (content) => ({
    email: content.company.email,
    documents: legalNames.map((name) => {
      const { heading, effective } = content.legal[name];
      return { to: `/${name}`, heading, effective };
    }),
  }),
  dates: ({ text, documents }) => [text.updated, ...documents.map(({ effective }) => effective)],
  Body: ({ text, email, documents, next }) => (
    <>
      <PageHeading
        heading={text.heading}
        intro={text.lead}
        label={
          <FactList
            facts={[
              { term: 'Сообщить о нарушении', value: <a href={mailto(email)}>{email}</a>, main: true },
              { term: 'Тема письма', value: 'Жалоба' },
            ]}
          />
        }
      />
      <Guide prose={text.body} />
      <Section variant="wide" heading="Документы сайта">
        <ul className="documents">
          {documents.map(({ to, heading, effective }) => (
            <li key={to}>
              <a href={to}>{heading}</a>{' '}
              <span>
                действует с <DateText date={effective} />
              </span>
            </li>
          ))}
        </ul>
      </Section>
      <Callout next={next} />
    </>
  ),
});
