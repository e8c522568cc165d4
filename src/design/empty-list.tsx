import './empty-list.css';

/** What stands where nothing has been written yet for a list; its drawing is the style sheet's. */
export function EmptyList({ text }: { text: string }) {
  return <p className="empty-list">{text}</p>;
}
