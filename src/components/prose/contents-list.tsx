import type { ProseHeading } from '../../model/prose.ts';
import './contents-list.css';

type Props = {
  headings: readonly ProseHeading[];
  label: string;
  inline?: boolean;
};

/** Fewer than five headings need no list. */
export function ContentsList({ headings, label, inline = false }: Props) {
  if (headings.length < 5) return null;
  return (
    <nav className={inline ? 'contents contents-inline' : 'contents'} aria-label={label}>
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
