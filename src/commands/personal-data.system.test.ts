import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { loadConfig } from '../config.ts';
import { consentOf } from '../leads/store/leads.ts';
import { expire, expiry, keepConsentText } from '../leads/store/retention.ts';
import { dayMs } from '../lib/durations.ts';
import { formatDate } from '../lib/format.ts';
import type { Company } from '../model/content.ts';
import { startOfDay } from '../model/working-hours.ts';
import { atMoment } from '../tests/support/at-moment.ts';
import { keep, korob, withStore } from '../tests/support/commands.ts';
import { act, bill, newLead } from '../tests/support/sample-leads.ts';
import { temporaryFolder } from '../tests/support/temporary-folder.ts';
import { currentContent } from './content-commands.ts';

const { phone } = newLead();
const consent = { body: { lines: ['Согласие.', 'Я согласен на обработку.'] } };
const consentHash = consentOf(consent).hash;
const siteUrl = 'https://korob.example';

let folder: string;
let company: Company;
/** A moment of a day in the company's time zone, in milliseconds. */
const momentOn = (day: string, afterMs = 0) => startOfDay(day, company.workingHours.timeZone).getTime() + afterMs;

beforeAll(async () => {
  ({ company } = await currentContent(loadConfig({ DATA_DIR: temporaryFolder() })));
});

beforeEach(() => {
  folder = temporaryFolder();
});

const leads = (...args: string[]) => korob(folder, ['leads', ...args], { SITE_URL: siteUrl });
const keepAt = (at: number, ...given: Parameters<typeof keep>[1][number][]) => atMoment(at, () => keep(folder, given));
const eraseAt = (at: number, number: string) => atMoment(at, () => leads('erase', number, '--yes'));

function expectAll(text: string, said: readonly (string | RegExp)[]): void {
  for (const words of said) {
    expect(text).toEqual(typeof words === 'string' ? expect.stringContaining(words) : expect.stringMatching(words));
  }
}

describe('leads find', () => {
  const received = Date.parse('2026-11-20T10:05:00.000Z');
  const findAt = (at: number, ...flags: string[]) => atMoment(at, () => leads('find', '8 (916) 123-45-67', ...flags));

  beforeEach(async () => {
    await keepAt(
      received,
      { consent: consentHash, calculation: bill, signals: ['link'], channels: ['mail:sales@example.ru', 'webhook'] },
      { phone: '+79160000002', name: 'Борис' },
    );
    await keepAt(received + dayMs, { name: null, message: null });
    await atMoment(received + dayMs, () =>
      withStore(folder, async (store) => {
        await keepConsentText(store.sql, consent);
        await act(store.leads, 1, 'take', { by: 'desk:Сергей' });
        await act(store.leads, 1, 'note', { by: 'desk:Сергей', text: 'Перезвонить\u001b[2J' });
        const [{ id = '' } = {}] = await store.deliveries.of(1);
        await store.deliveries.settle([{ id, deliveredAt: new Date().toISOString() }]);
      }),
    );
  });

  test('writes a letter to the person: every field, note and recipient, the consent, the term and what was destroyed', async () => {
    const { code, stdout, stderr } = await findAt(received + 2 * dayMs);
    expect([code, stderr]).toEqual([0, '']);
    const said = [
      `Оператор: ${company.legalName}, ИНН ${company.inn}`,
      'Данные, связанные с номером +7 916 123-45-67, на 22 ноября',
      ...['Заявка № 3: ', 'Заявка № 1: '],
      ...['Имя: Анна', 'Телефон: +7 916 123-45-67', 'Телефон дословно: 8 (916) 123-45-67 доб. 12'],
      'Сообщение: Добрый день!\nСколько стоит упаковка?\n',
      `Расчёт: ${bill.order}\n`,
      ...[`Страница: ${siteUrl}/services/packaging`, 'Реклама: utm_source: yandex', 'Признаки спама: ссылка'],
      /Когда пришла: 20 ноября 2026 г\. в \d+:05\n/,
      /Заявка, 21 ноября 2026 г\. в \d+:05: взята\n/,
      /Заметка сотрудника, 21 ноября 2026 г\. в \d+:05: Перезвонить \[2J\n/,
      `Согласие: отмечено при отправке, отпечаток текста ${consentHash}\n`,
      /Кому передана: Почта sales@example.ru, получено, 21 ноября/,
      'Кому передана: Вебхук, отправляется, получение ещё не подтверждено',
      'Срок: телефон и сведения о согласии удалим 21 ноября 2030 г., всё остальное 21 ноября 2027 г.\n',
      'За последние три года мы не уничтожали данных, связанных с этим номером.',
      `Текст согласия ${consentHash}\nСогласие.\nЯ согласен на обработку.\n`,
      `${siteUrl}/policy\n`,
    ];
    expectAll(stdout, said);
    // Data of others: another person, and the staff.
    expect(stdout).not.toMatch(/Борис|Сергей/);
  });

  test('writes the same as JSON, without the names of staff and the secret of the receipt', async () => {
    const { stdout } = await findAt(received + 2 * dayMs, '--json');
    const found = JSON.parse(stdout);
    const { key, ...sent } = newLead({ consent: consentHash, calculation: bill, signals: ['link'] });
    expect(found.leads.map(({ number }: { number: number }) => number)).toEqual([3, 1]);
    expect(found.leads[1]).toMatchObject({
      ...sent,
      number: 1,
      events: [{ eventName: 'take' }, { eventName: 'note', text: 'Перезвонить\u001b[2J' }],
      sentTo: [
        { channel: 'mail:sales@example.ru', state: 'delivered' },
        { channel: 'webhook', state: 'waiting' },
      ],
      removal: { leads: '2027-11-21T00:00:00.000Z', consents: '2030-11-21T00:00:00.000Z' },
    });
    expect(found).toMatchObject({
      phone,
      consentTexts: { [consentHash]: consent.body.lines.join('\n') },
      destroyed: [],
    });
    expect(stdout).not.toMatch(/Борис|Сергей|receipt/);
  });

  test('says what was destroyed, when and why, also when nothing else is kept', async () => {
    await eraseAt(received + 2 * dayMs, phone);
    const { code, stdout, stderr } = await findAt(received + 3 * dayMs);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('Сейчас мы не храним данных, связанных с этим номером.');
    expect(stdout).toMatch(
      /Уничтоженные данные\n22 ноября 2026 г\. в \d+:05, заявка № 1: .*имя.*история.*Причина: человек отозвал согласие.*\n22 .* № 3/,
    );
    expect(JSON.parse((await findAt(received, '--json')).stdout)).toEqual({
      ...{ phone, leads: [], consentTexts: {} },
      destroyed: [1, 3].map((lead) => ({
        ...{ at: '2026-11-22T10:05:00.000Z', reason: 'withdrawal', lead, categories: expect.any(Array) },
      })),
    });
  });
});

describe('leads act', () => {
  const act = (from: string, to: string) => leads('act', '--from', from, '--to', to);

  test('writes the act and the log with everything that order no. 179 demands', async () => {
    await keepAt(momentOn('2025-11-01'), { name: 'Вера', phone: '+79160000003' });
    await keepAt(momentOn('2026-11-01'), {}, { name: null }, { phone: '+79160000002' });
    await eraseAt(momentOn('2026-11-20'), phone);
    const removed = momentOn('2026-11-21', 3_600_000);
    await atMoment(removed, () =>
      withStore(folder, ({ sql }) => expire(sql, expiry(removed, { leads: 365, consents: 1461 }))),
    );
    const { code, stdout, stderr } = await atMoment(momentOn('2026-11-22'), () => act('2026-11-20', '2026-11-21'));
    expect([code, stderr]).toEqual([0, '']);
    const { postalCode, locality, street } = company.address;
    const said = [
      'АКТ\nоб уничтожении персональных данных\n',
      `Составлен: ${formatDate('2026-11-22')}\n`,
      `За дни: с ${formatDate('2026-11-20')} по ${formatDate('2026-11-21')} включительно\n`,
      `Оператор: ${company.legalName}, ИНН ${company.inn}, ОГРН ${company.ogrn}\n`,
      `Адрес оператора: ${postalCode}, ${locality}, ${street}\n`,
      `Информационная система: заявки сайта ${siteUrl}\n`,
      'Чьи данные: людей, которые отправили заявки на сайте.',
      'Способ: записи удалены из базы данных SQLite, файл базы переписан без них\n',
      /Причина: человек отозвал согласие.*\nКогда: 20 ноября.*\nКто: пользователь сервера \S+\nЗаявки: № 2, 3\nПоля заявок: имя, телефон.*\n/,
      /Причина: закончился срок хранения\nКогда: 21 ноября.*\nКто: программа сайта, .*\nЗаявки: № 1\nПоля заявок: имя, .*\n/,
      'Данные уничтожил ___',
      'ВЫГРУЗКА ИЗ ЖУРНАЛА\n',
    ];
    expectAll(stdout, said);
    const log = stdout.split('Поля заявки\n')[1]?.trim().split('\n') ?? [];
    expect(log.map((line) => line.split('\t').slice(0, 2))).toEqual([
      [new Date(momentOn('2026-11-20')).toISOString(), '№ 2'],
      [new Date(momentOn('2026-11-20')).toISOString(), '№ 3'],
      [new Date(removed).toISOString(), '№ 1'],
    ]);
    for (const line of log) expect(line).toMatch(/\t[0-9a-f]{64}\t/);
    expect(stdout).not.toMatch(/Анна|Вера|9161234567/);
  });
});
