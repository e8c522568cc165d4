import { LinkButton, SubmitButton } from '../design/action.tsx';
import { ErrorSummary, fieldId } from '../design/error-summary.tsx';
import { NumberField, NumberGroup, type Option, RadioField, SelectField } from '../design/form-field.tsx';
import { formatCount, formatDate } from '../design/format.ts';
import { Offer, type OfferLabel, offerOf } from '../design/offer.tsx';
import { PageHeading } from '../design/page-heading.tsx';
import { ProseBlock } from '../design/prose-block.tsx';
import { QuestionList } from '../design/question-list.tsx';
import { defineSection, type Query } from '../document/page.ts';
import { localTime } from '../lib/calendar.ts';
import { type Calculator, generalPreset, wordsOf } from '../model/content.ts';
import { type Bill, billOf } from './bill.ts';
import { type Calculation, calculate } from './calculation.ts';
import { CalculationTable } from './calculation-table.tsx';
import { assumptions } from './calculation-words.ts';
import { type NearestDeparture, nearestDeparture } from './departures.ts';
import { DayText, MomentText } from './moment-text.tsx';
import {
  calculatorAddress,
  calculatorPath,
  type OrderError,
  type OrderField,
  type OrderReading,
  type OrderValues,
  omittedByPickup,
  omittedByScheme,
  orderFields,
  orderQuery,
  readOrder,
} from './order.ts';
import './calc.css';

/**
 * A GET form, so that every result has an address. Shows an example until the visitor submits; a script requests the
 * same address while they type.
 */
export const calc = defineSection({
  name: 'calc',
  path: calculatorAddress,
  share: { drawing: '/images/presets/calculation.svg' },
  query: orderFields,
  props(content, query) {
    const { calculator, rates } = content;
    const { values, errors, order } = readOrExample(calculator, query);
    const calculation = order && calculate(rates, calculator, order);
    const { timeZone } = content.company.workingHours;
    return {
      parent: wordsOf(content, 'rates').heading,
      calculator,
      effective: rates.effective,
      prices: `${rates.vat}, действуют с\u00A0${formatDate(rates.effective)}`,
      values,
      errors,
      result: calculation && {
        bill: billOf(calculator, calculation),
        notes: assumptions(calculator, calculation),
        offer: isPacked(calculator, calculation) ? offerOf(content) : undefined,
        departure: order?.warehouse === undefined ? undefined : nearestDeparture(content, order.warehouse),
        /** Unset for the example, which cannot be sent. */
        query: query.units === undefined ? undefined : orderQuery(values),
        preset: content.presets.find(({ slug }) => slug === 'calculation')?.slug ?? generalPreset,
      },
      today: localTime(new Date(content.at), timeZone).date,
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
  Body: ({ text, calculator, prices, values, errors, result, today }) => {
    const asked = result?.query !== undefined || errors.length > 0;
    return (
      <>
        <PageHeading heading={text.heading} lead={asked ? undefined : text.lead} />
        <ErrorSummary errors={errors} fields={orderFields} />
        <div className="calc">
          <div>
            <Sum errors={errors} bill={result?.bill} example={!asked} />
            <OrderForm calculator={calculator} values={values} errors={errors} again={result?.query !== undefined} />
          </div>
          {result ? <Result {...result} prices={prices} today={today} /> : <NoResult errors={errors} />}
          <p className="visually-hidden" role="status" />
        </div>
        <QuestionList
          questions={[{ question: 'Что входит в расчёт, а что нет', answer: <ProseBlock prose={text.body} /> }]}
        />
      </>
    );
  },
});

/** The visitor's values merged into the example, if they are compatible. */
function readOrExample(calculator: Calculator, query: Query): OrderReading {
  const reading = readOrder(calculator, query);
  if (query.units !== undefined) return reading;
  const given = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));
  const example = readOrder(calculator, { ...calculator.example, ...given });
  return example.order ? example : reading;
}

/** The offer is shown only for orders with paid packaging and enough units. */
function isPacked({ packaging, schemes, offerFrom }: Calculator, { order }: Calculation): boolean {
  const packed = packaging.find(({ id }) => id === order.packaging)?.operations.length;
  const included = schemes.find(({ id }) => id === order.scheme)?.packed;
  return Boolean(packed) && !included && offerFrom !== undefined && order.units >= offerFrom;
}

type SumProps = { bill: Bill | undefined; errors: readonly OrderError[]; example: boolean };

/** Sticky on narrow screens. */
function Sum({ bill, errors: [error], example }: SumProps) {
  return (
    <p className="calc-sum">
      {error ? (
        <a href={`#${fieldId(error.field)}`}>{error.message}</a>
      ) : bill ? (
        <a href="#result">
          {example ? 'Пример:' : 'Итого'} <b>{bill.total}</b>
          {bill.perUnit !== undefined && `, ${bill.perUnit} за\u00A0единицу`}
        </a>
      ) : (
        'Заполните поля, и здесь появится итог'
      )}
    </p>
  );
}

type ResultProps = {
  bill: Bill;
  notes: readonly string[];
  offer: OfferLabel | undefined;
  departure: NearestDeparture | undefined;
  /** Unset for the example. */
  query: string | undefined;
  preset: string;
  prices: string;
  today: string;
};

function Result({ bill, notes, offer, departure, query, preset, prices, today }: ResultProps) {
  return (
    <section
      id="result"
      className="calc-result"
      aria-labelledby="result-heading"
      data-goal={query === undefined ? undefined : 'calculation'}
    >
      <h2 id="result-heading">{query === undefined ? 'Пример расчёта' : 'Ваш расчёт'}</h2>
      <CalculationTable hints bill={bill} caption={`${bill.order}. ${prices}`}>
        {bill.perUnit === undefined && (
          <p>Часть заказа считаем отдельно: отправьте расчёт, и менеджер назовёт сумму.</p>
        )}
        {query !== undefined && (
          <p>
            <LinkButton
              href={`/contact?${new URLSearchParams({ preset, calc: query })}`}
              text="Отправить расчёт менеджеру"
            />
          </p>
        )}
        <Offer offer={offer} />
      </CalculationTable>
      {departure && <Departure departure={departure} today={today} />}
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

function NoResult({ errors }: { errors: readonly OrderError[] }) {
  return (
    <section id="result" className="calc-result calc-none" aria-label="Расчёт">
      {errors.length === 0 ? (
        <p>Заполните поля, и здесь появится расчёт</p>
      ) : (
        <>
          <p>Расчёт появится, когда исправите:</p>
          <ul>
            {errors.map(({ field, message }) => (
              <li key={field}>
                <a href={`#${fieldId(field)}`}>{message}</a>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function Departure({ departure, today }: { departure: NearestDeparture; today: string }) {
  return (
    <p>
      Ближайший рейс, {departure.warehouse}: сдать до <MomentText moment={departure.handOver} today={today} />, на
      складе <DayText date={departure.unloading.date} today={today} />
    </p>
  );
}

type FormProps = {
  calculator: Calculator;
  values: OrderValues;
  errors: readonly OrderError[];
  again: boolean;
};

function OrderForm({ calculator, values, errors, again }: FormProps) {
  const of = (field: OrderField) => ({
    field,
    value: values[field],
    error: errors.find((error) => error.field === field)?.message,
  });
  const invalid = errors.flatMap(({ field, also = [] }) => [field, ...also]);
  const side = (field: OrderField, label: string) => ({
    ...{ field, label, value: values[field] },
    invalid: invalid.includes(field),
  });
  const sides = [side('length', 'Длина'), side('width', 'Ширина'), side('height', 'Высота')];
  const sizeError = errors.find(({ field }) => sides.some((one) => one.field === field))?.message;
  const { marketplaces, schemes, packaging, marking, verification, places, warehouses, pickup } = calculator;
  return (
    <form
      className="calc-form"
      action={calculatorAddress}
      noValidate
      aria-label="Данные для расчёта"
      data-module="calculator"
    >
      <fieldset>
        <legend>Куда продаёте</legend>
        <RadioField {...of('mp')} label="Маркетплейс" options={optionsOf(marketplaces)} />
        <RadioField
          {...of('scheme')}
          label="Схема"
          options={schemes.map((scheme) => ({ ...optionOf(scheme), omits: omittedByScheme(scheme) }))}
        />
      </fieldset>
      <fieldset className="calc-goods">
        <legend>Товар</legend>
        <NumberField {...of('units')} label="Сколько единиц" value={grouped(values.units)} />
        <NumberField {...of('weight')} label="Вес одной, кг" decimal />
        <NumberGroup label="Размер единицы в упаковке, см" error={sizeError} numbers={sides} />
      </fieldset>
      <fieldset>
        <legend>Что сделать</legend>
        <SelectField {...of('pack')} label="Упаковка" options={optionsOf(packaging)} />
        <SelectField {...of('mark')} label="Маркировка" options={optionsOf(marking)} />
        <SelectField {...of('check')} label="Проверка" options={optionsOf(verification)} />
        <NumberField {...of('days')} label="Хранение, суток" hint={`Первые ${calculator.storage.free} бесплатны`} />
      </fieldset>
      <fieldset>
        <legend>Как едет груз</legend>
        <RadioField
          {...of('place')}
          label="Короба или паллеты"
          options={[
            { value: 'box', text: places.box.text },
            { value: 'pallet', text: places.pallet.text },
          ]}
        />
        <NumberField {...of('places')} label="Сколько коробов или паллет" hint="Не знаете? Оценим по объёму и весу" />
        <SelectField
          {...of('to')}
          label="Склад маркетплейса"
          options={[{ value: '', text: 'Выберите склад' }]}
          groups={warehouseGroups(marketplaces, warehouses)}
        />
        <SelectField
          {...of('pickup')}
          label="Как груз приедет к нам"
          options={pickup.map((car) => ({ ...optionOf(car), omits: omittedByPickup(car) }))}
        />
        <NumberField {...of('km')} label="Сколько километров от МКАД" hint="В одну сторону. Внутри МКАД не нужно" />
      </fieldset>
      <SubmitButton text={again ? 'Пересчитать' : 'Посчитать партию'} quiet={again} />
    </form>
  );
}

function grouped(written: string): string {
  return /^\d{4,7}$/.test(written) ? formatCount(Number(written)).replaceAll('\u00A0', ' ') : written;
}

function optionsOf(choices: readonly { id: string; text: string }[]): Option[] {
  return choices.map(optionOf);
}

function optionOf({ id, text }: { id: string; text: string }): Option {
  return { value: id, text };
}

function warehouseGroups(marketplaces: Calculator['marketplaces'], warehouses: Calculator['warehouses']) {
  const shared = warehouses.filter((warehouse) => warehouse.marketplaces.length > 1);
  return [
    ...marketplaces.map(({ id, text }) => ({
      label: text,
      options: optionsOf(warehouses.filter((warehouse) => warehouse.marketplaces.join() === id)),
    })),
    { label: 'Регионы', options: optionsOf(shared) },
  ].filter(({ options }) => options.length > 0);
}
