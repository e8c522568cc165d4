import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Runs in the page, whose types are not those of the tests; hence a string. */
const runAxe = `((without) => {
  const isOn = ({ ruleId, tags }) => !tags.includes('deprecated') && !without.includes(ruleId);
  const rules = axe.getRules().map((rule) => [rule.ruleId, { enabled: isOn(rule) }]);
  return axe
    .run({ rules: Object.fromEntries(rules), resultTypes: ['violations'] })
    .then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 120))));
})`;

/**
 * What axe has against the page as it stands: rules, each with the elements that break it. Every rule
 * is on: those of WCAG's three levels, best practices, experiments, and `target-size`, which axe itself
 * leaves off. Only the deprecated ones are not, which newer rules have replaced.
 *
 * @param without rules that the page has been judged by already
 */
export async function axeFindings(page: Page, without: readonly string[] = []): Promise<string[]> {
  if (!(await page.evaluate('typeof axe === "object"'))) await page.evaluate(source);
  return (await page.evaluate(`${runAxe}(${JSON.stringify(without)})`)) as string[];
}
