/** A rule of a style sheet, or an at-rule around others. */
export type StyleRule =
  | {
      text: string;
      /** For each selector, the classes and elements that must be on the page. Without it, a rule is always kept. */
      needs?: readonly (readonly string[])[];
    }
  | { prelude: string; rules: readonly StyleRule[] };

/** The style sheet without rules that match nothing on the page. @param body the page's markup, in `<body>` */
export function stylesFor(rules: readonly StyleRule[], body: string): string {
  const names = namesIn(body);
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
function namesIn(markup: string): Set<string> {
  const names = new Set(['html', 'body']);
  for (const [, element, classes = ''] of markup.matchAll(/<([a-z][a-z0-9]*)|\sclass="([^"]*)"/g)) {
    if (element !== undefined) names.add(element);
    else for (const name of classes.split(' ')) names.add(`.${name}`);
  }
  return names;
}
