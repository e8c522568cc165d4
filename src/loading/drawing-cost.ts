import { decoded } from '../lib/decoded.ts';
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
    const isFilter = element.name === 'filter';
    let sum = isFilter ? filterCost(element) : ownCost(element);
    for (const child of element.children) if (typeof child !== 'string' && !isFilter) sum += cost(child);
    for (const id of [...namedBy(element), ...bySheet(element)]) {
      const shown = byId.get(decoded(id) ?? id);
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

/** Browsers compute a step again for each step that takes its result, which is the one before it unless it is named. */
function filterCost({ children }: DrawingElement): number {
  const results = new Map<string | undefined, number>();
  let [before, sum] = [1, 1];
  for (const step of children) {
    if (typeof step === 'string' || !step.name.startsWith('fe')) continue;
    const sources = sourcesOf(step).map((name) => (name === undefined ? before : (results.get(name) ?? 1)));
    before = sources.reduce((all, one) => all + one, ownCost(step));
    results.set(step.attributes.get('result'), before);
    sum += before;
  }
  return sum;
}

/** @returns the names of the results that it takes; `undefined` is the one before it */
function sourcesOf({ name, attributes, children }: DrawingElement): (string | undefined)[] {
  if (name === 'feMerge') {
    return children.flatMap((node) => (typeof node === 'string' ? [] : [node.attributes.get('in')]));
  }
  const takesTwo = /^fe(Blend|Composite|DisplacementMap)$/.test(name);
  return [attributes.get('in'), ...(takesTwo ? [attributes.get('in2')] : [])];
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
