import './bullet-list.css';

export function BulletList({ items, kind = 'plain' }: { items: readonly string[]; kind?: 'plain' | 'yes' | 'no' }) {
  return (
    <ul className={`bullets bullets-${kind}`}>
      {items.map((item) => (
        <li key={item}>{item}</li>
      ))}
    </ul>
  );
}
