import type { ReactNode } from 'react';
import type { Content, Service } from '../../model/content.ts';
import { GoalMark, type ReachedGoal } from './analytics-choice.tsx';
import { Breadcrumbs, type Crumb } from './breadcrumbs.tsx';
import { SiteFooter } from './site-footer.tsx';
import { SiteHeader } from './site-header.tsx';
import '../tokens.css';
import '../base.css';
import '../display.css';

type Props = {
  shell: Pick<Content, 'company' | 'navigation'> & {
    services: readonly Pick<Service, 'to' | 'text'>[];
  };
  /** Path of the page, without its query. */
  path: string;
  crumbs: readonly Crumb[];
  /** Number of the counter of visits; without it, no visitor is asked. */
  metrikaId?: string;
  /** What a counter learns of the page, if it learns nothing else. */
  goal?: ReachedGoal;
  children: ReactNode;
};

/** What every page has around its own content. */
export function Layout({ shell, path, crumbs, metrikaId, goal, children }: Props) {
  const { company, navigation, services } = shell;
  return (
    <>
      <a className="skip-link" href="#main">
        К содержанию
      </a>
      <SiteHeader company={company} entries={navigation.header} path={path} />
      <main id="main">
        <Breadcrumbs crumbs={crumbs} />
        {children}
      </main>
      <SiteFooter company={company} services={services} entries={navigation.footer} path={path} metrikaId={metrikaId} />
      {goal && <GoalMark goal={goal} />}
    </>
  );
}
