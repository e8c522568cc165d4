import { readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Config } from '../config.ts';
import { replaceFile } from '../lib/files.ts';
import { formatDate } from '../lib/format.ts';
import { hashOf } from '../lib/hash.ts';
import { messageOf } from '../lib/message-of.ts';
import type { ContentFiles } from '../loading/content-files.ts';
import { editYaml } from '../loading/edit-yaml.ts';
import { misplacedRows, presentLines, priceChanges } from '../loading/import-prices.ts';
import { fileOf, kindOf } from '../loading/kinds.ts';
import { companyDay, priceLists } from '../loading/price-lists.ts';
import { linesFor, type Problem } from '../loading/problem.ts';
import { type ReadLine, readPricesCsv } from '../loading/read-prices-csv.ts';
import type { Source } from '../loading/source.ts';
import { type ReadContent, readSources } from '../loading/sources.ts';
import type { Rates } from '../model/content.ts';
import type { PriceLine } from '../pricing/rates-csv.ts';
import { type Command, CommandError, configOf, note, parseInRussian, print } from './command.ts';
import { filesOf, inspect } from './content-commands.ts';

const currentFile = fileOf('rates');
const nextFile = fileOf('nextRates');

export const pricesCommand: Command = {
  name: 'prices import',
  usage: 'ТАБЛИЦА.csv [--write]',
  does:
    'сравнивает с тарифами таблицу, которую скачали с сайта и поправили, и показывает, что изменится; с --write ' +
    `записывает это в ${currentFile}, а если день в таблице ещё не наступил, в ${nextFile}`,
  async run(args, io) {
    const { values, positionals } = parseInRussian(args, { write: { type: 'boolean' } }, ['ТАБЛИЦА']);
    const config = configOf(io);
    const files = filesOf(config);
    const read = readSources(files);
    const { lists, today } = presentLists(read, new Date());
    const { base, day, lines } = readTable(positionals[0] ?? '', lists, today);
    const changes = priceChanges(base.value, lines);
    if (changes.length === 0) return note(io, `В таблице те же цены, что в ${base.file}.`);
    await print(
      io,
      changes.map(({ words }) => `${words}\n`),
    );

    const target = day > today ? nextFile : currentFile;
    const text = editYaml(
      base.text,
      changes.flatMap(({ edits }) => edits),
    );
    const written = new Map([...promoted(files, lists.current), [target, likeBefore(files, base.file, text)] as const]);
    const after = withFiles(files, written);
    requireSameLines(readSources(after), target, lines);
    await requireNoNewErrors(config, files, after);

    note(io, `Изменений по сравнению с ${base.file}: ${changes.length}.`);
    if (lists.current.file === nextFile) note(io, `${nextFile} уже действует, поэтому станет ${currentFile}.`);
    if (day === base.value.effective)
      note(io, `День прежний: посетители прочтут, что цены действуют с ${formatDate(day)}`);
    if (!values.write) return note(io, `Ничего не записано. Чтобы записать это в ${target}, добавьте --write.`);
    for (const [file, bytes] of written) {
      if (bytes === undefined) rmSync(join(config.contentDir, file));
      else replaceFile(join(config.contentDir, file), bytes);
    }
    const since = day > today ? formatDate(day) : 'сразу.';
    note(io, `Записано в ${target}. Опубликуйте (publish): цены начнут действовать ${since}`);
  },
};

type Lists = { current: Source<Rates>; next: Source<Rates> | undefined };

function presentLists(read: ReadContent, at: Date): { lists: Lists; today: string } {
  const problems = read.problems.filter(({ file }) => ['rates', 'nextRates', 'company'].includes(kindOf(file) ?? ''));
  const [current, next] = priceLists(read.sources, at);
  if (problems.length > 0 || !current) throw failed('Сначала поправьте то, что уже есть:', problems);
  return { lists: { current, next }, today: companyDay(read.sources, at) };
}

/** @returns the list that the table changes, and the table */
function readTable(path: string, { current, next }: Lists, today: string) {
  const bytes = tableBytes(path);
  const file = basename(path);
  const linesFrom = (list: Source<Rates>): readonly ReadLine[] => {
    const before = presentLines(list.value);
    const { lines, problems } = readPricesCsv(file, bytes, before);
    const all = problems.length > 0 ? problems : [...misplacedRows(file, before, lines)];
    if (all.length > 0) throw failed('В таблице ошибки, ничего не записано:', all);
    return lines;
  };
  const lines = linesFrom(current);
  const day = lines[0]?.line['Действует с'] ?? today;
  const base = day > today && next ? next : current;
  const own = base === current ? lines : linesFrom(base);
  return { base, day, lines: own.map(({ line }) => line) };
}

function tableBytes(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new CommandError(`Таблицу не прочитать: ${messageOf(error)}`);
  }
}

/** A list that took effect moves to the place of the one that it replaced. */
function promoted(files: ContentFiles, { file }: Source<Rates>): [string, Buffer | undefined][] {
  if (file === currentFile) return [];
  return [
    [currentFile, files.get(file)?.bytes()],
    [file, undefined],
  ];
}

/** With the line ends and the mark that an editor's program wrote. */
function likeBefore(files: ContentFiles, file: string, text: string): Buffer {
  const before = String(files.get(file)?.bytes());
  const [mark] = /^\ufeff?/.exec(before) ?? [''];
  return Buffer.from(mark + (before.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text));
}

function withFiles(files: ContentFiles, written: ReadonlyMap<string, Buffer | undefined>): ContentFiles {
  const after = new Map(files);
  for (const [file, bytes] of written) {
    if (bytes === undefined) after.delete(file);
    else after.set(file, { hash: hashOf(bytes), bytes: () => bytes });
  }
  return after;
}

/** Catches edits that went wrong because the file is written in an unusual way. */
function requireSameLines({ sources, problems }: ReadContent, file: string, lines: readonly PriceLine[]): void {
  const own = problems.filter((problem) => problem.file === file);
  if (own.length > 0) throw failed('Записать нельзя, потому что получилось бы:', own);
  const list = [...sources.rates, ...sources.nextRates].find((source) => source.file === file);
  const known = (all: readonly PriceLine[]) => all.map((line) => JSON.stringify(Object.entries(line))).sort();
  const [made, wanted] = [known(list ? presentLines(list.value) : []), known(lines)];
  if (made.join() === wanted.join()) return;
  throw new CommandError(`Файл записан так, что команда не может его править. Внесите эти изменения в ${file} сами.`);
}

async function requireNoNewErrors(config: Config, before: ContentFiles, after: ContentFiles): Promise<void> {
  const errors = async (files: ContentFiles) =>
    (await inspect(config, files)).problems.filter(({ warning }) => !warning);
  const found = await errors(after);
  const known = new Set(found.length > 0 ? (await errors(before)).map((problem) => JSON.stringify(problem)) : []);
  const added = found.filter((problem) => !known.has(JSON.stringify(problem)));
  if (added.length > 0)
    throw failed('Записать нельзя, потому что остальное содержимое с такими ценами неверно:', added);
}

function failed(what: string, problems: readonly Problem[]): CommandError {
  return new CommandError([what, ...linesFor(problems)].join('\n'));
}
