import type { Fact } from '../design/fact-list.tsx';
import type { PageText } from '../model/content.ts';

export function figureFacts(figures: PageText['figures'] = []): Fact[] {
  return figures.map(({ text, value, at }) => ({
    term: text,
    value: (
      <>
        <strong>{value}</strong> <small>{at}</small>
      </>
    ),
  }));
}
