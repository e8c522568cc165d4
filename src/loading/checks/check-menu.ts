import { guillemets, type Problem } from '../problem.ts';
import { problemAt } from '../source.ts';
import type { Path } from '../yaml.ts';
import type { CheckInput } from './rule.ts';

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
