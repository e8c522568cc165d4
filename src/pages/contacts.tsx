import { Callout, nextStep } from '../components/callout.tsx';
import { CompanyFacts } from '../components/company-facts.tsx';
import { FactList } from '../components/fact-list.tsx';
import { Guide } from '../components/guide.tsx';
import { CompanyMap } from '../components/map.tsx';
import { PageHeading } from '../components/page-heading.tsx';
import { Section } from '../components/section.tsx';
import { SocialLinks } from '../components/social-links.tsx';
import { definePage } from './page.ts';

const path = '/contacts';

/** Contacts: phone, address and hours first, then the way in, the gates and the legal details. */
export const contacts = definePage({
  name: 'contacts',
  props: (content) => ({
    text: content.pages.contacts,
    company: content.company,
    mapDrawing: content.mapDrawing,
    mapsApiKey: content.integrations.mapsApiKey,
    next: nextStep(content, 'question'),
  }),
  head: ({ text }) => ({
    path,
    title: text.title,
    description: text.description,
    crumbs: [{ path, text: text.heading }],
    kind: 'ContactPage',
  }),
  dates: ({ text }) => [text.updated],
  Body: ({ text, company, mapDrawing, mapsApiKey, next }) => {
    const { tollFree, phone, email, address, workingHours, social } = company;
    return (
      <>
        <PageHeading
          heading={text.heading}
          lead={text.lead}
          label={
            <FactList
              facts={[
                {
                  term: 'Звонок бесплатный',
                  value: <a href={`tel:${tollFree.number}`}>{tollFree.text}</a>,
                  main: true,
                },
                { term: 'Офис', value: <a href={`tel:${phone.number}`}>{phone.text}</a> },
                { term: 'Почта', value: <a href={`mailto:${email}`}>{email}</a> },
                { term: 'Часы работы', value: workingHours.text, wide: true },
                {
                  term: 'Адрес',
                  value: `${address.postalCode}, ${address.locality}, ${address.street}`,
                  wide: true,
                },
              ]}
            />
          }
        >
          <SocialLinks social={social} />
        </PageHeading>
        <Section look="wide" heading="На карте">
          <CompanyMap address={address} drawing={mapDrawing} apiKey={mapsApiKey} />
        </Section>
        <Guide prose={text.body} />
        <Section look="wide" heading="Реквизиты">
          <CompanyFacts company={company} />
        </Section>
        <Callout
          heading="Есть вопрос?"
          text="Оставьте телефон: перезвоним в течение 10 минут в рабочее время."
          next={next}
        />
      </>
    );
  },
});
