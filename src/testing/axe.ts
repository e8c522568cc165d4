import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** As axe has it, but for the contrast below which it leaves a text to the other rule. */
const contrast = {
  id: 'color-contrast-enhanced',
  options: {
    ...{ ignoreUnicode: true, ignoreLength: false, ignorePseudo: false, pseudoSizeThreshold: 0.25 },
    ...{ boldValue: 700, boldTextPt: 14, largeTextPt: 18, shadowOutlineEmMax: 0.1, textStrokeEmMin: 0.03 },
    contrastRatio: { normal: { expected: 7 }, large: { expected: 4.5 } },
  },
};

/** Runs in the page, whose types are not those of the tests; hence a string. */
const runAxe = `((without) => {
  axe.configure({ checks: [${JSON.stringify(contrast)}] });
  const isOn = ({ ruleId, tags }) => !tags.includes('deprecated') && ruleId !== 'color-contrast' && !without.includes(ruleId);
  const rules = axe.getRules().map((rule) => [rule.ruleId, { enabled: isOn(rule) }]);
  return axe
    .run({ rules: Object.fromEntries(rules), reporter: 'no-passes', resultTypes: ['violations'] })
    .then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 120))));
})`;

/**
 * What axe has against the page as it stands: rules, each with the elements that break it. Every rule
 * is on: those of WCAG's three levels, best practices, experiments, and `target-size`, which axe itself
 * leaves off. Only the deprecated ones are not, which newer rules have replaced, and `color-contrast`,
 * half of whose work `color-contrast-enhanced` does again: it is told to report what is worse, too.
 *
 * @param without rules that the page has been judged by already
 */
export async function axeFindings(page: Page, without: readonly string[] = []): Promise<string[]> {
  if (!(await page.evaluate('typeof axe === "object"'))) await page.evaluate(source);
  return (await page.evaluate(`${runAxe}(${JSON.stringify(without)})`)) as string[];
}
