import { findPhoneNumbersInText, type PhoneNumber, parsePhoneNumberFromString } from 'libphonenumber-js/min';

/**
 * Takes the first of several numbers, without an extension.
 *
 * @returns E.164
 */
export function readPhone(typed: string): string | undefined {
  const text = typed
    .replace(/[\s\p{Z}\p{Default_Ignorable_Code_Point}]+/gu, ' ')
    .replace(/[\p{Pd}\u2212]/gu, '-')
    // No country code is 8; here it is the Russian trunk prefix.
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

/** Adds a missing plus, as in «375 29 123-45-67», and fixes «+89161234567», a Russian number. */
function mendPlus(text: string): PhoneNumber | undefined {
  const digits = text.replace(/\P{Nd}/gu, '');
  const russian = /^8\d{10}$/.test(digits);
  if (text.includes('+')) return russian ? parsePhoneNumberFromString(digits, 'RU') : undefined;
  return russian ? undefined : parsePhoneNumberFromString(`+${digits}`);
}

function callable(number: PhoneNumber | undefined): string | undefined {
  if (number === undefined || !number.isValid()) return undefined;
  // The library's small metadata accepts 14 digits for +7, and area codes that start with 89, which is «8 916 123-45-6»
  // with a digit missing.
  if (number.countryCallingCode === '7' && !/^(?!89)\d{10}$/.test(number.nationalNumber)) return undefined;
  // Some countries have short numbers that cannot be called from abroad.
  return /^\+[1-9]\d{6,14}$/.test(number.number) ? number.number : undefined;
}
