import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from '@jest/globals';
import { daysAfter, localTime } from '../lib/calendar.ts';
import { formatDate } from '../lib/format.ts';
import { korob as korobIn } from '../tests/support/commands.ts';
import { contentFolder, contentWith, doubledRates, valued } from '../tests/support/sample-content.ts';
import { temporaryFolder } from '../tests/support/temporary-folder.ts';
import { testIf } from '../tests/support/test-if.ts';
import { shownSite, textAt } from '../tests/support/test-site.ts';

const shippedTest = testIf({ shipped: true });

const dataDir = temporaryFolder();
const csv = join(dataDir, 'prices.csv');
const site = await shownSite();
const exported = textAt(site, '/rates.csv');
const { timeZone } = site.content.company.workingHours;
const today = localTime(new Date(), timeZone).date;
const [later, muchLater] = [daysAfter(today, 40), daysAfter(today, 80)];
const { effective } = site.content.rates;
const since = (day: string) => (text: string) => text.replaceAll(effective, day);
const dearer = (text: string) => text.replace(/^(fulfillment-fbo;.*;500;)12,50/m, '$113,00');

/** A company that keeps its prices in a folder. */
function company(changes: Parameters<typeof contentFolder>[0] = {}) {
  const dir = contentFolder(changes);
  const korob = (...args: string[]) => korobIn(dataDir, args, { CONTENT_DIR: dir });
  return {
    korob,
    async importing(table: string | Buffer, ...flags: string[]) {
      writeFileSync(csv, table);
      return korob('prices', 'import', csv, ...flags);
    },
    text: (file: string) => (existsSync(join(dir, file)) ? readFileSync(join(dir, file), 'utf8') : undefined),
  };
}

describe('prices import', () => {
  shippedTest('shows the changes, and writes them into the waiting list only with --write', async () => {
    const { importing, text, korob } = company();
    const before = text('rates.yaml');
    const table = dearer(since(later)(exported));
    const changes = `Действует с: ${effective} → ${later}\nfulfillment-fbo от 500: 12,50 → 13,00 ₽\n`;
    const shown = await importing(table);
    expect(shown).toMatchObject({ code: 0, stdout: changes });
    expect(shown.stderr).toBe(
      'Изменений по сравнению с rates.yaml: 2.\nНичего не записано. Чтобы записать это в rates-next.yaml, добавьте --write.\n',
    );
    expect(text('rates-next.yaml')).toBeUndefined();

    const written = await importing(table, '--write');
    expect(written).toMatchObject({ code: 0, stdout: changes });
    expect(written.stderr).toContain(
      `Записано в rates-next.yaml. Опубликуйте (publish): цены начнут действовать ${formatDate(later)}\n`,
    );
    expect(text('rates.yaml')).toBe(before);
    expect(text('rates-next.yaml')).toBe(
      before
        ?.replace(`effective: ${effective}`, `effective: ${later}`)
        .replace('{ from: 500, price: 12.5 }', '{ from: 500, price: 13 }'),
    );
    expect(await korob('check')).toMatchObject({ code: 0 });
    expect(await importing(table, '--write')).toMatchObject({
      code: 0,
      stdout: '',
      stderr: 'В таблице те же цены, что в rates-next.yaml.\n',
    });
    expect((await korob('publish')).stderr).toContain(`\n${formatDate(later)} начнут действовать новые цены\n`);
  });

  shippedTest('changes the list in force when the day of the table has come, and keeps line ends', async () => {
    const { importing, text } = company({ 'rates.yaml': (written) => `\ufeff${written.replaceAll('\n', '\r\n')}` });
    const before = text('rates.yaml');
    const { code, stderr } = await importing(dearer(exported), '--write');
    expect([code, stderr]).toEqual([0, expect.stringContaining('День прежний: посетители прочтут')]);
    expect(text('rates.yaml')).toBe(before?.replace('{ from: 500, price: 12.5 }', '{ from: 500, price: 13 }'));
    expect(text('rates-next.yaml')).toBeUndefined();
  });

  shippedTest('puts a list that took effect into the place of the one that it replaced', async () => {
    const next = doubledRates(today);
    const doubled = await shownSite({ files: contentWith({ 'rates.yaml': () => next }) });
    const table = textAt(doubled, '/rates.csv');
    for (const [day, files] of [
      [later, [next, next.replace(today, later)]],
      [effective, [next.replace(today, effective), undefined]],
    ] as const) {
      const { importing, text, korob } = company({ 'rates-next.yaml': () => next });
      const { code, stderr } = await importing(table.replaceAll(today, day), '--write');
      expect([code, stderr]).toEqual([
        0,
        expect.stringContaining('rates-next.yaml уже действует, поэтому станет rates.yaml.'),
      ]);
      expect(['rates.yaml', 'rates-next.yaml'].map(text)).toEqual(files);
      expect((await korob('check')).stdout).not.toContain('rates');
    }
  });

  shippedTest('replaces another list that waits, and compares with it', async () => {
    const { importing, text } = company({ 'rates-next.yaml': () => doubledRates(muchLater) });
    const { stdout, stderr } = await importing(since(later)(exported), '--write');
    expect(stdout).toContain(`Действует с: ${muchLater} → ${later}\n`);
    expect(stdout).toContain('fulfillment-fbo от 500: 25,00 → 12,50 ₽\n');
    expect(stderr).toContain('Изменений по сравнению с rates-next.yaml: ');
    expect(text('rates-next.yaml')).toBe(text('rates.yaml')?.replace(effective, later));
  });

  shippedTest('changes nothing when the table or what would come of it is wrong', async () => {
    const { importing, text, korob } = company();
    const before = text('rates.yaml');
    const wrong = await importing(exported.replace(/^(fulfillment-fbo;.*;500;)12,50/m, '$1дорого'), '--write');
    const line = exported.split('\r\n').findIndex((one) => /^fulfillment-fbo;.*;500;/.test(one)) + 1;
    expect(wrong).toMatchObject({ code: 1, stdout: '' });
    expect(wrong.stderr).toContain(`\nprices.csv:${line}: Цена, ₽: «дорого» не подходит.`);

    const needed = await importing(since(later)(exported).replace(/^package-zip;.*\r\n/gm, ''), '--write');
    expect([needed.code, needed.stdout]).toEqual([1, expect.stringContaining('пропадёт package-zip: ')]);
    expect(needed.stderr).toMatch(
      /\nrates-next\.yaml:\d+: groups: Здесь нет строки с id «package-zip», а её называет calculator/,
    );

    const lead = await importing(exported.replace(/^package-bag;.*\r\n/gm, ''), '--write');
    expect([lead.code, lead.stderr]).toEqual([
      1,
      expect.stringMatching(/\nrates\.yaml:\d+: groups\.lead: Поле rate в lead/),
    ]);

    expect(await korob('prices', 'import', join(dataDir, 'none.csv'), '--write')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Таблицу не прочитать'),
    });
    expect(await korob('prices', 'import')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Эту команду пишут иначе:'),
    });
    expect([text('rates.yaml'), text('rates-next.yaml')]).toEqual([before, undefined]);
  });

  shippedTest('changes nothing in a list that is wrong already, or that it cannot edit', async () => {
    const table = dearer(exported);
    const broken = company({ 'rates.yaml': (text) => text.replace('price: 45', 'price: 45,50') });
    expect(await broken.importing(table, '--write')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('rates.yaml:'),
    });
    const shared = company({
      'rates.yaml': (text) =>
        text
          .replace('{ from: 500, price: 12.5 }', '&half { from: 500, price: 12.5 }')
          .replace('{ from: 500, price: 11 }', '*half'),
    });
    const { code, stderr } = await shared.importing(
      dearer(exported.replace(/^(package-bag;.*;500;)11,00/m, '$112,50')),
      '--write',
    );
    expect([code, stderr]).toEqual([
      1,
      'Файл записан так, что команда не может его править. Внесите эти изменения в rates.yaml сами.\n',
    ]);
  });

  shippedTest('is not stopped by errors elsewhere', async () => {
    const { importing, text } = company({ 'company.yaml': valued({ 'phone.text': '+7 (999) 000-00-00' }) });
    expect(await importing(dearer(exported), '--write')).toMatchObject({ code: 0 });
    expect(text('rates.yaml')).toContain('{ from: 500, price: 13 }');
  });
});
