import { findPhoneNumbersInText, type PhoneNumber, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { plainPhone, withCountryCode } from './typed-phone.ts';

/** E.164. */
export const phonePattern = /^\+[1-9]\d{6,14}$/;

/** The North American Numbering Plan reserves 555-0100 to 555-0199 for fiction, in every area code. One code suffices here. */
const reservedPattern = /^\+120255501\d\d$/;

/** Whether a valid number reaches no person. */
export function isReservedPhone(phone: string): boolean {
  return reservedPattern.test(phone);
}

/**
 * Takes the first of several numbers, without an extension.
 *
 * @returns E.164
 */
export function readPhone(typed: string): string | undefined {
  const text = withCountryCode(plainPhone(typed))
    // No country code is 8; here it is the Russian trunk prefix.
    .replace(/^ ?\+ ?8(?=[ (.-])/, '8')
    .replace(/^ ?00(?=[1-9])/, '+');
  return callable(parsePhoneNumberFromString(text, 'RU')) ?? firstIn(text) ?? callable(addPlus(text));
}

function firstIn(text: string): string | undefined {
  for (const { number } of findPhoneNumbersInText(text, 'RU')) {
    const found = callable(number);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Adds a missing plus, as in «375 29 123-45-67», and fixes «+89161234567», a Russian number. */
function addPlus(text: string): PhoneNumber | undefined {
  const digits = text.replace(/\D/g, '');
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
  return phonePattern.test(number.number) ? number.number : undefined;
}

const russianPattern = /^\+7(\d{3})(\d{3})(\d{2})(\d{2})$/;

/** `+7 916 123-45-67`, or the international format for other countries. */
export function formatPhone(phone: string): string {
  const [, code, ...rest] = russianPattern.exec(phone) ?? [];
  if (code !== undefined) return `+7 ${code} ${rest.join('-')}`;
  return parsePhoneNumberFromString(phone)?.formatInternational() ?? phone;
}

/** `+7 916 …-45-67`, with no-break spaces: enough to see a slip, and no number to call. */
export function maskPhone(phone: string): string {
  const [, code, , middle, last] = russianPattern.exec(phone) ?? [];
  return code === undefined ? `${phone.slice(0, 3)}…${phone.slice(-4)}` : `+7\u00A0${code}\u00A0…-${middle}-${last}`;
}
