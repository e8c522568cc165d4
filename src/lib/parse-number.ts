/** A whole number from 1 to 999,999,999, in digits alone; `undefined` for other text. */
export function parseNumber(text: string): number | undefined {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}
