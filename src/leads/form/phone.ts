import { findPhoneNumbersInText, type PhoneNumber, parsePhoneNumberFromString } from 'libphonenumber-js/min';

/**
 * The phone number in what a visitor typed: any Russian spelling, any international one, with words,
 * dashes and brackets around it. Of several numbers the first, and without an extension.
 *
 * @returns E.164, or `undefined` if there is no number that could be called
 */
export function readPhone(typed: string): string | undefined {
  const text = typed
    .replace(/[\s\p{Z}\p{Default_Ignorable_Code_Point}]+/gu, ' ')
    .replace(/[\p{Pd}\u2212]/gu, '-')
    // «+8 916…»: the 8 is the Russian trunk prefix. No country code is 8, but many begin with it.
    .replace(/^ ?\+ ?8(?=[ (.-])/, '8')
    .replace(/^ ?00(?=[1-9])/, '+');
  return callable(parsePhoneNumberFromString(text, 'RU')) ?? firstIn(text) ?? callable(mendPlus(text));
}

function firstIn(text: string): string | undefined {
  for (const { number } of findPhoneNumbersInText(text, 'RU')) {
    const found = callable(number);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** «375 29 123-45-67» is abroad, and «+89161234567» is not; eleven digits from 8 are a Russian number mistyped. */
function mendPlus(text: string): PhoneNumber | undefined {
  const digits = text.replace(/\P{Nd}/gu, '');
  const russian = /^8\d{10}$/.test(digits);
  if (text.includes('+')) return russian ? parsePhoneNumberFromString(digits, 'RU') : undefined;
  return russian ? undefined : parsePhoneNumberFromString(`+${digits}`);
}

function callable(number: PhoneNumber | undefined): string | undefined {
  if (number === undefined || !number.isValid()) return undefined;
  // The library's small metadata lets more through than the plan of +7 has: 14 digits, and area codes that begin
  // with 89, which is what «8 916 123-45-6» with its lost digit looks like. Such a number would ring nowhere.
  if (number.countryCallingCode === '7' && !/^(?!89)\d{10}$/.test(number.nationalNumber)) return undefined;
  // Some plans have subscribers of a few digits, who cannot be reached from abroad.
  return /^\+[1-9]\d{6,14}$/.test(number.number) ? number.number : undefined;
}
