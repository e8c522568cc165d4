import './breadcrumbs.css';

export type Crumb = { path: string; text: string };

/** Microdata is for Yandex; the last entry is the page itself. */
export function Breadcrumbs({ crumbs }: { crumbs: readonly Crumb[] }) {
  if (crumbs.length === 0) return null;
  const all = [{ path: '/', text: 'Главная' }, ...crumbs];
  return (
    <nav className={crumbs.length > 1 ? 'breadcrumbs' : 'breadcrumbs breadcrumbs-short'} aria-label="Путь к странице">
      <ol itemScope itemType="https://schema.org/BreadcrumbList">
        {all.map(({ path, text }, index) => (
          <li key={path} itemProp="itemListElement" itemScope itemType="https://schema.org/ListItem">
            {index < all.length - 1 ? (
              <a href={path} itemProp="item">
                <span itemProp="name">{text}</span>
              </a>
            ) : (
              <span itemProp="name" aria-current="page">
                {text}
              </span>
            )}
            <meta itemProp="position" content={String(index + 1)} />
          </li>
        ))}
      </ol>
    </nav>
  );
}
