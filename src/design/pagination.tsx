import { buttons, pagePath } from './paginate.ts';
import './pagination.css';

export function Pagination({ path, page, pages }: { path: string; page: number; pages: number }) {
  if (pages === 1) return null;
  return (
    <nav className="pagination" aria-label="Страницы списка">
      {page > 1 && (
        <a href={pagePath(path, page - 1)} rel="prev">
          Назад
        </a>
      )}
      <ol>
        {buttons(page, pages).map((number) => (
          <li key={number}>
            {number === page ? (
              <span aria-current="page">{number}</span>
            ) : (
              <a href={pagePath(path, number)} aria-label={`Страница ${number}`}>
                {number}
              </a>
            )}
          </li>
        ))}
      </ol>
      {page < pages && (
        <a href={pagePath(path, page + 1)} rel="next">
          Дальше
        </a>
      )}
    </nav>
  );
}
