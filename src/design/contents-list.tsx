import type { Heading } from '../model/prose.ts';
import './contents-list.css';

type Props = {
  headings: readonly Heading[];
  label: string;
  /** One after another rather than one a line. */
  inline?: boolean;
};

/** Links to the parts of a long page; nothing if there are fewer than two. */
export function ContentsList({ headings, label, inline = false }: Props) {
  if (headings.length < 2) return null;
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
