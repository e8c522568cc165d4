import { attributeOf } from '../lib/attribute-of.ts';

/** A rule of a style sheet, or an at-rule around others. */
export type StyleRule =
  | {
      text: string;
      /** For each selector, the classes and elements that must be on the page. Without it, a rule is always kept. */
      needs?: readonly (readonly string[])[];
    }
  | { prelude: string; rules: readonly StyleRule[] };

/** The style sheet without rules that match nothing on the page. @param tags those in `<body>` */
export function stylesFor(rules: readonly StyleRule[], tags: ReadonlySet<string>): string {
  const names = namesIn(tags);
  return textOf(rules, (needs) => needs.some((all) => all.every((name) => names.has(name))));
}

export function wholeStyles(rules: readonly StyleRule[]): string {
  return textOf(rules, () => true);
}

function textOf(rules: readonly StyleRule[], isKept: (needs: readonly (readonly string[])[]) => boolean): string {
  const texts = rules.map((rule) => {
    if ('text' in rule) return rule.needs === undefined || isKept(rule.needs) ? rule.text : '';
    const inner = textOf(rule.rules, isKept);
    return inner && `${rule.prelude}{${inner}}`;
  });
  return texts.join('');
}

/** `p` for an element, `.card` for a class. */
function namesIn(tags: ReadonlySet<string>): Set<string> {
  const names = new Set(['html', 'body']);
  for (const tag of tags) {
    names.add(/^<([a-z\d]*)/.exec(tag)?.[1] ?? '');
    for (const name of attributeOf(tag, 'class')?.split(' ') ?? []) names.add(`.${name}`);
  }
  return names;
}
