/** A unit of measure, as people write it after a number. */
type Unit = {
  spelling: RegExp;
  /** How many make an integer of the smallest unit: 3 for kilograms, because amounts are in grams. */
  decimals: number;
};

/** The units of a field, its own first. */
export type Measure = readonly [own: Unit, ...others: Unit[]];

const pieces = /^(?:шт|штук[аи]?|ед|единиц[аы]?)$/;

/** Millimetres, grams, tens of grams of a consignment, cubic centimetres, and numbers of things. */
export const measures = {
  units: [{ spelling: pieces, decimals: 0 }],
  weight: [
    { spelling: /^(?:кг|kg|килограмм(?:а|ов)?)$/, decimals: 3 },
    { spelling: /^(?:гр?|g|грамм(?:а|ов)?)$/, decimals: 0 },
  ],
  /** Of a consignment: packing lists group thousands by commas. */
  gross: [
    { spelling: /^(?:кг|kg|килограмм(?:а|ов)?)$/, decimals: 2 },
    { spelling: /^(?:т|тонн[аы]?)$/, decimals: 5 },
  ],
  volume: [{ spelling: /^(?:[мm][3³]|cbm|куб(?:а|ов)?)$/, decimals: 6 }],
  side: [
    { spelling: /^(?:см|cm|сантиметр(?:а|ов)?)$/, decimals: 1 },
    { spelling: /^(?:мм|mm|миллиметр(?:а|ов)?)$/, decimals: 0 },
    { spelling: /^(?:м|m|метр(?:а|ов)?)$/, decimals: 3 },
  ],
  days: [{ spelling: /^(?:сут(?:ки|ок)?|дн(?:я|ей)?|день)$/, decimals: 0 }],
  box: [{ spelling: /^(?:шт|мест[ао]?|кор|короб(?:а|ов|к[аи]|ок)?)$/, decimals: 0 }],
  pallet: [{ spelling: /^(?:шт|мест[ао]?|пал|палл?ет[аы]?)$/, decimals: 0 }],
  km: [{ spelling: /^(?:км|km|километр(?:а|ов)?)$/, decimals: 0 }],
} as const satisfies Record<string, Measure>;

const form =
  /^(\d+|\d{1,3}(?:[ \u00a0\u2007\u2009\u202f]\d{3})+)?(?:[.,](\d+))?[ \u00a0\u2007\u2009\u202f]*(?:(\p{L}+[3³]?)\.?)?$/u;

/**
 * Reads `1 500`, `0,5 кг` or `500 г`, as an integer of the smallest unit.
 *
 * @returns `undefined` if it is no such number, or if its fraction may be a group of three digits
 */
export function readAmount(written: string, measure: Measure): number | undefined {
  const [found, whole = '', fraction = '', unit] = form.exec(written) ?? [];
  const own = unit === undefined ? measure[0] : measure.find(({ spelling }) => spelling.test(unit.toLowerCase()));
  if (found === undefined || whole + fraction === '' || own === undefined) return undefined;
  const { decimals } = own;
  if (fraction.length === 3 && decimals < 3) return undefined;
  const part = fraction.replace(/0+$/, '');
  const amount = Number(whole.replaceAll(/\D/g, '') + part.padEnd(decimals, '0'));
  return part.length <= decimals && Number.isSafeInteger(amount) ? amount : undefined;
}

/** `0,5` for 500 grams: in the field's own unit, without its name. */
export function writtenIn([{ decimals }]: Measure, amount: number): string {
  const digits = String(amount).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const part = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return part === '' ? whole : `${whole},${part}`;
}
