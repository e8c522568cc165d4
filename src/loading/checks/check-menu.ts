import { guillemets, type Problem } from '../problem.ts';
import { problemAt } from '../source.ts';
import type { Path } from '../yaml.ts';
import type { CheckInput } from './rule.ts';

/**
 * About as many letters of Arial fit into one line of the header at 1280 px; wider fonts fit fewer. The space around an
 * entry and the arrow of a menu are as wide as two letters each.
 */
const maxHeaderLetters = 72;
const lettersPerGap = 2;

/** Reports the first entry that does not fit into the header. */
export function* checkHeader({ sources: { navigation } }: Pick<CheckInput, 'sources'>): Iterable<Problem> {
  for (const source of navigation) {
    let letters = 0;
    for (const [index, { text, pages }] of source.value.header.entries()) {
      letters += text.length + lettersPerGap * (pages ? 2 : 1);
      if (letters <= maxHeaderLetters) continue;
      const message = `Пункт ${guillemets(text)} не поместится в одну строку шапки. Сократите названия или перенесите пункт в меню.`;
      yield problemAt(source, ['header', index, 'text'], message, { warning: true });
      break;
    }
  }
}

/** One page twice in the header or in the footer; each may name a page that the other names. */
export function* checkMenu({ sources: { navigation } }: Pick<CheckInput, 'sources'>): Iterable<Problem> {
  for (const source of navigation) {
    const { header, footer } = source.value;
    const top = header.flatMap(({ to, pages = [] }, index) => [
      ...(to === undefined ? [] : [{ to, path: ['header', index, 'to'] }]),
      ...pages.map((page, n) => ({ to: page.to, path: ['header', index, 'pages', n, 'to'] })),
    ]);
    const bottom = footer.map(({ to }, index) => ({ to, path: ['footer', index, 'to'] }));
    for (const entries of [top, bottom] satisfies { to: string; path: Path }[][]) {
      for (const [index, { to, path }] of entries.entries()) {
        if (!entries.slice(0, index).some((earlier) => earlier.to === to)) continue;
        yield problemAt(source, path, `Страница ${guillemets(to)} здесь уже есть. Оставьте одну.`, { warning: true });
      }
    }
  }
}
