/** Items on a page of a list, and buttons to other pages at most. */
export const pageSize = 10;
const pageButtons = 5;

export type Paginated<T> = {
  items: readonly T[];
  page: number;
  pages: number;
  /** How many there are on all pages. */
  total: number;
};

/**
 * The items of the page that `?page=N` asks for; `undefined` when there is no
 * such page. Without a query it is the first; a list that is empty has one page.
 */
export function paginate<T>(items: readonly T[], query: { page?: string }): Paginated<T> | undefined {
  const wanted = query.page ?? '1';
  if (!/^[1-9]\d{0,5}$/.test(wanted)) return undefined;
  const page = Number(wanted);
  const pages = Math.max(1, Math.ceil(items.length / pageSize));
  if (page > pages) return undefined;
  return { items: items.slice((page - 1) * pageSize, page * pageSize), page, pages, total: items.length };
}

/** Numbers for the page buttons: the current page in the middle, as far as the ends allow. */
export function buttons(page: number, pages: number): number[] {
  const count = Math.min(pages, pageButtons);
  const first = Math.min(Math.max(1, page - Math.floor(pageButtons / 2)), pages - count + 1);
  return Array.from({ length: count }, (_, index) => first + index);
}

/** Address of page `page` of a list: the first is the list's own, which may have a query of its own. */
export function pagePath(path: string, page: number): string {
  return page === 1 ? path : `${path}${path.includes('?') ? '&' : '?'}page=${page}`;
}

/** The `rel` neighbours of a page of a list. */
export function neighbours(path: string, page: number, pages: number): { previous?: string; next?: string } {
  return {
    previous: page > 1 ? pagePath(path, page - 1) : undefined,
    next: page < pages ? pagePath(path, page + 1) : undefined,
  };
}

/** Title of page `page` of a list: each page has one of its own. */
export function pageTitle(title: string, page: number): string {
  return page === 1 ? title : `${title}, страница ${page}`;
}
