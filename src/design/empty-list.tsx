import './empty-list.css';

type Props = {
  /** Whether nobody has written anything yet, or a search found nothing of what there is. */
  why: 'unwritten' | 'unfound';
  text: string;
};

/** What stands where a list has nothing to show; its drawing is the style sheet's. */
export function EmptyList({ why, text }: Props) {
  return <p className={`empty-list empty-list-${why}`}>{text}</p>;
}
