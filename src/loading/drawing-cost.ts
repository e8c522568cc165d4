import { plainCss } from './drawing-rules.ts';
import { type DrawingElement, elementsIn } from './drawing-tree.ts';

/** Shapes. A drawing of 64 KB has some 3,000 at most, but may show each many times. */
export const maxCost = 10_000;

/** Each is painted on a layer of its own. */
const costOfEffect = 20;

/** How many shapes a browser paints, with repetitions; infinite for what repeats itself. */
export function costOf(root: DrawingElement): number {
  const elements = [...elementsIn(root)];
  const byId = new Map(elements.toReversed().map((element) => [element.attributes.get('id'), element]));
  const bySheet = namedBySheets(elements);
  const known = new Map<DrawingElement, number>();

  function cost(element: DrawingElement): number {
    const before = known.get(element);
    if (before !== undefined) return before;
    known.set(element, Number.POSITIVE_INFINITY);
    let sum = ownCost(element);
    for (const child of element.children) if (typeof child !== 'string') sum += cost(child);
    for (const id of [...namedBy(element), ...bySheet(element)]) {
      const shown = byId.get(id);
      if (shown && !/Gradient$/.test(shown.name)) sum += cost(shown) * timesShown(shown, element);
    }
    known.set(element, sum);
    return sum;
  }

  return cost(root);
}

function ownCost({ name, attributes }: DrawingElement): number {
  if (!name.startsWith('fe')) return 1;
  return costOfEffect * Math.max(1, Number(attributes.get('numOctaves') ?? 1) || 1);
}

/** At most each fourth character ends a corner, which has its marker. */
function timesShown({ name }: DrawingElement, { attributes }: DrawingElement): number {
  const line = attributes.get('d') ?? attributes.get('points') ?? '';
  return name === 'marker' ? Math.max(2, line.length / 4) : 1;
}

function namedBy({ attributes }: DrawingElement): string[] {
  return [...attributes].flatMap(([name, value]) => (/href$/.test(name) ? value.slice(1) : idsIn(value)));
}

function idsIn(css: string): string[] {
  return [...plainCss(css).matchAll(/url\(\s*["']?#([^"')]*)/gi)].map(([, id = '']) => id.trim());
}

/** What rules name for the classes in their selectors; a rule without a class may be for any element. */
function namedBySheets(elements: readonly DrawingElement[]): (element: DrawingElement) => string[] {
  const sheets = elements.filter(({ name }) => name === 'style').map(({ children }) => plainCss(children.join('')));
  const rules = sheets.flatMap((sheet) =>
    sheet.split('}').flatMap((rule) => {
      const body = rule.lastIndexOf('{');
      const ids = idsIn(rule.slice(body));
      return ids.length > 0 ? [{ ids, classes: new Set(rule.slice(0, body).match(/(?<=\.)[\w-]+/g)) }] : [];
    }),
  );
  return ({ attributes }) => {
    const own = (attributes.get('class') ?? '').split(/\s+/);
    return rules.flatMap(({ ids, classes }) => (classes.size === 0 || own.some((one) => classes.has(one)) ? ids : []));
  };
}
