export const pageSize = 10;
const pageButtons = 5;

type Paginated<T> = {
  items: readonly T[];
  page: number;
  pages: number;
  total: number;
};

/** `undefined` if there is no such page; an empty list has one page. */
export function paginate<T>(items: readonly T[], query: { page?: string }): Paginated<T> | undefined {
  const wanted = query.page ?? '1';
  if (!/^[1-9]\d{0,5}$/.test(wanted)) return undefined;
  const page = Number(wanted);
  const pages = Math.max(1, Math.ceil(items.length / pageSize));
  if (page > pages) return undefined;
  return { items: items.slice((page - 1) * pageSize, page * pageSize), page, pages, total: items.length };
}

export function buttons(page: number, pages: number): number[] {
  const count = Math.min(pages, pageButtons);
  const first = Math.min(Math.max(1, page - Math.floor(pageButtons / 2)), pages - count + 1);
  return Array.from({ length: count }, (_, index) => first + index);
}

/** `path` may have a query. */
export function pagePath(path: string, page: number): string {
  return page === 1 ? path : `${path}${path.includes('?') ? '&' : '?'}page=${page}`;
}

export function neighbours(path: string, page: number, pages: number): { previous?: string; next?: string } {
  return {
    previous: page > 1 ? pagePath(path, page - 1) : undefined,
    next: page < pages ? pagePath(path, page + 1) : undefined,
  };
}

export function pageTitle(title: string, page: number): string {
  return page === 1 ? title : `${title}, страница ${page}`;
}
