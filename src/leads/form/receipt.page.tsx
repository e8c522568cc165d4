import { LinkButton } from '../../design/action.tsx';
import { PageHeading } from '../../design/page-heading.tsx';
import { Drawing } from '../../design/picture.tsx';
import { ProseBlock } from '../../design/prose-block.tsx';
import { defineView, wordedHead } from '../../document/page.ts';
import { type Content, wordsOf } from '../../model/content.ts';
import { presetTitle } from '../../model/preset-title.ts';
import type { DatedBill } from '../../services/bill.ts';
import { SentBill } from '../../services/sent-calculation.tsx';
import './receipt.css';

type Receipt = {
  content: Content;
  number: number;
  preset: string;
  calculation: DatedBill | null;
  promise: string;
};

/** The page's own address is secret and so not in the HTML. */
const here = '';

const headingOf = (number: number) => `Заявка №\u00A0${number} принята`;

export const receiptView = defineView({
  name: 'receipt',
  uncounted: true,
  goal: 'request',
  head: ({ content, number, promise }: Receipt) => ({
    ...wordedHead('/contact', wordsOf(content, 'contact')),
    title: headingOf(number),
    description: promise,
    noindex: true,
  }),
  data: () => null,
  Body: ({ content, number, preset, calculation, promise }) => {
    const { body: preparation } = wordsOf(content, 'contact');
    const { tollFree, social } = content.company;
    const messengers = social.filter(({ kind }) => kind === 'messenger' || kind === 'chat');
    return (
      <div className="receipt fill">
        <div className="receipt-label">
          <PageHeading
            heading={headingOf(number)}
            lead={promise}
            drawing={<Drawing image={content.presets.find(({ slug }) => slug === preset)?.image} />}
          />
          {calculation === null ? (
            <p className="receipt-subject">{presetTitle(content, preset)}</p>
          ) : (
            <SentBill bill={calculation} />
          )}
          <p>
            Сохраните{' '}
            <a href={here} rel="noreferrer">
              ссылку на эту страницу
            </a>
            : здесь видно, взял ли менеджер заявку.
          </p>
          <h2>Что дальше</h2>
          <ol>
            {stepsOf(calculation !== null).map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        </div>
        <div className="receipt-beside">
          {preparation.html !== '' && (
            <>
              <h2>Пока ждёте звонка</h2>
              <ProseBlock prose={preparation} />
            </>
          )}
          <h2>Если срочно</h2>
          <p>
            Назовите номер заявки по телефону <a href={`tel:${tollFree.number}`}>{tollFree.text}</a>
            {messengers.length > 0 && ' или напишите нам:'}
          </p>
          {messengers.length > 0 && (
            <ul className="receipt-messengers">
              {messengers.map(({ text, href }) => (
                <li key={href}>
                  <LinkButton quiet href={href} text={text} />
                </li>
              ))}
            </ul>
          )}
        </div>
      </div>
    );
  },
});

function stepsOf(calculated: boolean): readonly string[] {
  const last = 'Если всё подходит, подпишем договор и назначим первую поставку.';
  return calculated
    ? [
        'Менеджер проверит числа и позвонит на номер, который вы оставили.',
        'Подтвердим рейс: до какого часа сдать груз и когда его разгрузят.',
        last,
      ]
    : [
        'Менеджер позвонит на номер, который вы оставили, и уточнит задачу.',
        'Посчитаем стоимость и назовём ближайшие сроки.',
        last,
      ];
}
