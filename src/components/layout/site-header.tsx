import { type Company, callPhone, type Preset } from '../../model/content.ts';
import { Action, LinkButton, type PageAction } from '../action.tsx';
import { Logo } from './logo.tsx';
import { NavigationEntries, type PricedEntry } from './site-navigation.tsx';
import { SocialLinks } from './social-links.tsx';
import './site-header.css';
import './burger.css';

type Props = {
  company: Company;
  logo: string | undefined;
  entries: readonly PricedEntry[];
  action: PageAction;
  /** Whether there is a page for it. */
  search: boolean;
  request: Pick<Preset, 'slug' | 'title'>;
  path: string | undefined;
};

export function SiteHeader({ company, logo, entries, action, search, request, path }: Props) {
  const phone = callPhone(company);
  const [first, ...others] = action.text.split(' ');
  return (
    <header className={company.broadcast ? 'site-header' : 'site-header site-header-short'}>
      <a className="site-header-logo" href="/" data-module="logo">
        <Logo src={logo} />
        {company.name}
      </a>
      <nav className="bar" aria-label="Основная навигация">
        <NavigationEntries entries={entries} path={path} place="bar" search={search} />
      </nav>
      <div className="site-header-contact">
        <a href={`tel:${phone.number}`}>{phone.text}</a>
        <Broadcast text={company.broadcast} />
      </div>
      <a className="action site-header-action" href={action.href}>
        {first}
        <span> {others.join(' ')}</span>
      </a>
      <details className="burger" data-module="burger">
        <summary>
          <span className="visually-hidden">Меню</span>
        </summary>
        <div className="burger-panel">
          <nav aria-label="Меню">
            <NavigationEntries entries={entries} path={path} place="burger" search={search} />
          </nav>
          <p className="actions">
            <Action preset={request} />
            <LinkButton quiet href={`tel:${phone.number}`} text="Позвонить" />
          </p>
          <Broadcast text={company.broadcast} />
          <SocialLinks social={company.social} />
        </div>
      </details>
    </header>
  );
}

/** A script shows `data-live` during a broadcast. */
function Broadcast({ text }: { text: string | undefined }) {
  if (!text) return null;
  return (
    <p className="broadcast">
      <a href="/broadcast" data-module="broadcast" data-live="Прямая трансляция">
        {text}
      </a>
    </p>
  );
}
