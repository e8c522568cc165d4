import type { PageText } from '../model/content.ts';
import './timeline.css';

/** What happened in which year: a line of years, from left to right where there is room. */
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
