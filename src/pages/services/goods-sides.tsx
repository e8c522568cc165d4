import { NumberField } from '../../components/forms/form-field.tsx';
import type { OrderField, OrderValues } from '../../pricing/order-fields.ts';
import './goods-sides.css';

/** Each arrow of the drawing ends at its field, in the order in which people measure. */
const sides = [
  { field: 'length', label: 'Длина', arrow: 'M65 121L9 89m7-1l-7 1 3 6m53 26l-7 1m7-1l-3-6' },
  { field: 'width', label: 'Ширина', arrow: 'M86 121l42-24m-7-1l7 1-3 6m-39 18l7 1m-7-1l3-6' },
  { field: 'height', label: 'Высота', arrow: 'M135 84V32m-4 5l4-5 4 5m-8 42l4 5 4-5' },
] as const;

type GoodsSidesProps = { values: OrderValues; messages: Partial<Record<OrderField, string>> };

export function GoodsSides({ values, messages }: GoodsSidesProps) {
  return (
    <fieldset className="sides">
      <legend>Размер единицы в упаковке, см</legend>
      <svg viewBox="0 -1 142 125" width="142" height="125" strokeWidth="2" strokeLinejoin="round" aria-hidden="true">
        <g stroke="#1d1a16">
          <path fill="#d9b382" d="M75 112L15 77V27l60 35z" />
          <path fill="#b98a52" d="M75 112l48-28V34L75 62z" />
          <path fill="#eed9b8" d="M75 62L15 27 63 0l60 34z" />
          <path fill="#faf6ef" d="M51 49l48-28-12-7-48 28v13l12 7z" />
        </g>
        {sides.map(({ field, arrow }) => (
          <path key={field} className={`sides-${field}`} d={arrow} />
        ))}
      </svg>
      {sides.map(({ field, label }) => (
        <NumberField key={field} field={field} label={label} value={values[field]} error={messages[field]} decimal />
      ))}
    </fieldset>
  );
}
