import type { NavigationItem } from '../../model/content.ts';
import { NavigationLink } from './navigation-link.tsx';
import './site-navigation.css';

type Props = { items: readonly NavigationItem[]; path: string };

/**
 * The entries of the top navigation: two lists that unfold, and the bar's own
 * entries between them. The burger repeats it, so `place` keeps the groups apart:
 * of the `details` that share a name, only one is open. Only there is room for the search.
 */
export function NavigationEntries({ items, path, place }: Props & { place: 'bar' | 'burger' }) {
  const group = `navigation-${place}`;
  return (
    <ul className="navigation-entries">
      <li>
        <Dropdown text="Услуги" sub="services" items={items} path={path} group={group} />
      </li>
      {items
        .filter((item) => item.sub === undefined)
        .map((item) => (
          <li key={item.to}>
            <NavigationLink to={item.to} text={item.text} path={path} />
          </li>
        ))}
      <li>
        <Dropdown text="О нас" sub="about" items={items} path={path} group={group} />
      </li>
      {place === 'burger' && (
        <li>
          <NavigationLink to="/search" text="Поиск по сайту" path={path} />
        </li>
      )}
    </ul>
  );
}

type DropdownProps = Props & { text: string; sub: NonNullable<NavigationItem['sub']>; group: string };

function Dropdown({ text, sub, items, path, group }: DropdownProps) {
  return (
    <details className="dropdown" name={group} data-module="dropdown">
      <summary>{text}</summary>
      <ul>
        {items
          .filter((item) => item.sub === sub)
          .map((item) => (
            <li key={item.to}>
              <NavigationLink to={item.to} text={item.text} path={path} />
            </li>
          ))}
      </ul>
    </details>
  );
}
