import { hashOf } from '../../lib/hash.ts';

/** What these say fits most companies. */
const common = /^legal\/|^(?:presets|navigation|search|redirects|categories|calculator)\.yaml$/;
/** Shorter lines are alike by chance. */
const sentence = /(?:\p{Script=Cyrillic}\P{Script=Cyrillic}*){20}/u;

/** Short, because there are thousands; a line of another company has one of them once in six thousand lines. */
const hashLength = 6;

export function sampleHash(told: string | Buffer): string {
  return hashOf(told).slice(0, hashLength);
}

/** Lines by which the contents of companies differ: sentences, and prices of any day. */
export function tellingLines(file: string, text: string): { line: number; hash: string }[] {
  if (common.test(file)) return [];
  const isTable = file.endsWith('.csv');
  return text.split('\n').flatMap((written, index) => {
    const plain = isTable ? written.replace(/\d{4}-\d\d-\d\d/, '') : written.replace(/^[\s\-#>]+/, '').trimEnd();
    return sentence.test(plain) || (isTable && plain !== '') ? { line: index + 1, hash: sampleHash(plain) } : [];
  });
}

/** `[1, 2, 3, 7]` -> `1–3, 7` */
export function rangesOf(lines: readonly number[]): string {
  const firsts = lines.filter((line) => !lines.includes(line - 1));
  const lasts = lines.filter((line) => !lines.includes(line + 1));
  return firsts.map((first, index) => (first === lasts[index] ? first : `${first}–${lasts[index]}`)).join(', ');
}
