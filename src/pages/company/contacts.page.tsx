import { Callout } from '../../components/callout.tsx';
import { SocialLinks } from '../../components/layout/social-links.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { FactList } from '../../components/prose/fact-list.tsx';
import { Guide } from '../../components/prose/guide.tsx';
import { Section } from '../../components/section.tsx';
import { mailto } from '../../lib/mail-address.ts';
import { callPhone } from '../../model/content.ts';
import { defineSection } from '../page.ts';
import { CompanyFacts } from './company-facts.tsx';
import { RouteLink, WayHere } from './way-here.tsx';
import './contacts.css';

export const contacts = defineSection({
  name: 'contacts',
  path: '/contacts',
  mapped: true,
  share: { drawing: '/images/presets/consultation.svg' },
  props: (content) => ({
    company: content.company,
    mapsApiKey: content.integrations.mapsApiKey,
  }),
  head: () => ({ subject: 'company' }),
  dates: ({ text }) => [text.updated],
  Body: ({ text, company, mapsApiKey, next }) => {
    const { tollFree, phone, email, address, workingHours, social } = company;
    const call = callPhone(company);
    return (
      <>
        <PageHeading
          heading={text.heading}
          intro={text.lead}
          label={
            <FactList
              facts={[
                ...(tollFree
                  ? [{ term: 'Телефон офиса', value: <a href={`tel:${phone.number}`}>{phone.text}</a>, wide: true }]
                  : []),
                { term: 'Почта', value: <a href={mailto(email)}>{email}</a>, wide: true },
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
          <p className="actions actions-own">
            <a className="action" href={`tel:${call.number}`}>
              {call.text}
            </a>
            <RouteLink address={address} />
          </p>
          <SocialLinks social={social} />
        </PageHeading>
        <Section variant="wide" heading="Как нас найти">
          <WayHere address={address} drawing={text.image} apiKey={mapsApiKey} />
        </Section>
        <Guide prose={text.body} />
        <Section variant="wide" heading="Реквизиты">
          <CompanyFacts company={company} />
        </Section>
        <Callout next={next} />
      </>
    );
  },
});
