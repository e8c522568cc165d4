import './search-form.css';

/** Characters that a query may have: more than anybody needs, and little to search for. */
export const queryLength = 100;

type Props = {
  /** Tells the forms of one page apart. */
  id: string;
  /** What stands in it already. */
  query?: string | undefined;
  label?: string;
};

/** The search of the site: a plain form, answered by the server. */
export function SearchForm({ id, query, label = 'Поиск по сайту' }: Props) {
  return (
    <search className="search-form" aria-labelledby={`${id}-label`}>
      <form action="/search">
        <label htmlFor={id} id={`${id}-label`}>
          {label}
        </label>
        <input
          id={id}
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
