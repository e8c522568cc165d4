import type { PageText } from '../model/content.ts';
import './timeline.css';

export function Timeline({ milestones }: { milestones: NonNullable<PageText['milestones']> }) {
  return (
    <ol className="timeline">
      {milestones.map(({ year, text }) => (
        <li key={year}>
          <b>{year}</b>
          <p>{text}</p>
        </li>
      ))}
    </ol>
  );
}
