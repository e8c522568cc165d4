import './search-form.css';

/** In characters; more than visitors need, and cheap to search for. */
export const queryLength = 100;

type Props = {
  label: string;
  query?: string;
};

/** Works without scripts. The ids allow one per page. */
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
