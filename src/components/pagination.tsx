import { buttons, pagePath } from '../lib/paginate.ts';
import './pills.css';

export function Pagination({ path, page, pages }: { path: string; page: number; pages: number }) {
  if (pages === 1) return null;
  return (
    <nav className="pills" aria-label="Страницы списка">
      <ul>
        {page > 1 && (
          <li>
            <a href={pagePath(path, page - 1)} rel="prev">
              Назад
            </a>
          </li>
        )}
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
        {page < pages && (
          <li>
            <a href={pagePath(path, page + 1)} rel="next">
              Дальше
            </a>
          </li>
        )}
      </ul>
    </nav>
  );
}
