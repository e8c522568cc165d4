import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { slugOf } from '../lib/slug.ts';
import { kindOf } from '../loading/kinds.ts';
import { blogCategories, newFile, newKinds } from '../loading/new-file.ts';
import { guillemets } from '../loading/problem.ts';
import { readSources } from '../loading/sources.ts';
import { type Command, configOf, note, parseInRussian, print, UsageError } from './command.ts';
import { filesOf } from './content-commands.ts';

export const newCommand: Command = {
  name: 'new',
  usage: `${newKinds.join('|')} ЗАГОЛОВОК [--category РУБРИКА]`,
  does:
    'заводит файл-черновик, в котором объяснено каждое поле; --category говорит, в какой рубрике блога будет статья ' +
    '(имя её папки)',
  async run(args, io) {
    const { values, positionals } = parseInRussian(args, { category: { type: 'string' } }, ['ВИД', 'ЗАГОЛОВОК…']);
    const [name, ...title] = positionals;
    const kind = newKinds.find((one) => one === name);
    if (kind === undefined) throw new UsageError(`Вида ${guillemets(name)} нет. Есть: ${newKinds.join(', ')}.`);
    const heading = title.join(' ').trim();
    if (/^\d*$/.test(slugOf(heading))) throw new UsageError('Нужен заголовок с буквами: из него получится адрес.');
    const config = configOf(io);
    const { contentDir } = config;
    const read = readSources(filesOf(config));
    const categories = blogCategories(read);
    const { category = categories[0] ?? '' } = values;
    if (!categories.includes(category)) {
      throw new UsageError(`Рубрики ${guillemets(category)} нет. Есть: ${categories.join(', ')}.`);
    }
    const { path, text } = newFile({ kind, heading, category, read, at: new Date() });
    const taken = [...read.files.keys()].find((file) => kindOf(file) === kind && basename(file) === basename(path));
    if (taken !== undefined) throw new Error(`${taken} уже есть. Возьмите другой заголовок.`);
    mkdirSync(dirname(join(contentDir, path)), { recursive: true });
    writeFileSync(join(contentDir, path), text, { flag: 'wx' });
    await print(io, [`${join(contentDir, path)}\n`]);
    note(io, 'Это черновик: его видно в npm run dev. Когда будет готов, уберите draft: true и проверьте дату выхода.');
  },
};
