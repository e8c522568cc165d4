import type { ReactNode } from 'react';
import { type Content, callPhone, type Navigation, type Service } from '../../model/content.ts';
import { generalPresetOf } from '../../model/preset-title.ts';
import type { PageAction } from '../action.tsx';
import { ActionBar } from './action-bar.tsx';
import { Breadcrumbs, type Crumb } from './breadcrumbs.tsx';
import { Logo } from './logo.tsx';
import { SiteFooter } from './site-footer.tsx';
import { SiteHeader } from './site-header.tsx';
import type { PricedEntry } from './site-navigation.tsx';
import '../tokens.css';
import '../base.css';
import '../display.css';

type Props = {
  layout: Pick<Content, 'company' | 'presets'> & {
    navigation: { header: readonly PricedEntry[]; footer: Navigation['footer'] };
    services: readonly Pick<Service, 'to' | 'text'>[];
    /** In the header. */
    action: PageAction;
    search: boolean;
    logo?: string | undefined;
  };
  /** Without the query; the link to it in menus is plain text. */
  path: string | undefined;
  crumbs: readonly Crumb[];
  /** Omitted on pages that end in a form of their own. */
  action?: PageAction;
  /** Without it, visitors are not asked for consent. */
  metrikaId?: string;
  staff?: boolean;
  children: ReactNode;
};

export function Layout({ layout, path, crumbs, action, metrikaId, staff = false, children }: Props) {
  const { company, navigation, services } = layout;
  if (staff)
    return (
      <StaffLayout name={company.name} logo={layout.logo}>
        {children}
      </StaffLayout>
    );
  return (
    <>
      <a className="skip-link" href="#main">
        К содержанию
      </a>
      <SiteHeader
        company={company}
        logo={layout.logo}
        entries={navigation.header}
        action={layout.action}
        search={layout.search}
        request={generalPresetOf(layout)}
        path={path}
      />
      <main id="main" className={action && 'main-barred'}>
        <Breadcrumbs crumbs={crumbs} />
        {children}
      </main>
      {action && <ActionBar action={action} phone={callPhone(company)} />}
      <SiteFooter company={company} services={services} navigation={navigation} path={path} metrikaId={metrikaId} />
    </>
  );
}

function StaffLayout({ name, logo, children }: { name: string; logo: string | undefined; children: ReactNode }) {
  return (
    <>
      <a className="skip-link" href="#main">
        К содержанию
      </a>
      <header className="site-header site-header-short">
        <div className="site-header-logo">
          <Logo src={logo} />
          {name}, заявки
        </div>
      </header>
      <main id="main">{children}</main>
    </>
  );
}
