import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The defaults of axe 4.14, but this check also reports texts that miss even the weaker contrast. */
const contrast = {
  id: 'color-contrast-enhanced',
  options: {
    ...{ ignoreUnicode: true, ignoreLength: false, ignorePseudo: false, pseudoSizeThreshold: 0.25 },
    ...{ boldValue: 700, boldTextPt: 14, largeTextPt: 18, shadowOutlineEmMax: 0.1, textStrokeEmMin: 0.03 },
    contrastRatio: { normal: { expected: 7 }, large: { expected: 4.5 } },
  },
};

/** A string, because it runs in the page, which does not share the types of the tests. */
const runAxe = `((only) => {
  axe.configure({ checks: [${JSON.stringify(contrast)}] });
  // The first would fetch the style sheets again; the enhanced version covers the second.
  const without = ['css-orientation-lock', 'color-contrast'];
  const isOn = ({ ruleId, tags }) =>
    only ? only.includes(ruleId) : !tags.includes('deprecated') && !without.includes(ruleId);
  const rules = axe.getRules().map((rule) => [rule.ruleId, { enabled: isOn(rule) }]);
  return axe
    .run({ rules: Object.fromEntries(rules), reporter: 'no-passes', resultTypes: ['violations'], preload: false })
    .then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 120))));
})`;

/**
 * Returns the violations that axe finds on a page: rules, each with the elements that break it. Covers all WCAG levels,
 * best practices, experiments and `target-size`, which axe disables by default.
 *
 * @param only the rules to check, by default all
 */
export async function axeFindings(page: Page, only?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate('typeof axe === "object"'))) await page.evaluate(source);
  return (await page.evaluate(`${runAxe}(${JSON.stringify(only)})`)) as string[];
}
