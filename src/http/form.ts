import type { Request } from 'express';

export const formType = 'application/x-www-form-urlencoded';

export type Origin = 'own' | 'foreign' | 'unknown';

/** Older browsers lack Sec-Fetch-Site; even without Origin, it may be a person. */
export function originOf(req: Request, siteUrl: string): Origin {
  const site = req.get('sec-fetch-site');
  if (site !== undefined) return site === 'cross-site' ? 'foreign' : 'own';
  const origin = req.get('origin');
  if (origin === undefined || origin === 'null') return 'unknown';
  return origin === siteUrl || URL.parse(origin)?.host === req.get('host') ? 'own' : 'foreign';
}
