import '../action.css';
import './form-field.css';
import './search-form.css';

/** Characters: more than visitors need, and cheap to search. */
export const queryLength = 100;

/** Works without scripts. Its ids allow one form per page. */
export function SearchForm({ label, query }: { label: string; query?: string }) {
  return (
    <search aria-labelledby="search-label">
      <form className="search-form" action="/search">
        <p className="field">
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
        </p>
        <button className="action" type="submit">
          Найти
        </button>
      </form>
    </search>
  );
}
