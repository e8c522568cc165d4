import { NumberField } from '../../components/forms/form-field.tsx';
import { InlineSvg } from '../../components/picture.tsx';
import type { OrderField, OrderValues } from '../../pricing/order-fields.ts';
import carton from './goods-sides.svg';
import './goods-sides.css';

/** In the order in which people measure. */
const sides = [
  { field: 'length', label: 'Длина' },
  { field: 'width', label: 'Ширина' },
  { field: 'height', label: 'Высота' },
] as const;

type GoodsSidesProps = { values: OrderValues; messages: Partial<Record<OrderField, string>> };

export function GoodsSides({ values, messages }: GoodsSidesProps) {
  return (
    <fieldset className="sides">
      <legend>Размер единицы в упаковке, см</legend>
      <InlineSvg className="carton" svg={carton} />
      {sides.map(({ field, label }) => (
        <NumberField key={field} field={field} label={label} value={values[field]} error={messages[field]} decimal />
      ))}
    </fieldset>
  );
}
