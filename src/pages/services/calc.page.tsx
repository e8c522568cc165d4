import type { ReactNode } from 'react';
import { LinkButton, SubmitButton } from '../../components/action.tsx';
import { ErrorSummary, fieldId } from '../../components/forms/error-summary.tsx';
import { NumberField, RadioField, SelectField } from '../../components/forms/form-field.tsx';
import { Offer, type OfferLabel, offerOf } from '../../components/offer.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { ProseBlock } from '../../components/prose/prose-block.tsx';
import { QuestionList } from '../../components/prose/question-list.tsx';
import { formatDate } from '../../lib/format.ts';
import { type Calculator, type Preset, wordsOf } from '../../model/content.ts';
import { generalPresetOf } from '../../model/preset-title.ts';
import { defineSection } from '../page.ts';
import { type Bill, billOf } from './bill.ts';
import { calculate } from './calculation.ts';
import { BillTotal, FoldedBill } from './calculation-table.tsx';
import { assumptions, refusal, shortSummary } from './calculation-words.ts';
import {
  calculatorAddress,
  calculatorPath,
  type OrderError,
  type OrderField,
  type OrderValues,
  omittedByPickup,
  omittedByScheme,
  orderFields,
  orderQuery,
  readOrExample,
} from './order.ts';
import { type Load, loadOf, OrderLoad } from './order-load.tsx';
import { OrderWays, type Way, waysOf } from './order-ways.tsx';
import { type Term, termOf } from './term.ts';
import { TermStrip } from './term-strip.tsx';
import './calc.css';

/** A GET form, so every result has an address. Shows an example until submitted. */
export const calc = defineSection({
  name: 'calc',
  path: calculatorAddress,
  share: { drawing: '/images/presets/calculation.svg' },
  query: orderFields,
  props(content, query) {
    const { calculator, rates } = content;
    const { values, errors, order, refused } = readOrExample(calculator, query);
    const calculation = order && calculate(rates, calculator, order);
    const term = order && termOf(content, order);
    return {
      parent: wordsOf(content, 'rates').heading,
      calculator,
      effective: rates.effective,
      prices: `${rates.vat}, действуют с\u00A0${formatDate(rates.effective)}`,
      values,
      errors,
      result: calculation && {
        bill: billOf(content, calculation, term),
        term,
        load: loadOf(calculator, calculation),
        ways: waysOf(content, calculation, values),
        short: shortSummary(calculator, calculation.order),
        remarks: [
          ...(refused ? [refusal(calculator, refused, calculation.order)] : []),
          ...calculation.beyond.map(({ text, why }) => `${text}: ${why}.`),
        ],
        notes: assumptions(calculator, calculation),
        query: query.units === undefined ? undefined : orderQuery(values),
      },
      offer: offerOf(content),
      request: generalPresetOf(content),
    };
  },
  head: ({ text, parent, errors }) => ({
    title: errors.length > 0 ? `Ошибка: ${text.title}` : text.title,
    crumbs: [
      { path: '/rates', text: parent },
      { path: calculatorAddress, text: text.heading },
    ],
  }),
  dates: ({ text, effective }) => [text.updated, effective],
  Body: ({ text, calculator, prices, values, errors, result, offer, request }) => {
    const counted = result?.query !== undefined;
    const example = !counted && errors.length === 0;
    return (
      <>
        <PageHeading heading={text.heading} lead={example ? text.lead : undefined} />
        <ErrorSummary errors={errors} fields={orderFields} />
        <div className="calc">
          <FoldedForm order={counted ? result.short : undefined}>
            <Sum error={errors[0]} bill={result?.bill} example={example} />
            <OrderForm calculator={calculator} values={values} errors={errors} again={counted} />
          </FoldedForm>
          {result ? (
            <ResultSection result={result} offer={offer} request={request} prices={prices} />
          ) : (
            <section id="result" className="calc-result calc-none" aria-label="Расчёт">
              <p>Заполните поля, и здесь появится расчёт</p>
            </section>
          )}
          <p className="visually-hidden" role="status" />
        </div>
        <QuestionList
          questions={[{ question: 'Что входит в расчёт, а что нет', answer: <ProseBlock prose={text.body} /> }]}
        />
      </>
    );
  },
});

/** Folded up beside an answer on narrow screens, so that the bill comes first. */
function FoldedForm({ order, children }: { order: string | undefined; children: ReactNode }) {
  if (order === undefined) return <div>{children}</div>;
  return (
    <details className="calc-order">
      <summary>
        <b>{order}</b> <span className="calc-change">изменить</span>
      </summary>
      {children}
    </details>
  );
}

type SumProps = { error: OrderError | undefined; bill: Bill | undefined; example: boolean };

/** Sticky on narrow screens. */
function Sum({ error, bill, example }: SumProps) {
  return (
    <p className="calc-sum">
      {error ? (
        <a href={`#${fieldId(error.field)}`}>{error.message}</a>
      ) : bill ? (
        <a href="#result">
          {example ? 'Пример:' : 'Итого'} <b>{bill.total}</b>
          {bill.without !== undefined && ` ${bill.without}`}
          {bill.perUnit !== undefined && `, ${bill.perUnit} за\u00A0единицу`}
        </a>
      ) : (
        'Заполните поля, и здесь появится итог'
      )}
    </p>
  );
}

type Result = {
  bill: Bill;
  term: Term | undefined;
  load: Load | undefined;
  ways: readonly Way[];
  /** What is not as it was asked for. */
  remarks: readonly string[];
  notes: readonly string[];
  /** Unset for the example, which cannot be sent. */
  query: string | undefined;
};

type ResultProps = {
  result: Result;
  offer: OfferLabel | undefined;
  request: Pick<Preset, 'slug' | 'title'>;
  prices: string;
};

function ResultSection({ result, offer, request, prices }: ResultProps) {
  const { bill, term, load, ways, remarks, notes, query } = result;
  return (
    <section
      id="result"
      className="calc-result"
      aria-labelledby="result-heading"
      data-goal={query === undefined ? undefined : 'calculation'}
    >
      <h2 id="result-heading">{query === undefined ? 'Пример расчёта' : 'Ваш расчёт'}</h2>
      {load && <OrderLoad load={load} />}
      <BillTotal bill={bill} />
      {term && <TermStrip term={term} />}
      {remarks.map((remark) => (
        <p key={remark}>{remark}</p>
      ))}
      {query !== undefined && (
        <p>
          <LinkButton
            href={`/contact?${new URLSearchParams({ preset: request.slug, calc: query })}`}
            text={request.title}
          />
        </p>
      )}
      <OrderWays ways={ways} />
      <Offer offer={offer} />
      <FoldedBill hints bill={bill} caption={`${bill.order}. ${prices}`} />
      <ul className="calc-notes">
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
      {query !== undefined && (
        <a className="calc-link" href={calculatorPath(query)}>
          Ссылка на этот расчёт
        </a>
      )}
    </section>
  );
}

type FormProps = {
  calculator: Calculator;
  values: OrderValues;
  errors: readonly OrderError[];
  again: boolean;
};

function OrderForm({ calculator, values, errors, again }: FormProps) {
  const messages: Messages = Object.fromEntries(errors.map(({ field, message }) => [field, message]));
  return (
    <form
      className="calc-form"
      action={calculatorAddress}
      noValidate
      aria-label="Данные для расчёта"
      data-module="calculator"
    >
      <MarketFields calculator={calculator} values={values} messages={messages} />
      <GoodsFields values={values} messages={messages} />
      <WorkFields calculator={calculator} values={values} messages={messages} />
      <CargoFields calculator={calculator} values={values} messages={messages} />
      <SubmitButton text={again ? 'Пересчитать' : 'Посчитать партию'} quiet={again} />
    </form>
  );
}

type Messages = Partial<Record<OrderField, string>>;
type FieldsProps = { calculator: Calculator; values: OrderValues; messages: Messages };

function MarketFields({ calculator: { marketplaces, schemes }, values, messages }: FieldsProps) {
  return (
    <fieldset>
      <legend>Куда продаёте</legend>
      <RadioField field="mp" label="Маркетплейс" value={values.mp} error={messages.mp} options={marketplaces} />
      <RadioField
        field="scheme"
        label="Схема"
        value={values.scheme}
        error={messages.scheme}
        options={schemes.map((scheme) => ({ id: scheme.id, text: scheme.text, omits: omittedByScheme(scheme) }))}
      />
    </fieldset>
  );
}

const sides = [
  { field: 'length', label: 'Длина' },
  { field: 'width', label: 'Ширина' },
  { field: 'height', label: 'Высота' },
] as const;

function GoodsFields({ values, messages }: Pick<FieldsProps, 'values' | 'messages'>) {
  return (
    <fieldset className="calc-goods">
      <legend>Товар</legend>
      <NumberField field="units" label="Сколько единиц" value={values.units} error={messages.units} />
      <NumberField field="weight" label="Вес одной, кг" value={values.weight} error={messages.weight} decimal />
      <fieldset className="calc-sides">
        <legend>Размер единицы в упаковке, см</legend>
        {sides.map(({ field, label }) => (
          <NumberField key={field} field={field} label={label} value={values[field]} error={messages[field]} decimal />
        ))}
      </fieldset>
    </fieldset>
  );
}

function WorkFields({ calculator, values, messages }: FieldsProps) {
  const services = [
    { field: 'pack', label: 'Упаковка', choices: calculator.packaging },
    { field: 'mark', label: 'Маркировка', choices: calculator.marking },
    { field: 'check', label: 'Проверка', choices: calculator.verification },
  ] as const;
  return (
    <fieldset>
      <legend>Что сделать</legend>
      {services.map(({ field, label, choices }) => (
        <SelectField
          key={field}
          field={field}
          label={label}
          value={values[field]}
          error={messages[field]}
          options={choices}
        />
      ))}
      <NumberField
        field="days"
        label="Хранение, суток"
        hint={`Первые ${calculator.storage.free} бесплатны`}
        value={values.days}
        error={messages.days}
      />
    </fieldset>
  );
}

function CargoFields({ calculator, values, messages }: FieldsProps) {
  const { places, pickup } = calculator;
  return (
    <fieldset>
      <legend>Как едет груз</legend>
      <RadioField
        field="place"
        label="Короба или паллеты"
        value={values.place}
        error={messages.place}
        options={[
          { id: 'box', text: places.box.text },
          { id: 'pallet', text: places.pallet.text },
        ]}
      />
      <NumberField
        field="places"
        label="Сколько коробов или паллет"
        hint="Не знаете? Оценим по объёму и весу"
        value={values.places}
        error={messages.places}
      />
      <SelectField
        field="to"
        label="Склад маркетплейса"
        value={values.to}
        error={messages.to}
        options={[{ id: '', text: 'Выберите склад' }]}
        groups={warehouseGroups(calculator)}
      />
      <SelectField
        field="pickup"
        label="Как груз приедет к нам"
        value={values.pickup}
        error={messages.pickup}
        options={pickup.map((car) => ({ id: car.id, text: car.text, omits: omittedByPickup(car) }))}
      />
      <NumberField
        field="km"
        label="Сколько километров от МКАД"
        hint="В одну сторону. Внутри МКАД не нужно"
        value={values.km}
        error={messages.km}
      />
    </fieldset>
  );
}

function warehouseGroups({ marketplaces, warehouses }: Calculator) {
  return [
    ...marketplaces.map(({ id, text }) => ({
      label: text,
      options: warehouses.filter((warehouse) => warehouse.marketplaces.join() === id),
    })),
    { label: 'Регионы', options: warehouses.filter((warehouse) => warehouse.marketplaces.length > 1) },
  ].filter(({ options }) => options.length > 0);
}
