import { Actions, LinkButton } from '../components/action.tsx';
import { SearchForm } from '../components/forms/search-form.tsx';
import { PageHeading } from '../components/page-heading.tsx';
import { type FixedDrawing, InlineDrawing } from '../components/picture.tsx';
import { type Content, callPhone, hasPage } from '../model/content.ts';
import { defineView } from '../pages/page.ts';
import type { SearchDocument } from '../pages/search/documents.ts';
import { PageLinks } from '../pages/search/search-results.tsx';
import './error.css';

type Failure = {
  content: Content;
  status: number;
  explanation?: string;
  path: string;
  image?: FixedDrawing;
  /** For a 404. */
  nearest?: readonly SearchDocument[];
};

const explanations: Readonly<Record<number, string>> = {
  404: 'Этой страницы нет на полке: ссылка неверна или страница переехала.',
  500: 'Внутренняя ошибка сервера, мы уже исправляем её.',
};

export const errorView = defineView({
  name: 'error',
  head: ({ path, status, explanation = explanations[status] }: Failure) => ({
    path,
    title: `Ошибка ${status}`,
    description: explanation ?? `Ошибка ${status}`,
    crumbs: [],
    noindex: true,
  }),
  data: ({ status }) => ({ status }),
  Body: ({ content, status, explanation = explanations[status], image, nearest = [] }) => (
    <div className="error fill">
      <PageHeading heading="Ошибка" intro={explanation} drawing={image && <InlineDrawing drawing={image} />}>
        <div className="error-status">Код {status}</div>
        <Actions phone={callPhone(content.company)}>
          <LinkButton href="/" text="На главную" />
        </Actions>
      </PageHeading>
      {nearest.length > 0 && (
        <nav className="error-nearest" aria-labelledby="nearest">
          <h2 id="nearest">Возможно, вы искали</h2>
          <PageLinks pages={nearest} />
        </nav>
      )}
      {status === 404 && hasPage(content, 'search') && <SearchForm label="Найти на сайте" />}
    </div>
  ),
});
