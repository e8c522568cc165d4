import { companyFile } from './content-files.ts';
import { lineAt } from './file-text.ts';
import { guillemets, type Problem } from './problem.ts';
import type { CheckInput } from './rule.ts';
import { problemAt } from './source.ts';

export function* checkPhones({ sources: { company } }: CheckInput): Iterable<Problem> {
  for (const source of company) {
    const { phone, tollFree } = source.value;
    for (const [name, { number, text }] of Object.entries({ phone, tollFree })) {
      if (dialled(text) === dialled(number)) continue;
      const message = `${guillemets(text)} и ${guillemets(number)} - разные номера. Поставьте в text и number один и тот же.`;
      yield problemAt(source, [name, 'text'], message);
    }
  }
}

/** Russians dial +7 as 8; extensions are ignored. */
function dialled(number: string): string {
  return number
    .replace(/доб.*$/i, '')
    .replace(/\D/g, '')
    .replace(/^8(?=\d{10}$)/, '7');
}

/** Details of the shipped sample company; a test compares them with its `company.yaml`. */
export const invented =
  /(?:ООО\s+)?[«„“"]Короб(?:а|у|ом|е)?[»“”"]|(?<=^name:[ \t]*)Короб\s*$|(?:\+?[78])?[\s(-]*(?:495|800)[\s)-]*000-?00-?00|(?<!\d)0{9,15}(?!\d)|[\w.-]*@?\bexample\.ru\b|\.\w+\/example\b|1-й\s+Варшавский|55\.6492|37\.6262/gmu;

export function* checkInvented({ sources }: Pick<CheckInput, 'sources'>): Iterable<Problem> {
  if (sources.company[0]?.value.demo !== false) return;
  for (const source of Object.values(sources).flat()) {
    const instead = source.file === companyFile ? '' : ' или подставьте из company.yaml, как {{ company.name }}';
    for (const { 0: found, index } of source.text.matchAll(invented)) {
      const message = `${guillemets(found)} есть только у компании из образца. Впишите своё${instead}.`;
      yield problemAt(source, lineAt(source.text, index), message, { warning: true });
    }
  }
}
