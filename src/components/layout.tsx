import type { ReactNode } from 'react';
import type { Content } from '../site/content.ts';
import { Breadcrumbs, type Crumb } from './breadcrumbs.tsx';
import { SiteFooter } from './site-footer.tsx';
import { SiteHeader } from './site-header.tsx';
import '../styles/tokens.css';
import '../styles/base.css';
import '../styles/display.css';
import '../styles/modal.css';

type Props = {
  content: Content;
  /** Path of the page, without its query. */
  path: string;
  crumbs: readonly Crumb[];
  /** The counter of visits; without it, nobody is asked. */
  metrikaId?: string | undefined;
  children: ReactNode;
};

/** What every page has around its own content. */
export function Layout({ content, path, crumbs, metrikaId, children }: Props) {
  return (
    <>
      <a className="skip-link" href="#main">
        К содержанию
      </a>
      <SiteHeader company={content.company} navigation={content.navigation} path={path} />
      <main id="main">
        <Breadcrumbs crumbs={crumbs} />
        {children}
      </main>
      <SiteFooter company={content.company} services={content.services} path={path} metrikaId={metrikaId} />
    </>
  );
}
