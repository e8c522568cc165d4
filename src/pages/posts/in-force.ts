import { localTime } from '../../lib/calendar.ts';
import type { Content, NewsItem } from '../../model/content.ts';

export type Force = 'coming' | 'current' | 'past';

export function forceOf({ at, company }: Content): (item: Pick<NewsItem, 'since' | 'until'>) => Force {
  const today = localTime(new Date(at), company.workingHours.timeZone).date;
  return ({ since, until }) => (since > today ? 'coming' : until !== undefined && until < today ? 'past' : 'current');
}
