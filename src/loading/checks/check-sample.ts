import { isSample } from '../../model/content.ts';
import { logoFile } from '../own-drawings.ts';
import { guillemets, type Problem } from '../problem.ts';
import { problemAt } from '../source.ts';
import type { CheckInput } from './rule.ts';

/** The editors decide what is still shipped, so no file is compared with the shipped one. */
export function* checkSample({
  sources: { company },
  files,
  assets,
}: Pick<CheckInput, 'sources' | 'files' | 'assets'>): Iterable<Problem> {
  // A company without such files has the shipped drawings.
  const drawings = [...assets.keys()].filter((path) => path.startsWith('/images/')).map((path) => path.slice(1));
  const names = [...files.keys(), logoFile, ...drawings];
  for (const source of company) {
    const { sample } = source.value;
    for (const [index, entry] of sample.entries()) {
      if (names.some((name) => isSample([entry], name))) continue;
      const message = `Ни файла, ни папки ${guillemets(entry)} нет. Сотрите эту строку или впишите путь, который есть, например cases/.`;
      yield problemAt(source, ['sample', index], message);
    }
    if (sample.length === 0) continue;
    const toDo = ['Это ещё из образца. Идите по порядку и стирайте строку, когда файл станет вашим:', ...sample];
    yield problemAt(source, ['sample'], toDo.join('\n    '), { warning: true });
  }
}
