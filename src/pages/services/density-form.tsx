import { SubmitButton } from '../../components/action.tsx';
import { ErrorSummary, findError } from '../../components/forms/error-summary.tsx';
import { NumberField } from '../../components/forms/form-field.tsx';
import { formatCount, formatPrice } from '../../lib/format.ts';
import { type DensityPrice, type DensityReading, densityFields } from '../../pricing/density.ts';
import './density-form.css';

const labels = { weight: 'Вес брутто, кг', volume: 'Объём, м³' } as const;

/** A GET form of the page that has the prices, so every answer has an address. */
export function DensityForm({ path, reading }: { path: string; reading: DensityReading }) {
  const { values, errors, answer } = reading;
  return (
    <form className="density" id="density" action={`${path}#density`} noValidate aria-label="Плотность партии">
      <ErrorSummary errors={errors} fields={densityFields} />
      <p>Сколько за вашу партию? Оба числа есть в упаковочном листе: G.W. и CBM.</p>
      {densityFields.map((field) => (
        <NumberField
          key={field}
          field={field}
          label={labels[field]}
          value={values[field]}
          error={findError(errors, field)}
          decimal
        />
      ))}
      <SubmitButton text="Найти цену" quiet={answer !== undefined} />
      {answer && <Answer answer={answer} />}
    </form>
  );
}

function Answer({ answer: { density, rate, tier, product, sum } }: { answer: DensityPrice }) {
  return (
    <p>
      <b>
        {formatCount(density)}&nbsp;кг/м³, вся партия {formatPrice(sum)}
      </b>
      <br />
      {rate.text}: {formatPrice(tier.price)}&nbsp;за&nbsp;{rate.unit}
      {sum > product && `, по нему вышло бы ${formatPrice(product)}, но минимум ${formatPrice(sum)}`}
    </p>
  );
}
