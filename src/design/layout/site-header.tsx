import type { Company, NavigationItem } from '../../model/content.ts';
import { Logo } from './logo.tsx';
import { NavigationEntries } from './site-navigation.tsx';
import { SocialLinks } from './social-links.tsx';
import './site-header.css';
import './burger.css';

type Props = {
  company: Company;
  navigation: readonly NavigationItem[];
  path: string;
};

/**
 * Logo, navigation, phone and broadcast in one line. Narrow screens keep logo
 * and phone; the burger holds the rest, so the broadcast is written twice.
 */
export function SiteHeader({ company, navigation, path }: Props) {
  return (
    <header className="site-header">
      <a className="site-header-logo" href="/" data-module="logo">
        <Logo />
        {company.name}
      </a>
      <nav className="bar" aria-label="Основная навигация">
        <NavigationEntries items={navigation} path={path} place="bar" />
      </nav>
      <div className="site-header-contact">
        <a href={`tel:${company.tollFree.number}`}>{company.tollFree.text}</a>
        <Broadcast text={company.broadcast} />
      </div>
      <details className="burger" data-module="burger">
        <summary>
          <span className="visually-hidden">Меню</span>
        </summary>
        <div className="burger-panel">
          <nav aria-label="Меню">
            <NavigationEntries items={navigation} path={path} place="burger" />
          </nav>
          <Broadcast text={company.broadcast} />
          <SocialLinks social={company.social} />
        </div>
      </details>
    </header>
  );
}

/** Says when broadcasts are, and leads to where one is shown while it is on. */
function Broadcast({ text }: { text: string }) {
  return (
    <p className="broadcast">
      <a href="/broadcast" data-module="broadcast">
        {text}
      </a>
    </p>
  );
}
