import { mailto } from '../../lib/mail-address.ts';
import type { Company, Navigation, Service } from '../../model/content.ts';
import { ogrnTitle } from '../../model/registration.ts';
import { AnalyticsChoice } from './analytics-choice.tsx';
import { NavigationLink } from './navigation-link.tsx';
import { SocialLinks } from './social-links.tsx';
import './site-footer.css';

type Props = {
  company: Company;
  services: readonly Pick<Service, 'to' | 'text'>[];
  navigation: Pick<Navigation, 'footer'>;
  path: string | undefined;
  metrikaId: string | undefined;
};

export function SiteFooter({ company, services, navigation, path, metrikaId }: Props) {
  const { address } = company;
  return (
    <footer className="site-footer">
      {/* Yandex reads the address from microdata. */}
      <div className="site-footer-contacts" itemScope itemType="https://schema.org/Organization">
        <div>
          <div className="site-footer-phone">
            <a href={`tel:${company.phone.number}`} itemProp="telephone">
              {company.phone.text}
            </a>
          </div>
          <p>{company.workingHours.text}</p>
        </div>
        <div>
          <address itemProp="address" itemScope itemType="https://schema.org/PostalAddress">
            <span itemProp="streetAddress">{address.street}</span>,{' '}
            <span itemProp="addressLocality">{address.locality}</span>
            <meta itemProp="postalCode" content={address.postalCode} />
            <meta itemProp="addressCountry" content="RU" />
          </address>
          <p>
            <a href={mailto(company.email)} itemProp="email">
              {company.email}
            </a>
          </p>
        </div>
        <SocialLinks social={company.social} />
        <div>
          <p>
            <strong itemProp="name">{company.legalName}</strong>
          </p>
          <p className="site-footer-legal">
            ИНН {company.inn}
            <br />
            {ogrnTitle(company)} {company.ogrn}
          </p>
        </div>
      </div>
      <nav aria-label="Разделы сайта">
        <ul>
          {[...services, ...navigation.footer].map(({ to, text }) => (
            <li key={to}>
              <NavigationLink to={to} text={text} path={path} />
            </li>
          ))}
        </ul>
      </nav>
      {metrikaId && <AnalyticsChoice metrikaId={metrikaId} />}
    </footer>
  );
}
