import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Runs in the page, whose types are not those of the tests; hence a string. */
const runAxe = `(() => {
  const rules = axe.getRules().map(({ ruleId, tags }) => [ruleId, { enabled: !tags.includes('deprecated') }]);
  return axe
    .run({ rules: Object.fromEntries(rules), resultTypes: ['violations'] })
    .then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 120))));
})()`;

/**
 * What axe has against the page as it stands: rules, each with the elements that break it. Every rule
 * is on: those of WCAG's three levels, best practices, experiments, and `target-size`, which axe itself
 * leaves off. Only the deprecated ones are not, which newer rules have replaced.
 */
export async function axeFindings(page: Page): Promise<string[]> {
  if (!(await page.evaluate('typeof axe === "object"'))) await page.evaluate(source);
  return (await page.evaluate(runAxe)) as string[];
}
