import type { Paginated } from '../design/paginate.ts';
import type { ListEntry, Subject } from './page.ts';

/** One page of a list, for search engines. @param entry what an item leads to, and its name */
export function listSubject<T>({ items, page, total }: Paginated<T>, entry: (item: T) => ListEntry): Subject {
  return { type: 'ItemList', entries: items.map(entry), page, total };
}
