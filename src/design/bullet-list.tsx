import './bullet-list.css';

/** Short statements, one a line; `kind` says whether they are promised, excluded or merely listed. */
export function BulletList({ items, kind = 'plain' }: { items: readonly string[]; kind?: 'plain' | 'yes' | 'no' }) {
  return (
    <ul className={`bullets bullets-${kind}`}>
      {items.map((item) => (
        <li key={item}>{item}</li>
      ))}
    </ul>
  );
}
