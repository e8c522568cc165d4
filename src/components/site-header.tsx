import type { Company, NavigationItem } from '../site/content.ts';
import { Logo } from './logo.tsx';
import { NavigationEntries } from './site-navigation.tsx';
import { SocialLinks } from './social-links.tsx';
import './site-header.css';

type Props = { company: Company; navigation: readonly NavigationItem[]; path: string };

/** Logo, navigation, broadcast and phone. On narrow screens the burger holds the navigation. */
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
      <p className="broadcast" data-module="broadcast">
        {company.broadcast}
      </p>
      <a className="site-header-phone" href={`tel:${company.tollFree.number}`}>
        {company.tollFree.text}
      </a>
      <details className="burger" data-module="burger">
        <summary>Меню</summary>
        <div className="burger-panel">
          <nav aria-label="Меню">
            <NavigationEntries items={navigation} path={path} place="burger" />
          </nav>
          <SocialLinks social={company.social} />
        </div>
      </details>
    </header>
  );
}
