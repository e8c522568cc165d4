import './search-form.css';

/** Characters that a query may have: more than visitors need, and little to search for. */
export const queryLength = 100;

type Props = {
  label: string;
  /** What stands in it already. */
  query?: string;
};

/** The search of the site: a plain form, answered by the server. There is one on a page at most. */
export function SearchForm({ label, query }: Props) {
  return (
    <search className="search-form" aria-labelledby="search-label">
      <form action="/search">
        <label htmlFor="search" id="search-label">
          {label}
        </label>
        <input
          id="search"
          name="q"
          type="search"
          defaultValue={query}
          maxLength={queryLength}
          enterKeyHint="search"
          autoComplete="off"
        />
        <button type="submit">Найти</button>
      </form>
    </search>
  );
}
