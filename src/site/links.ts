import { decoded } from '../lib/decoded.ts';
import { reservedAddresses } from '../model/addresses.ts';
import type { Redirect } from '../model/content.ts';
import type { ContentLink } from '../reading/load.ts';
import { guillemets, type Problem } from '../reading/problem.ts';

/** A base for parsing relative URLs. */
const placeholder = 'http://site.invalid';

export type Targets = {
  /** @param unpublished includes unpublished posts */
  has(path: string, unpublished?: boolean): boolean;
  hasAnchor(path: string, id: string): boolean;
  presets: readonly string[] | undefined;
  redirects: readonly Redirect[];
};

/** Broken links, and redirects from existing pages. */
export function linkProblems(
  links: readonly ContentLink[],
  moved: readonly ContentLink[],
  targets: Targets,
): Problem[] {
  function leadsSomewhere({ href, unpublished }: ContentLink): boolean {
    if (/^([a-z][a-z\d+.-]*:|#)/i.test(href)) return true;
    const url = href.startsWith('/') ? URL.parse(href, placeholder) : null;
    if (url?.origin !== placeholder) return false;
    if (url.pathname === '/broadcast') return true;
    if (url.pathname === '/contact') {
      const preset = url.searchParams.get('preset');
      return preset === null || targets.presets?.includes(preset) !== false;
    }
    if (!targets.has(url.pathname, unpublished)) return false;
    const id = url.hash.slice(1);
    return id === '' || targets.hasAnchor(url.pathname, decoded(id) ?? id);
  }

  const problem = ({ file, line }: ContentLink, message: string): Problem => {
    return { file, line: line(), field: '', message };
  };
  return [
    ...links.filter((link) => !leadsSomewhere(link)).map((link) => problem(link, nowhere(link.href, targets))),
    ...moved
      .filter(({ href }) =>
        [href.replace(/\?.*/, '')].some((path) => targets.has(path) || reservedAddresses.includes(path)),
      )
      .map((link) =>
        problem(link, `По адресу ${guillemets(link.href)} уже есть страница. Сотрите эту строку или смените адрес.`),
      ),
  ];
}

/** Names the target of a redirect. */
function nowhere(href: string, { redirects, has }: Targets): string {
  const moves = new Map(redirects.map(({ from, to }) => [from, to]));
  const passed = new Set<string>();
  let path = href.replace(/[?#].*$/, '');
  for (let to = moves.get(path); to !== undefined && !passed.has(path); to = moves.get(path)) {
    passed.add(path);
    path = to;
  }
  const link = `Ссылка ${guillemets(href)} никуда не ведёт`;
  if (passed.has(path)) return `${link}: redirects.yaml отсылает оттуда по кругу. Возьмите адрес страницы.`;
  if (passed.size > 0) return `${guillemets(href)} переехал. Сошлитесь сразу на ${path}.`;
  if (/^www\.|^[\w-]+\.(ru|com|рф)(\/|$)/.test(href)) return `${link}. Адрес другого сайта начинается с https://.`;
  if (!href.startsWith('/')) return `${link}. Адрес на этом сайте начинается с косой черты: /rates.`;
  if (href.includes('#') && has(path))
    return `На странице ${path} нет части ${guillemets(href.replace(/^[^#]*#/, ''))}. Откройте её и скопируйте адрес нужного заголовка.`;
  if (path.endsWith('.md')) return `${link}. Сошлитесь на адрес страницы, а не на файл: без .md.`;
  return `${link}: такой страницы нет. Скопируйте адрес из браузера, без названия сайта.`;
}
