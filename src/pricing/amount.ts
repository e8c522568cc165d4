/** A unit of measure, as people and packing lists write it after a number, in small letters and without full stops. */
type Unit = {
  spelling: RegExp;
  /** How many make an integer of the smallest unit: 3 for kilograms, because amounts are in grams. */
  decimals: number;
  /** Whether there may be thousands of it, so that `1,000` may be a thousand or one. */
  thousands?: true;
};

/** The first unit is that of the field. */
export type Measure = readonly [field: Unit, ...others: Unit[]];

const pieces = /^(?:шт|штук[аи]?|ед|единиц[аы]?|pcs?|pieces?)$/;
const kilograms = /^(?:кг|kgs?|килограмм(?:а|ов)?|公斤)$/;

/** Amounts are integers: millimetres, grams, cubic centimetres, and numbers of things. */
export const measures = {
  units: [{ spelling: pieces, decimals: 0, thousands: true }],
  weight: [
    { spelling: kilograms, decimals: 3 },
    { spelling: /^(?:гр?|gr?|грамм(?:а|ов)?)$/, decimals: 0, thousands: true },
  ],
  gross: [
    { spelling: kilograms, decimals: 3, thousands: true },
    { spelling: /^(?:тн?|тонн[аы]?|m?t|ton(?:ne)?s?|吨)$/, decimals: 6 },
  ],
  volume: [{ spelling: /^(?:[мm]3|cbm|куб(?:а|ов|м|ометр(?:а|ов)?)?|立方米?)$/, decimals: 6 }],
  side: [
    { spelling: /^(?:см|cms?|сантиметр(?:а|ов)?)$/, decimals: 1, thousands: true },
    { spelling: /^(?:мм|mm|миллиметр(?:а|ов)?)$/, decimals: 0, thousands: true },
    { spelling: /^(?:м|m|метр(?:а|ов)?)$/, decimals: 3 },
  ],
  days: [{ spelling: /^(?:сут(?:ки|ок)?|дн(?:я|ей)?|день)$/, decimals: 0, thousands: true }],
  box: [{ spelling: /^(?:шт|мест[ао]?|кор|короб(?:а|ов|к[аи]|ок)?|ctns?|cartons?)$/, decimals: 0, thousands: true }],
  pallet: [{ spelling: /^(?:шт|мест[ао]?|пал|палл?ет[аы]?|plts?|pallets?)$/, decimals: 0, thousands: true }],
  km: [{ spelling: /^(?:км|km|километр(?:а|ов)?)$/, decimals: 0, thousands: true }],
} as const satisfies Record<string, Measure>;

const maxLength = 60;

/**
 * Reads `1 500`, `1,234.50`, `0,5 кг` or `500 г`, as an integer of the smallest unit.
 *
 * @returns `undefined` if it is no such number, or one that can be read in two ways
 */
export function readAmount(written: string, measure: Measure): number | undefined {
  const { number, unit } = parse(written, measure);
  if (number === undefined || unit === undefined || isDoubtful(number, unit)) return undefined;
  const part = number.fraction.replace(/0+$/, '');
  const amount = Number(number.whole + part.padEnd(unit.decimals, '0'));
  return part.length <= unit.decimals && Number.isSafeInteger(amount) ? amount : undefined;
}

/** `Число 1,000: это 1000 или 1? Напишите одно из двух`, for what can be read in two ways. */
export function doubtOf(written: string, measure: Measure): string | undefined {
  const { number, unit } = parse(written, measure);
  if (number === undefined || unit === undefined || !isDoubtful(number, unit)) return undefined;
  const { whole, fraction } = number;
  return `Число ${number.text}: это ${whole}${fraction} или ${withFraction(whole, fraction)}? Напишите одно из двух`;
}

type NumberParts = { text: string; whole: string; fraction: string; isGrouped: boolean };

function isDoubtful({ whole, fraction, isGrouped }: NumberParts, { thousands }: Unit): boolean {
  return Boolean(thousands) && !isGrouped && fraction.length === 3 && /^[1-9]\d{0,2}$/.test(whole);
}

function parse(written: string, measure: Measure): { number?: NumberParts; unit?: Unit } {
  if (written.length > maxLength) return {};
  const plain = written
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/[’ʼ´`′]/g, "'")
    .normalize('NFKC');
  const [, text = '', after = ''] = /^([\d., ']*\d)(.*)$/.exec(plain) ?? [];
  const name = after.toLowerCase().replace(/[. ^]/g, '');
  const unit = name === '' ? measure[0] : measure.find(({ spelling }) => spelling.test(name));
  return { number: partsOf(text), unit };
}

const groups = /^\d{1,3}([ '.,])\d{3}(?:\1\d{3})*$/;

/** The sign before a fraction is a comma or a point that occurs once, and not between the groups before it. */
function partsOf(text: string): NumberParts | undefined {
  const [, start = '', sign, fraction = ''] = /^(.*?)(?:([.,])(\d+))?$/.exec(text) ?? [];
  const group = groups.exec(start)?.[1];
  const isGrouped = group !== undefined && group !== sign;
  if (text !== '' && (isGrouped || /^\d*$/.test(start))) {
    return { text, whole: start.replace(/\D/g, ''), fraction, isGrouped };
  }
  if (group === undefined || !groups.test(text)) return undefined;
  return { text, whole: text.replace(/\D/g, ''), fraction: '', isGrouped: true };
}

/** `0,5` for 500 grams, in the unit of the field. */
export function writtenIn([{ decimals }]: Measure, amount: number): string {
  const digits = String(amount).padStart(decimals + 1, '0');
  return withFraction(digits.slice(0, digits.length - decimals), digits.slice(digits.length - decimals));
}

function withFraction(whole: string, fraction: string): string {
  const part = fraction.replace(/0+$/, '');
  return part === '' ? whole : `${whole},${part}`;
}
