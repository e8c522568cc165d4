import { formatCount } from '../lib/format.ts';
import type { Rate } from '../model/content.ts';
import type { FieldError } from '../model/field-error.ts';
import { doubtOf, measures, readAmount } from './amount.ts';
import { tierAt } from './price-list.ts';

export const densityFields = ['weight', 'volume'] as const;

type DensityField = (typeof densityFields)[number];

export type DensityPrice = {
  /** Kilograms in a cubic metre. They are rounded down, so that they never name the next row. */
  density: number;
  rate: Rate;
  tier: Rate['tiers'][number];
  /** In kopecks. The sum is at least the minimum charge. */
  product: number;
  sum: number;
};

export type DensityReading = {
  values: Readonly<Record<DensityField, string>>;
  errors: readonly FieldError[];
  answer: DensityPrice | undefined;
};

/** Grams and cubic centimetres: 100 tonnes and 1,000 cubic metres. */
const largest = { weight: 100_000_000, volume: 1_000_000_000 } as const;

/** Steel is as dense, so one of the amounts is wrong beyond it. */
const densest = 8_000;

/** @returns `undefined` if no price depends on the density */
export function readDensity(
  rows: readonly Rate[],
  query: Partial<Record<DensityField, string>>,
): DensityReading | undefined {
  const priced = rows.filter(({ density }) => density !== undefined);
  if (priced.length === 0) return undefined;
  const values = { weight: query.weight?.trim() ?? '', volume: query.volume?.trim() ?? '' };
  if (densityFields.every((field) => query[field] === undefined)) return { values, errors: [], answer: undefined };
  const weight = readAmount(values.weight, measures.gross) ?? 0;
  const volume = readAmount(values.volume, measures.volume) ?? 0;
  const missing = doubtOf(values.weight, measures.gross) ?? 'Укажите вес в\u00A0кг, например 520';
  const errors = [
    ...errorOf('weight', weight, missing, '100\u00A0т'),
    ...errorOf('volume', volume, 'Укажите объём в\u00A0м³, например 3,84', '1\u00A0000\u00A0м³'),
  ];
  if (errors.length > 0) return { values, errors, answer: undefined };
  const answer = priceOf(priced, weight, volume);
  if (typeof answer !== 'string') return { values, errors, answer };
  return { values, errors: [{ field: 'volume', message: answer }], answer: undefined };
}

function errorOf(field: keyof typeof largest, amount: number, missing: string, most: string): FieldError[] {
  if (amount <= 0) return [{ field, message: missing }];
  return amount > largest[field] ? [{ field, message: `Партию больше ${most} посчитает менеджер` }] : [];
}

/** @returns why there is no price, if there is none */
function priceOf(rows: readonly Rate[], weight: number, volume: number): DensityPrice | string {
  const density = Math.floor((weight * 1000) / volume);
  if (density < 1 || density > densest)
    return `Проверьте вес и\u00A0объём: выходит ${density < 1 ? 'меньше 1' : formatCount(density)}\u00A0кг/м³`;
  const [rate] = rows
    .filter((row) => (row.density?.from ?? 0) <= density)
    .sort((a, b) => (b.density?.from ?? 0) - (a.density?.from ?? 0));
  const [size, smallest] = rate?.density?.by === 'volume' ? [volume, 1_000_000] : [weight, 1000];
  const tier = rate && (tierAt(rate.tiers, size / smallest) ?? rate.tiers[0]);
  if (rate === undefined || tier === undefined)
    return `Плотность ${formatCount(density)}\u00A0кг/м³: такую партию посчитает менеджер`;
  const product = share(tier.price, size, smallest);
  return { density, rate, tier, product, sum: Math.max(product, rate.minimum ?? 0) };
}

/** `price × size / whole`, rounded half up; the product may exceed what a number holds exactly. */
function share(price: number, size: number, whole: number): number {
  return Number((2n * BigInt(price) * BigInt(size) + BigInt(whole)) / BigInt(2 * whole));
}
