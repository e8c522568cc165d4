import { composed } from '../lib/tidy.ts';

/*
 * Some patterns, and Markdown, take quadratic time for hostile text. Within these limits that is a second. A text of
 * 256 KB is as long as a novel, and a line of 10,000 characters as four pages.
 */
const maxBytes = 256 * 1024;
const maxLineLength = 10_000;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** @returns text in NFC, without a byte order mark or CRLF, or an error in Russian */
export function fileText(bytes: Buffer): { text: string } | { line: number; message: string } {
  if (bytes.length > maxBytes) {
    return { line: 1, message: 'Файл больше 256 КБ. Разделите его или проверьте, тот ли это файл.' };
  }
  let text: string;
  try {
    text = composed(utf8.decode(bytes).replace(/\r\n?/g, '\n'));
  } catch {
    const readable = bytes.toString().split('\uFFFD', 1).join();
    const message = 'Здесь знаки не из UTF-8. Откройте файл в редакторе и сохраните в кодировке UTF-8.';
    return { line: lineAt(readable, readable.length), message };
  }
  const long = text.split('\n').findIndex((line) => line.length > maxLineLength);
  if (long !== -1) return { line: long + 1, message: 'В строке больше 10 000 знаков. Разделите её на несколько.' };
  const control = text.search(/[^\P{Cc}\n\t]/u);
  if (control === -1) return { text };
  const message = 'В строке есть невидимый служебный знак. Сотрите строку и наберите её заново.';
  return { line: lineAt(text, control), message };
}

/** Counts from 1. */
export function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}
