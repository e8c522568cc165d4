import { plainPhone, withCountryCode } from '../lib/typed-phone.ts';

/** As in maska; other characters are literal. */
const tokens: Record<string, RegExp> = { '#': /\d/, '@': /\p{L}/u, '*': /[\p{L}\d]/u };

/** Characters that only format a number. */
const separator = /[^\p{L}\d+]/u;

export function bind(field: HTMLInputElement): void {
  const pattern = field.dataset.mask as string;
  let typed = '';
  let shown = '';
  field.addEventListener('input', (event) => {
    const { inputType = '', isComposing } = event as InputEvent;
    const { value } = field;
    if (inputType.startsWith('delete') || isComposing || field.selectionEnd !== value.length) {
      // Unchanged, so that the caret does not jump.
      typed = shown = value;
    } else {
      // Restores the input if it turns out not to match.
      typed = value.startsWith(shown) ? typed + value.slice(shown.length) : value;
      shown = field.value = fill(pattern, typed);
    }
  });
}

/** Returns the input if it does not match. */
export function fill(pattern: string, typed: string): string {
  let rest = pattern.startsWith('+7') ? withCountryCode(plainPhone(typed)) : typed;
  let filled = '';
  for (const place of pattern) {
    const from = [...rest].findIndex((sign) => !separator.test(sign));
    if (from < 0) return filled;
    const sign = [...rest][from] as string;
    const token = tokens[place];
    if (token?.test(sign) || place === sign) {
      filled += sign;
      rest = [...rest].slice(from + 1).join('');
    } else if (!token && separator.test(place)) filled += place;
    else return typed;
  }
  // More digits than the pattern: another kind of number.
  return /^[^\p{L}\d]*\d/u.test(rest) ? typed : filled + rest;
}
