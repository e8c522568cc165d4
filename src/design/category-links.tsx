import { NavigationLink } from './layout/navigation-link.tsx';
import './category-links.css';

type Entry = { to: string; text: string };

export function CategoryLinks({ label, entries, path }: { label: string; entries: readonly Entry[]; path: string }) {
  return (
    <nav className="category-links" aria-label={label}>
      <ul>
        {entries.map(({ to, text }) => (
          <li key={to}>
            <NavigationLink to={to} text={text} path={path} />
          </li>
        ))}
      </ul>
    </nav>
  );
}
