/* Both the server and the mask of the form read phones by these, so that visitors see what is stored. */

/** ASCII digits, plus and hyphen, single spaces, and nothing invisible. */
export function plainPhone(typed: string): string {
  return typed
    .replace(/[\s\p{Z}\p{Default_Ignorable_Code_Point}]+/gu, (blank) => (/[\s\p{Z}]/u.test(blank) ? ' ' : ''))
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .replace(/[\uff0b\ufe62]/g, '+')
    .replace(/\p{Nd}/gu, (digit) => String(valueOfDigit(digit)));
}

/** Unicode has the digits of each script in a row, zero first. */
function valueOfDigit(digit: string): number {
  const code = digit.codePointAt(0) as number;
  let zero = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return (code - zero) % 10;
}

/**
 * `8 916 …`, `7 916 …` and `916 …` -> `+7 916 …`; other text is unchanged. Some area codes begin with 7 or 8. So these
 * are a prefix only before the 9 of a mobile phone, or before ten digits.
 *
 * @param plain from `plainPhone`; may end anywhere
 */
export function withCountryCode(plain: string): string {
  const [number = ''] = /^[^\p{L}+]*/u.exec(plain) ?? [];
  const digits = number.replace(/\D/g, '');
  if (/^[78](?:9\d{0,9}|[3-8]\d{9})$/.test(digits)) return plain.replace(/[78]/, '+7');
  return /^9\d{0,9}$/.test(digits) ? plain.replace('9', '+79') : plain;
}
