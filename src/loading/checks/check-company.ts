import { isSample } from '../../model/content.ts';
import { companyFile } from '../content-files.ts';
import { lineAt } from '../file-text.ts';
import { guillemets, type Problem } from '../problem.ts';
import { problemAt } from '../source.ts';
import type { CheckInput } from './rule.ts';

export function* checkPhones({ sources: { company } }: CheckInput): Iterable<Problem> {
  for (const source of company) {
    const { phone, tollFree } = source.value;
    for (const [name, written] of Object.entries({ phone, tollFree })) {
      if (written === undefined) continue;
      const { number, text } = written;
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

/** Sums of digits by their weights, as the tax service publishes them. */
const innWeights = [3, 7, 2, 4, 10, 3, 5, 9, 4, 6, 8];

/** A wrong digit is not valid, and a typo seldom keeps the check digit. */
export function* checkRegistration({ sources: { company } }: Pick<CheckInput, 'sources'>): Iterable<Problem> {
  for (const source of company) {
    const { inn, ogrn } = source.value;
    for (const [name, fits] of [
      ['inn', isInn(inn)],
      ['ogrn', isOgrn(ogrn)],
    ] as const) {
      if (fits) continue;
      const message = 'Последняя цифра не сходится с остальными: в номере опечатка. Сверьте его со свидетельством.';
      yield problemAt(source, [name], message, { warning: true });
    }
  }
}

function isInn(inn: string): boolean {
  const digits = [...inn].map(Number);
  const ends = (length: number) => {
    const weights = innWeights.slice(-(length - 1));
    const sum = weights.reduce((total, weight, index) => total + weight * (digits[index] ?? 0), 0);
    return (sum % 11) % 10 === digits[length - 1];
  };
  return digits.length === 10 ? ends(10) : ends(11) && ends(12);
}

function isOgrn(ogrn: string): boolean {
  const before = BigInt(ogrn.slice(0, -1));
  return (before % BigInt(ogrn.length - 2)) % 10n === BigInt(ogrn.slice(-1));
}

/** All of Russia is north of this. */
const minLatitude = 41;
const russianZone =
  /^(?:Europe\/(?:Moscow|Kaliningrad|Samara|Saratov|Ulyanovsk|Volgograd|Kirov|Astrakhan)|Asia\/(?:Yekaterinburg|Omsk|Novosibirsk|Barnaul|Tomsk|Novokuznetsk|Krasnoyarsk|Irkutsk|Chita|Yakutsk|Khandyga|Vladivostok|Ust-Nera|Magadan|Sakhalin|Srednekolymsk|Kamchatka|Anadyr))$/;

/** Finds swapped coordinates by a latitude south of Russia. In the Urals, swapped ones are a place in Russia too. */
export function* checkPlace({ sources: { company } }: Pick<CheckInput, 'sources'>): Iterable<Problem> {
  for (const source of company) {
    const { address, workingHours } = source.value;
    const { latitude, longitude } = address;
    const swapped = russianZone.test(workingHours.timeZone) && latitude < minLatitude && longitude >= minLatitude;
    if (!swapped || longitude > 82) continue;
    const message = `Широта ${latitude} и долгота ${longitude} не в России: похоже, они переставлены. Поменяйте их местами.`;
    yield problemAt(source, ['address', 'latitude'], message, { warning: true });
  }
}

/** Details of the shipped sample company; a test compares them with its `company.yaml`. */
export const invented =
  /(?:ООО\s+)?[«„“"]Короб(?:а|у|ом|е)?[»“”"]|(?<=^name:[ \t]*)Короб\s*$|(?:\+?[78])?[\s(-]{0,3}(?:495|800)[\s)-]{0,3}000-?00-?00|(?<!\d)0{9,15}(?!\d)|(?<![\w.-])[\w.-]*@?\bexample\.ru\b|\.\w+\/example\b|1-й\s+Варшавский|55\.6492|37\.6262/gmu;

export function* checkInvented({ sources }: Pick<CheckInput, 'sources'>): Iterable<Problem> {
  const [company] = sources.company;
  if (!company || isSample(company.value.sample, companyFile)) return;
  for (const source of Object.values(sources).flat()) {
    if (isSample(company.value.sample, source.file)) continue;
    const instead = source.file === companyFile ? '' : ' или подставьте из company.yaml, как {{ company.name }}';
    for (const { 0: found, index } of source.text.matchAll(invented)) {
      const message = `${guillemets(found)} есть только у компании из образца. Впишите своё${instead}.`;
      yield problemAt(source, lineAt(source.text, index), message, { warning: true });
    }
  }
}
