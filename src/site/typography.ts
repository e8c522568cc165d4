import * as typografModule from 'typograf';

// The package declares its types as CommonJS but is loaded as an ES module, whose default export is the class.
const Typograf = typografModule.default as unknown as typeof typografModule.default.default;

const typograf = new Typograf({
  locale: ['ru', 'en-US'],
  htmlEntity: { type: 'default' },
  // Block by block, the same comes out in twice the time.
  processingSeparateParts: false,
});

typograf.enableRule('common/nbsp/afterNumber');
// These rules guess, and on sizes, ratios and phone numbers they guess wrong.
typograf.disableRule('common/number/fraction');
typograf.disableRule('ru/other/phone-number');
// Russian sets the sign apart from the number, «22 %»; `typeset` keeps the two
// on one line, as it does with groups of digits.
typograf.disableRule('common/space/delBeforePercent');

/**
 * Russian typography for plain text or HTML: «ёлочки», dashes, no-break spaces
 * before short words and units. Tags and the contents of `code` and `pre` stay
 * as they are. Applying it twice changes nothing more.
 */
export function typeset(text: string): string {
  return typograf.execute(text).replace(/(\d) (?=%|\d{3}(?!\d))/g, '$1\u00A0');
}
