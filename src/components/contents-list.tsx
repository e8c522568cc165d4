import type { Heading } from '../site/markdown.ts';
import './contents-list.css';

/** Links to the parts of a long page; nothing if there are fewer than two. */
export function ContentsList({ headings, label = 'Содержание' }: { headings: readonly Heading[]; label?: string }) {
  if (headings.length < 2) return null;
  return (
    <nav className="contents" aria-label={label}>
      <p className="contents-title">{label}</p>
      <ol>
        {headings.map(({ id, text }) => (
          <li key={id}>
            <a href={`#${id}`}>{text}</a>
          </li>
        ))}
      </ol>
    </nav>
  );
}
