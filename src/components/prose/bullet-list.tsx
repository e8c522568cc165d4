import './bullet-list.css';

export function BulletList({ items, checked = false }: { items: readonly string[]; checked?: boolean }) {
  return (
    <ul className={checked ? 'bullets bullets-checked' : 'bullets'}>
      {items.map((item) => (
        <li key={item}>{item}</li>
      ))}
    </ul>
  );
}
