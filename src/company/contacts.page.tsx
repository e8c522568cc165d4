import { Callout, nextStep } from '../design/callout.tsx';
import { FactList } from '../design/fact-list.tsx';
import { Guide } from '../design/guide.tsx';
import { SocialLinks } from '../design/layout/social-links.tsx';
import { PageHeading } from '../design/page-heading.tsx';
import { Section } from '../design/section.tsx';
import { defineSection } from '../document/page.ts';
import { CompanyFacts } from './company-facts.tsx';
import { WayHere } from './way-here.tsx';

/** Contacts: phone, address and hours first, then the way in, the gates and the legal details. */
export const contacts = defineSection({
  name: 'contacts',
  path: '/contacts',
  footer: 'Контакты',
  mapped: true,
  share: { drawing: '/images/presets/consultation.svg' },
  props: (content) => ({
    company: content.company,
    mapDrawing: content.mapDrawing,
    mapsApiKey: content.integrations.mapsApiKey,
    next: nextStep(content, 'question'),
  }),
  head: () => ({ kind: 'ContactPage' }),
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
          <WayHere address={address} drawing={mapDrawing} apiKey={mapsApiKey} />
        </Section>
        <Guide prose={text.body} />
        <Section look="wide" heading="Реквизиты">
          <CompanyFacts company={company} />
        </Section>
        <Callout heading="Есть вопрос?" ask="Оставьте телефон" next={next} />
      </>
    );
  },
});
