import { type Company, generalPreset, type SearchWords } from '../model/content.ts';
import { guillemets } from './problem.ts';
import type { Source } from './source.ts';

/**
 * Reports a number whose text has other digits than it calls, and warns of a number among the contacts that is neither
 * of the company's: it may be an old one.
 */
export function checkPhones({ value, report }: Source<Company>): void {
  const { phone, tollFree, social } = value;
  for (const name of ['phone', 'tollFree'] as const) {
    const { number, text } = value[name];
    if (dialled(text) === dialled(number)) continue;
    const message = `${guillemets(text)} и ${guillemets(number)} - разные номера. Поставьте в text и number один и тот же.`;
    report([name, 'text'], message);
  }
  const numbers = [phone, tollFree].map(({ number }) => dialled(number));
  for (const [index, { href }] of social.entries()) {
    if (!href.startsWith('tel:') || numbers.includes(dialled(href))) continue;
    const message = `${guillemets(href)} ведёт на номер, которого нет ни в phone, ни в tollFree. Проверьте, не прежний ли он.`;
    report(['social', index, 'href'], message, { warning: true });
  }
}

/** The digits of a number, however it is written: 8 is how Russia dials its own +7, and an extension follows it. */
function dialled(number: string): string {
  return number
    .replace(/доб.*$/i, '')
    .replace(/\D/g, '')
    .replace(/^8(?=\d{10}$)/, '7');
}

/** Reports every spelling that stands twice: it would join two groups of synonyms. */
export function checkSpellings({ value: { synonyms }, lineOf, report }: Source<SearchWords>): void {
  const groups = new Map<string, [number, number]>();
  synonyms.forEach((group, index) => {
    group.forEach((spelling, at) => {
      const name = spelling.toLowerCase().replaceAll('ё', 'е');
      const taken = groups.get(name);
      if (taken !== undefined) {
        const line = lineOf(['synonyms', ...taken]);
        report(['synonyms', index, at], `${guillemets(spelling)} уже есть на строке ${line}. Оставьте в одном месте.`);
      }
      groups.set(name, [index, at]);
    });
  });
}

export function checkPresets({ value, report }: Source<readonly { slug: string }[]>): void {
  if (value.some(({ slug }) => slug === generalPreset)) return;
  const why = 'её открывают ссылки, которые не называют другую';
  report([], `Здесь нет формы ${generalPreset}, а она нужна: ${why}. Верните её (slug: ${generalPreset}).`);
}
