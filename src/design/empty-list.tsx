import './empty-list.css';

/** The drawing is in the stylesheet. */
export function EmptyList({ text }: { text: string }) {
  return <p className="empty-list">{text}</p>;
}
