import { LinkButton } from '../components/action.tsx';
import { PageHeading } from '../components/page-heading.tsx';
import { Picture } from '../components/picture.tsx';
import type { Content } from '../site/content.ts';
import type { View } from './page.ts';
import './error.css';

type Failure = {
  status: number;
  /** Says what went wrong, for whoever reports it: «Page not found: /nowhere». */
  message: string;
  path: string;
  /** Address of the drawing for this code, if there is one. */
  image?: string | undefined;
};

/** Only these codes are explained; the others show the heading and the code. */
const explanations: Readonly<Record<number, string>> = {
  404: 'Ссылка неверна: такой страницы нет или она переехала.',
  500: 'На сервере произошла внутренняя ошибка. Мы уже исправляем её.',
};

/** The error screen: the code, what it means, and the way to the home page. */
export function errorView(content: Content, { status, message, path, image }: Failure): View {
  const explanation = explanations[status];
  const { tollFree } = content.company;
  return {
    page: 'error',
    head: {
      path,
      title: `Ошибка ${status}`,
      description: explanation ?? `Ошибка ${status}`,
      crumbs: [],
      noindex: true,
    },
    body: (
      <div className="error fill">
        <PageHeading
          heading="Ошибка"
          lead={explanation}
          drawing={image && <Picture src={image} alt="" width={360} height={240} />}
        />
        <div className="error-status">Код {status}</div>
        {message && <p className="error-message">{message}</p>}
        <p className="error-actions">
          <LinkButton href="/" text="На главную" />
          <a href={`tel:${tollFree.number}`}>{tollFree.text}</a>
        </p>
      </div>
    ),
    data: { status, message },
  };
}
