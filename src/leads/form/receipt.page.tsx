import { LinkButton } from '../../design/action.tsx';
import { PageHeading } from '../../design/page-heading.tsx';
import { Drawing } from '../../design/picture.tsx';
import type { View } from '../../document/page.ts';
import type { Content } from '../../model/content.ts';
import { presetTitle } from '../../model/preset-title.ts';
import './receipt.css';

type Receipt = {
  number: number;
  /** Slug of what was asked for. */
  preset: string;
  /** What the calculator made of the visitor's order, as lines. */
  calculation: string | null;
  /** When the call comes. */
  promise: string;
};

/** What a visitor sees after a request was stored: its number, when we call, what happens next. */
export function receiptView(content: Content, { number, preset, calculation, promise }: Receipt): View {
  const heading = `Заявка №\u00A0${number} принята`;
  const { tollFree } = content.company;
  const image = content.presets.find(({ slug }) => slug === preset)?.image;
  return {
    page: 'receipt',
    head: {
      path: '/contact',
      title: heading,
      description: promise,
      crumbs: [{ path: '/contact', text: content.pages.contact.heading }],
      noindex: true,
    },
    body: (
      <div className="fill">
        <div className="receipt">
          <PageHeading heading={heading} lead={promise} drawing={<Drawing image={image} />} />
          <p className="receipt-subject">{presetTitle(content, preset)}</p>
          {calculation !== null && (
            <details className="receipt-calculation">
              <summary>Расчёт отправлен вместе с заявкой</summary>
              <p>{calculation}</p>
            </details>
          )}
          <h2>Что дальше</h2>
          <ol>
            <li>Менеджер позвонит на номер, который вы оставили, и уточнит задачу.</li>
            <li>Посчитаем стоимость по тарифам и назовём ближайшие сроки.</li>
            <li>Если всё подходит, договоримся о договоре и первой поставке.</li>
          </ol>
          <p>
            Нужно срочно или хотите что-то исправить? Позвоните и назовите номер заявки:{' '}
            <a href={`tel:${tollFree.number}`}>{tollFree.text}</a>.
          </p>
          <p className="receipt-actions">
            <LinkButton href="/" text="На главную" />
          </p>
        </div>
      </div>
    ),
    data: null,
  };
}
