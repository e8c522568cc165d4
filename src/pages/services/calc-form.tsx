import type { ReactNode } from 'react';
import { SubmitButton } from '../../components/action.tsx';
import { Fold } from '../../components/fold.tsx';
import { NumberField, RadioField, SelectField } from '../../components/forms/form-field.tsx';
import type { Calculator } from '../../model/content.ts';
import { boxesOrPallets } from '../../pricing/calculation.ts';
import {
  calculatorAddress,
  type OrderField,
  type OrderValues,
  omittedByPickup,
  omittedByScheme,
} from '../../pricing/order-fields.ts';
import { firstDays } from '../../pricing/order-text.ts';
import type { OrderError } from '../../pricing/read-order.ts';
import { GoodsSides } from './goods-sides.tsx';

/** Folded on narrow screens once there is a result, so that the bill comes first. */
export function FoldedForm({ order, children }: { order: string | undefined; children: ReactNode }) {
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

type OrderFormProps = {
  calculator: Calculator;
  values: OrderValues;
  typed: OrderValues;
  errors: readonly OrderError[];
  again: boolean;
};

export function OrderForm({ calculator, values, typed, errors, again }: OrderFormProps) {
  const messages: Messages = Object.fromEntries(errors.map(({ field, message }) => [field, message]));
  return (
    <form
      className="calc-form"
      action={calculatorAddress}
      noValidate
      aria-label="Данные для расчёта"
      data-module="calculator"
    >
      <GoodsFields values={values} messages={messages} />
      <MarketFields calculator={calculator} values={values} messages={messages} />
      <WorkFields calculator={calculator} values={values} typed={typed} messages={messages} />
      <CargoFields calculator={calculator} values={values} typed={typed} messages={messages} />
      <SubmitButton text={again ? 'Пересчитать' : 'Посчитать цену'} quiet={again} />
    </form>
  );
}

type Messages = Partial<Record<OrderField, string>>;
type FieldsProps = { calculator: Calculator; values: OrderValues; typed: OrderValues; messages: Messages };

function GoodsFields({ values, messages }: Pick<FieldsProps, 'values' | 'messages'>) {
  return (
    <fieldset className="calc-goods">
      <legend>Товар</legend>
      <NumberField field="units" label="Сколько единиц" value={values.units} error={messages.units} />
      <NumberField field="weight" label="Вес одной, кг" value={values.weight} error={messages.weight} decimal />
      <GoodsSides values={values} messages={messages} />
    </fieldset>
  );
}

function MarketFields({ calculator: { marketplaces, schemes }, values, messages }: Omit<FieldsProps, 'typed'>) {
  return (
    <fieldset>
      <legend>Куда продаёте</legend>
      {marketplaces.length > 1 && (
        <RadioField field="mp" label="Маркетплейс" value={values.mp} error={messages.mp} options={marketplaces} />
      )}
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

type FoldedFieldsProps = {
  /** The script updates the summary. */
  id: 'work' | 'cargo';
  legend: string;
  /** Shown while the fields are folded on phones. */
  choices: readonly (string | undefined)[];
  fields: readonly OrderField[];
  messages: Messages;
  children: ReactNode;
};

/** Most visitors keep what the example has here. */
function FoldedFields({ id, legend, choices, fields, messages, children }: FoldedFieldsProps) {
  return (
    <fieldset id={id}>
      <legend>{legend}</legend>
      <Fold
        summary={choices.filter((choice) => choice !== undefined).join(' · ')}
        open={fields.some((field) => messages[field] !== undefined)}
      >
        <div className="calc-fields">{children}</div>
      </Fold>
    </fieldset>
  );
}

/** `undefined` if nothing is chosen. */
function chosen(options: readonly { id: string; text: string }[], id: string): string | undefined {
  return options.find((option) => option.id === id)?.text;
}

function WorkFields({ calculator, values, typed, messages }: FieldsProps) {
  const { free } = calculator.storage;
  const services = [
    { field: 'pack', label: 'Упаковка', choices: calculator.packaging },
    { field: 'mark', label: 'Маркировка', choices: calculator.marking },
    { field: 'check', label: 'Проверка', choices: calculator.verification },
  ] as const;
  return (
    <FoldedFields
      id="work"
      legend="Что сделать"
      choices={services.map(({ field, label, choices }) => {
        const choice = chosen(choices, values[field]);
        return choice && `${label}: ${choice.charAt(0).toLowerCase()}${choice.slice(1)}`;
      })}
      fields={['pack', 'mark', 'check', 'days']}
      messages={messages}
    >
      {services.map(({ field, label, choices }) => (
        <SelectField
          key={field}
          field={field}
          label={label}
          value={typed[field]}
          error={messages[field]}
          options={choices}
        />
      ))}
      <NumberField
        field="days"
        label="Хранение, суток"
        hint={free > 0 ? `${firstDays(free)} бесплатны` : undefined}
        value={values.days}
        error={messages.days}
      />
    </FoldedFields>
  );
}

function CargoFields({ calculator, values, typed, messages }: FieldsProps) {
  const { places, pickup, warehouses } = calculator;
  return (
    <FoldedFields
      id="cargo"
      legend="Как едет груз"
      choices={[
        places[values.place === 'pallet' ? 'pallet' : 'box'].text,
        chosen(warehouses, values.to),
        chosen(pickup, values.pickup),
      ]}
      fields={['place', 'places', 'to', 'pickup', 'km']}
      messages={messages}
    >
      <RadioField
        field="place"
        label="В чём едет"
        value={values.place}
        error={messages.place}
        options={[
          { id: 'box', text: places.box.text },
          { id: 'pallet', text: places.pallet.text },
        ]}
      />
      <NumberField
        field="places"
        label={`Сколько ${boxesOrPallets(calculator)}`}
        hint="Не знаете? Оценим по объёму и весу"
        value={values.places}
        error={messages.places}
      />
      <SelectField
        field="to"
        label="Склад маркетплейса"
        value={typed.to}
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
        label={`Сколько километров ${calculator.zone.from}`}
        hint={`В одну сторону. ${calculator.zone.within} не нужно`}
        value={typed.km}
        error={messages.km}
      />
    </FoldedFields>
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
