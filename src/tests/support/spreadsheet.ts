import Papa from 'papaparse';

/** Excel replaces what Windows-1251 lacks by what looks alike, or by a question mark. */
export function inWindows(text: string): Buffer {
  const letters = new TextDecoder('windows-1251').decode(Uint8Array.from({ length: 256 }, (_, byte) => byte));
  const alike = text.replaceAll('×', 'x').replaceAll('³', '3');
  return Buffer.from([...alike].map((letter) => (letters.includes(letter) ? letters.indexOf(letter) : 63)));
}

export const encodings = {
  'UTF-8': (text: string) => Buffer.from(text),
  'UTF-8 with a byte order mark': (text: string) => Buffer.from(`\ufeff${text}`),
  'UTF-16': (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  'UTF-16, the other way round': (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
  'Windows-1251': inWindows,
} as const;

export type Saving = {
  encoding: keyof typeof encodings;
  delimiter: string;
  newline?: string;
  /** With a first line that names the separator. */
  named?: boolean;
  /** Numbers with groups of digits and ₽, days as `1.01.2027`. */
  formatted?: boolean;
};

/** A table as a spreadsheet saves it, with an empty column and an empty row at its end. */
export function saved(table: readonly (readonly string[])[], saving: Saving): Buffer {
  const { encoding, delimiter, newline = '\r\n', named = false, formatted = false } = saving;
  const written = table.map((cells) => [...cells.map((cell) => (formatted ? formattedCell(cell) : cell)), '']);
  const text = Papa.unparse([...written, written[0]?.map(() => '') ?? []], { delimiter, newline });
  return encodings[encoding](`${named ? `sep=${delimiter}${newline}` : ''}${text}${newline}`);
}

function formattedCell(cell: string): string {
  return cell
    .replace(/^(\d+)(\d{3})(,\d\d)?$/, '$1\u00A0$2$3')
    .replace(/^([\d\u00A0]+,\d\d)$/, '$1 ₽')
    .replace(/^(\d{4})-(\d\d)-0?(\d+)$/, '$3.$2.$1');
}
