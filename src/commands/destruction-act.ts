import type { Destruction } from '../leads/store/destruction.ts';
import { leadTitles } from '../leads/store/lead.ts';
import type { Sql } from '../leads/store/sql.ts';
import { formatDate, formatList, formatMoment } from '../lib/format.ts';
import type { Company } from '../model/content.ts';
import { ogrnTitle } from '../model/registration.ts';
import { printable } from './command.ts';

type Operator = Pick<Company, 'legalName' | 'inn' | 'ogrn' | 'address'>;

export function operatorLines({ legalName, inn, ogrn, address }: Operator): string {
  const { postalCode, locality, street } = address;
  return `Оператор: ${legalName}, ИНН ${inn}, ${ogrnTitle({ ogrn })} ${ogrn}\nАдрес оператора: ${postalCode}, ${locality}, ${street}\n`;
}

type ActOptions = {
  destructions: readonly Destruction[];
  /** Days such as `2026-11-20`, both included. */
  from: string;
  to: string;
  today: string;
  company: Operator & Pick<Company, 'workingHours'>;
  siteUrl: string;
  dialect: Sql['dialect'];
};

export const reasonWords: Readonly<Record<Destruction['reason'], string>> = {
  withdrawal: 'человек отозвал согласие или попросил удалить данные',
  age: 'закончился срок хранения',
  restored: 'данные, удалённые по просьбе человека, вернулись с резервной копией',
};

const ways: Readonly<Record<Sql['dialect'], string>> = {
  sqlite: 'записи удалены из базы данных SQLite, файл базы переписан без них',
  postgres: 'записи удалены из базы данных PostgreSQL, их место она использует заново',
};

/** The act of destruction and the log, with what order no. 179 of Roskomnadzor demands, in Russian. */
export function* destructionAct(options: ActOptions): Generator<string> {
  const { destructions, from, to, today, company, siteUrl, dialect } = options;
  const { timeZone } = company.workingHours;
  yield `АКТ
об уничтожении персональных данных

Составлен: ${formatDate(today)}
За дни: с ${formatDate(from)} по ${formatDate(to)} включительно
${operatorLines(company)}Информационная система: заявки сайта ${siteUrl}
Чьи данные: людей, которые отправили заявки на сайте. Вместо имён указаны номера заявок
Способ: ${ways[dialect]}
`;
  for (const group of Map.groupBy(destructions, ({ reason, by }) => `${reason} ${by}`).values()) {
    yield `\n${summaryOf(group, timeZone)}`;
  }
  yield `
Письма, сообщения в чатах, записи в CRM и резервные копии этот акт не охватывает.

Данные уничтожил ________________________________________________
                 (должность, фамилия, имя, отчество, подпись)

ВЫГРУЗКА ИЗ ЖУРНАЛА
заявок сайта ${siteUrl}

Время\tЗаявка\tОтпечаток телефона\tПричина\tКто\tПоля заявки
`;
  for (const { at, lead, phoneHash, reason, by, categories } of destructions) {
    const cells = [at, `№ ${lead}`, phoneHash, reasonWords[reason], whoOf(by), fieldTitles(categories)];
    yield `${cells.join('\t')}\n`;
  }
}

function summaryOf(group: readonly Destruction[], timeZone: string): string {
  const [first, last] = [group.at(0), group.at(-1)];
  if (first === undefined || last === undefined) return '';
  const days = new Set([first, last].map(({ at }) => formatMoment(at, timeZone)));
  const numbers = new Set(group.map(({ lead }) => lead));
  return `Причина: ${reasonWords[first.reason]}
Когда: ${[...days].join(' - ')}
Кто: ${whoOf(first.by)}
Заявки: № ${[...numbers].join(', ')}
Поля заявок: ${fieldTitles(group.flatMap(({ categories }) => categories))}
`;
}

function whoOf(by: string): string {
  return by === 'retention' ? 'программа сайта, по сроку хранения' : `пользователь сервера ${printable(by)}`;
}

export function fieldTitles(categories: readonly string[]): string {
  const titles: Readonly<Record<string, string>> = leadTitles;
  return formatList([...new Set(categories)].map((name) => (titles[name] ?? name).toLowerCase()));
}
