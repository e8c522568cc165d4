import { LinkButton } from '../../design/action.tsx';
import { PageHeading } from '../../design/page-heading.tsx';
import { Drawing } from '../../design/picture.tsx';
import { defineView, wordedHead } from '../../document/page.ts';
import { type Content, wordsOf } from '../../model/content.ts';
import { presetTitle } from '../../model/preset-title.ts';
import './receipt.css';

type Receipt = {
  content: Content;
  number: number;
  /** Slug of what was asked for. */
  preset: string;
  /** What the calculator made of the visitor's order, as lines. */
  calculation: string | null;
  /** When the call comes. */
  promise: string;
};

const headingOf = (number: number) => `Заявка №\u00A0${number} принята`;

/** What a visitor sees after a request was stored: its number, when we call, what happens next. */
export const receiptView = defineView({
  name: 'receipt',
  uncounted: true,
  head: ({ content, number, promise }: Receipt) => ({
    ...wordedHead('/contact', wordsOf(content, 'contact')),
    title: headingOf(number),
    description: promise,
    noindex: true,
  }),
  data: () => null,
  Body: ({ content, number, preset, calculation, promise }) => (
    <div className="fill">
      <div className="receipt">
        <PageHeading
          heading={headingOf(number)}
          lead={promise}
          drawing={<Drawing image={content.presets.find(({ slug }) => slug === preset)?.image} />}
        />
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
          <a href={`tel:${content.company.tollFree.number}`}>{content.company.tollFree.text}</a>.
        </p>
        <p className="receipt-actions">
          <LinkButton href="/" text="На главную" />
        </p>
      </div>
    </div>
  ),
});
