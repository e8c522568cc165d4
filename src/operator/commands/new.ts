import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { slugOf } from '../../lib/slug.ts';
import { readFolder } from '../../reading/content-files.ts';
import { kindOf } from '../../reading/kinds.ts';
import { blogCategories, newFile, newKinds } from '../../reading/new-file.ts';
import { guillemets } from '../../reading/problem.ts';
import { readSources } from '../../reading/sources.ts';
import { type Command, CommandError, configOf, note, parse, print, UsageError } from './command.ts';

export const newCommand: Command = {
  name: 'new',
  usage: `${newKinds.join('|')} TITLE [--category SLUG]`,
  does:
    'writes a file for editors to begin with, in which every field is explained, as a draft; ' +
    '--category says in which one of the blog an article stands',
  async run(args, io) {
    const { values, positionals } = parse(args, { category: { type: 'string' } }, ['KIND', 'TITLE…']);
    const [name, ...words] = positionals;
    const kind = newKinds.find((one) => one === name);
    if (kind === undefined) throw new UsageError(`Вида ${guillemets(name)} нет. Есть: ${newKinds.join(', ')}.`);
    const heading = words.join(' ').trim();
    if (/^\d*$/.test(slugOf(heading))) throw new UsageError('Нужен заголовок с буквами: из него получится адрес.');
    const { contentDir } = configOf(io);
    const read = readSources(readFolder(contentDir));
    const categories = blogCategories(read);
    const { category = categories[0] ?? '' } = values;
    if (!categories.includes(category)) {
      throw new UsageError(`Рубрики ${guillemets(category)} нет. Есть: ${categories.join(', ')}.`);
    }
    const { path, text } = newFile({ kind, heading, category, read, at: new Date() });
    const taken = [...read.files.keys()].find((file) => kindOf(file) === kind && basename(file) === basename(path));
    if (taken !== undefined) throw new CommandError(`${taken} уже есть. Возьмите другой заголовок.`);
    mkdirSync(dirname(join(contentDir, path)), { recursive: true });
    writeFileSync(join(contentDir, path), text, { flag: 'wx' });
    await print(io, [`${join(contentDir, path)}\n`]);
    note(io, 'Это черновик: его видно в npm run dev. Когда будет готов, уберите draft: true и проверьте дату выхода.');
  },
};
