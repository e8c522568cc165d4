import { paths } from '../../lib/paths.ts';
import { readAssets } from '../../loading/assets.ts';
import type { Integrations } from '../../model/integrations.ts';
import { defaultRetention } from '../../model/retention-periods.ts';
import { type BuildInputs, readCode } from '../../site/compiled-code.ts';

/** The address of the site under test. */
export const siteUrl = 'http://localhost:3000';

/** The latest compiled code, for that address. */
export function testInputs(integrations: Integrations = {}): BuildInputs {
  return {
    code: readCode(paths.code),
    assets: readAssets(paths.public),
    siteUrl,
    integrations,
    retention: defaultRetention,
  };
}

/** The time that test sites are built for. It is fixed, because a suite may run past midnight, when pages change. */
export const builtAt = new Date();
