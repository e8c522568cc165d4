import type { ReactNode } from 'react';
import { type NearestDeparture, nearestDeparture } from '../departures/departures.ts';
import { DayText, MomentText } from '../departures/moment-text.tsx';
import { LinkButton, SubmitButton } from '../design/action.tsx';
import { DateText } from '../design/date-text.tsx';
import { ErrorSummary } from '../design/error-summary.tsx';
import { NumberField, type Option, RadioField, SelectField } from '../design/form-field.tsx';
import { formatDate, formatPrice } from '../design/format.ts';
import { Guide } from '../design/guide.tsx';
import { PageHeading } from '../design/page-heading.tsx';
import { defineSection } from '../document/page.ts';
import { localTime } from '../lib/calendar.ts';
import { type Calculator, type Rates, wordsOf } from '../model/content.ts';
import { type Calculation, calculate } from './calculation.ts';
import { CalculationTable } from './calculation-table.tsx';
import { assumptions, individually, orderSummary } from './calculation-words.ts';
import {
  calculatorAddress,
  calculatorPath,
  type OrderError,
  type OrderField,
  type OrderValues,
  orderFields,
  orderQuery,
  readOrder,
} from './order.ts';
import './calc.css';

/** What an order costs: a form that the server answers, so that every result has an address. */
export const calc = defineSection({
  name: 'calc',
  path: calculatorAddress,
  share: { drawing: '/images/presets/calculation.svg' },
  query: orderFields,
  props(content, query) {
    const { calculator, rates } = content;
    const { values, errors, order } = readOrder(calculator, query);
    const { timeZone } = content.company.workingHours;
    return {
      parent: wordsOf(content, 'rates').heading,
      calculator,
      rates: { effective: rates.effective, vat: rates.vat },
      values,
      errors,
      calculation: order && calculate(rates, calculator, order),
      departure: order?.warehouse === undefined ? undefined : nearestDeparture(content, order.warehouse),
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
  dates: ({ text, rates }) => [text.updated, rates.effective],
  Body: ({ text, calculator, rates, values, errors, calculation, departure, today }) => (
    <>
      <PageHeading heading={text.heading} lead={calculation || errors.length > 0 ? undefined : text.lead} />
      <ErrorSummary errors={errors} fields={orderFields} />
      {calculation && (
        <Result calculator={calculator} rates={rates} values={values} calculation={calculation}>
          {departure && <Departure departure={departure} today={today} />}
        </Result>
      )}
      <OrderForm calculator={calculator} values={values} errors={errors} again={calculation !== undefined} />
      <Guide prose={text.body} />
    </>
  ),
});

type ResultProps = {
  calculator: Calculator;
  rates: Pick<Rates, 'effective' | 'vat'>;
  values: OrderValues;
  calculation: Calculation;
  /** When it leaves, if anything runs there. */
  children: ReactNode;
};

function Result({ calculator, rates, values, calculation, children }: ResultProps) {
  const { total, perUnit } = calculation;
  const query = orderQuery(values);
  return (
    <section className="calc-result" aria-labelledby="total">
      <h2 id="total">
        Итого: <b>{total === undefined ? individually : formatPrice(total)}</b>
      </h2>
      {perUnit === undefined ? (
        <p>Часть заказа выходит за пределы тарифов. Отправьте расчёт с заявкой, и сумму назовёт менеджер.</p>
      ) : (
        <p className="calc-unit">{formatPrice(perUnit)} на единицу товара</p>
      )}
      <p>
        {orderSummary(calculator, calculation)}. {rates.vat}, действуют с <DateText date={rates.effective} />
      </p>
      {children}
      <p className="calc-actions">
        <LinkButton
          href={`/contact?${new URLSearchParams({ preset: 'calculation', calc: query })}`}
          text="Отправить расчёт с заявкой"
        />
        <a href={calculatorPath(query)}>Ссылка на этот расчёт</a>
      </p>
      <CalculationTable
        words={calculator}
        calculation={calculation}
        caption={`Расчёт по ценам с ${formatDate(rates.effective)}`}
      />
      <ul className="calc-notes">
        {assumptions(calculator, calculation).map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </section>
  );
}

function Departure({ departure, today }: { departure: NearestDeparture; today: string }) {
  return (
    <p>
      Ближайший рейс, {departure.warehouse}: сдать до <MomentText moment={departure.handOver} today={today} />,
      отправление <MomentText moment={departure.departure} today={today} />, разгрузка{' '}
      <DayText date={departure.unloading.date} today={today} />
    </p>
  );
}

type FormProps = {
  calculator: Calculator;
  values: OrderValues;
  errors: readonly OrderError[];
  /** Whether an answer stands above it. */
  again: boolean;
};

function OrderForm({ calculator, values, errors, again }: FormProps) {
  const errorOf = (field: OrderField) => errors.find((error) => error.field === field)?.message;
  const { marketplaces, schemes, packaging, marking, verification, places, warehouses, pickup } = calculator;
  return (
    <form className="calc-form" action={calculatorAddress} noValidate aria-label="Данные для расчёта">
      <fieldset>
        <legend>Куда продаёте</legend>
        <RadioField
          field="mp"
          label="Маркетплейс"
          value={values.mp}
          error={errorOf('mp')}
          options={optionsOf(marketplaces)}
        />
        <RadioField
          field="scheme"
          label="Схема"
          value={values.scheme}
          error={errorOf('scheme')}
          options={optionsOf(schemes)}
        />
      </fieldset>
      <fieldset>
        <legend>Товар в упаковке</legend>
        <NumberField field="units" label="Сколько единиц, шт." value={values.units} error={errorOf('units')} />
        <div className="calc-size">
          <NumberField field="length" label="Длина, см" value={values.length} error={errorOf('length')} decimal />
          <NumberField field="width" label="Ширина, см" value={values.width} error={errorOf('width')} decimal />
          <NumberField field="height" label="Высота, см" value={values.height} error={errorOf('height')} decimal />
          <NumberField field="weight" label="Вес, кг" value={values.weight} error={errorOf('weight')} decimal />
        </div>
      </fieldset>
      <fieldset>
        <legend>Что сделать</legend>
        <SelectField
          field="pack"
          label="Упаковка"
          value={values.pack}
          error={errorOf('pack')}
          options={optionsOf(packaging)}
        />
        <SelectField
          field="mark"
          label="Маркировка"
          value={values.mark}
          error={errorOf('mark')}
          options={optionsOf(marking)}
        />
        <SelectField
          field="check"
          label="Проверка"
          value={values.check}
          error={errorOf('check')}
          options={optionsOf(verification)}
        />
        <NumberField
          field="days"
          label="Хранение, суток"
          hint={`Первые ${calculator.storage.free} бесплатны. Пусто\u00A0— без хранения`}
          value={values.days}
          error={errorOf('days')}
        />
      </fieldset>
      <fieldset>
        <legend>Как едет груз</legend>
        <RadioField
          field="place"
          label="Короба или паллеты"
          value={values.place}
          error={errorOf('place')}
          options={[
            { value: 'box', text: places.box.text },
            { value: 'pallet', text: places.pallet.text },
          ]}
        />
        <NumberField
          field="places"
          label="Сколько их"
          hint="Пусто&nbsp;— оценим по объёму и весу"
          value={values.places}
          error={errorOf('places')}
        />
        <SelectField
          field="to"
          label="Склад маркетплейса"
          hint="Нужен для FBO"
          value={values.to}
          error={errorOf('to')}
          options={[{ value: '', text: 'Не выбран' }]}
          groups={warehouseGroups(marketplaces, warehouses)}
        />
        <SelectField
          field="pickup"
          label="Как груз приедет к нам"
          value={values.pickup}
          error={errorOf('pickup')}
          options={optionsOf(pickup)}
        />
        <NumberField
          field="km"
          label="Сколько километров от МКАД"
          hint="В одну сторону. Пусто&nbsp;— внутри МКАД"
          value={values.km}
          error={errorOf('km')}
        />
      </fieldset>
      <SubmitButton text={again ? 'Пересчитать' : 'Посчитать'} />
    </form>
  );
}

function optionsOf(choices: readonly { id: string; text: string }[]): Option[] {
  return choices.map(({ id, text }) => ({ value: id, text }));
}

/** Warehouses of one marketplace under its name; those of several are cities. */
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
