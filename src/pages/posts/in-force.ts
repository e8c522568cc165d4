import { type Content, localToday, type NewsItem } from '../../model/content.ts';

export type Force = 'coming' | 'current' | 'past';

export function forceOf(content: Content): (item: Pick<NewsItem, 'since' | 'until'>) => Force {
  const today = localToday(content);
  return ({ since, until }) => (since > today ? 'coming' : until !== undefined && until < today ? 'past' : 'current');
}
