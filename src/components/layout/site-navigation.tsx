import type { Navigation } from '../../model/content.ts';
import { NavigationLink } from './navigation-link.tsx';
import './site-navigation.css';

type Entry = Navigation['header'][number];

/** With the prices of services. */
export type PricedEntry = Omit<Entry, 'pages'> & {
  pages?: readonly (NonNullable<Entry['pages']>[number] & { price?: string })[] | undefined;
};

type Props = {
  entries: readonly PricedEntry[];
  path: string | undefined;
  /** Only one menu of a place is open. In the burger, the first one starts open. */
  place: 'bar' | 'burger';
  search: boolean;
};

export function NavigationEntries({ entries, path, place, search }: Props) {
  const openMenu = place === 'burger' ? entries.find(({ pages }) => pages) : undefined;
  return (
    <ul className="navigation-entries">
      {entries.map((entry) => (
        <li key={entry.text}>
          {entry.to !== undefined ? (
            <NavigationLink to={entry.to} text={entry.text} path={path} />
          ) : (
            <details className="dropdown" name={`navigation-${place}`} open={entry === openMenu} data-module="dropdown">
              <summary>{entry.text}</summary>
              <ul>
                {entry.pages?.map((page) => (
                  <li key={page.to}>
                    <NavigationLink {...page} path={path} />
                  </li>
                ))}
              </ul>
            </details>
          )}
        </li>
      ))}
      {search && (
        <li>
          <NavigationLink
            to="/search"
            text="Поиск по сайту"
            path={path}
            icon={place === 'bar' && <MagnifyingGlass />}
          />
        </li>
      )}
    </ul>
  );
}

function MagnifyingGlass() {
  return (
    <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
      <path
        d="M13 13l5 5M15 8.5a6.5 6.5 0 1 1-13 0 6.5 6.5 0 0 1 13 0z"
        fill="none"
        stroke="currentColor"
        strokeWidth="2.4"
      />
    </svg>
  );
}
