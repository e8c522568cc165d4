/** From «1 140 шт.», «4,6 дня», «3 мин 40 с» or «4 из 31»; times in seconds. */
export type Amount = { value: number; unit: string };

const seconds: Readonly<Record<string, number>> = { ч: 3600, мин: 60, с: 1 };

/** @returns `undefined` without a number, as in «не проверяли» */
export function amountOf(text: string): Amount | undefined {
  const parts = text
    .replace(/(?<=\d)\s(?=\d{3}(?!\d))/g, '')
    .replace(/(?<=\d),(?=\d)/g, '.')
    .split(/\s+/);
  const value = Number(parts[0]);
  const [, unit = '', third, fourth = ''] = parts;
  if (parts[0] === '' || Number.isNaN(value)) return undefined;
  if (unit === 'из') return { value: value / Number(third), unit };
  const [major, minor] = [seconds[unit], seconds[fourth]];
  if (major === undefined) return { value, unit };
  return { value: value * major + (minor === undefined ? 0 : Number(third) * minor), unit: 'с' };
}

/** By the first letter of the unit: «дня» matches «дней». */
export function areComparable(one: Amount | undefined, other: Amount | undefined): boolean {
  return one !== undefined && other !== undefined && one.unit[0] === other.unit[0];
}
