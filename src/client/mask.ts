/** The tokens of maska: a digit, a letter, a letter or digit. Any other sign stands for itself. */
const tokens: Record<string, RegExp> = { '#': /\d/, '@': /\p{L}/u, '*': /[\p{L}\d]/u };

/** Signs that only make a number easier to read. */
const separator = /[^\p{L}\d+]/u;

/** Shows what is typed at the end of the field in the form of its `data-mask`. */
export function bind(field: HTMLInputElement): void {
  const pattern = field.dataset.mask as string;
  field.addEventListener('input', (event) => {
    const { inputType = '' } = event as InputEvent;
    // Taking away, and changes in the middle, are the visitor's own affair: nothing jumps.
    if (inputType.startsWith('delete') || field.selectionEnd !== field.value.length) return;
    field.value = fill(pattern, field.value);
  });
}

/** `typed` in the form of the pattern as far as it goes, or as it is if it has another form. */
export function fill(pattern: string, typed: string): string {
  // Russians begin a number with 8, 7 or the operator's 9 and mean +7.
  const meant = pattern.startsWith('+7') ? typed.trim().replace(/^(?:[78]|(?=9))/, '+7') : typed;
  const signs = [...meant].filter((sign) => !separator.test(sign));
  let filled = '';
  for (const place of pattern) {
    const [sign] = signs;
    if (sign === undefined) break;
    const token = tokens[place];
    if (token?.test(sign) || place === sign) {
      filled += sign;
      signs.shift();
    } else if (!token && separator.test(place)) filled += place;
    else return typed;
  }
  return signs.length > 0 ? typed : filled;
}
