import { paths } from '../../lib/paths.ts';
import { readAssets } from '../../loading/assets.ts';
import type { Integrations } from '../../model/integrations.ts';
import { type BuildInputs, readCode } from '../../site/compiled-code.ts';

/** The address of the site under test. */
export const siteUrl = 'http://localhost:3000';

/** What was compiled last, for that address. */
export function testInputs(integrations: Integrations = {}): BuildInputs {
  return { code: readCode(paths.code), assets: readAssets(paths.public), siteUrl, integrations };
}

/** The moment that sites under test are made for: a suite may go on past midnight, when pages become others. */
export const builtAt = new Date();
