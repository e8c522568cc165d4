/** The tokens of maska: a digit, a letter, a letter or digit. Any other sign stands for itself. */
const tokens: Record<string, RegExp> = { '#': /\d/, '@': /\p{L}/u, '*': /[\p{L}\d]/u };

/** Signs that only make a number easier to read. */
const separator = /[^\p{L}\d+]/u;

/** Shows what is typed at the end of the field in the form of its `data-mask`. */
export function bind(field: HTMLInputElement): void {
  const pattern = field.dataset.mask as string;
  let typed = '';
  let shown = '';
  field.addEventListener('input', (event) => {
    const { inputType = '', isComposing } = event as InputEvent;
    const { value } = field;
    if (inputType.startsWith('delete') || isComposing || field.selectionEnd !== value.length) {
      // Taking away, and changes in the middle, are the visitor's own affair: nothing jumps.
      typed = shown = value;
    } else {
      // What was typed is kept, for a number that turns out to have another form gets it back.
      typed = value.startsWith(shown) ? typed + value.slice(shown.length) : value;
      shown = field.value = fill(pattern, typed);
    }
  });
}

/**
 * `typed` in the form of the pattern as far as it goes, with the words that follow,
 * or as it is if it has another form.
 */
export function fill(pattern: string, typed: string): string {
  // Russians begin a number with 8, 7 or the operator's 9 and mean +7.
  let rest = pattern.startsWith('+7') ? typed.trimStart().replace(/^(?:[78]|(?=9))/, '+7') : typed;
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
  // More digits than the pattern has places: it is another kind of number.
  return /^[^\p{L}\d]*\d/u.test(rest) ? typed : filled + rest;
}
