import type { Request } from 'express';

/** What a browser sends a form as. */
export const formType = 'application/x-www-form-urlencoded';

export type Origin = 'own' | 'foreign' | 'unknown';

/**
 * Whether a form was sent from a page of this site. Browsers say so themselves;
 * older ones name the origin; one that says nothing may still be a person's.
 */
export function originOf(req: Request, siteUrl: string): Origin {
  const site = req.get('sec-fetch-site');
  if (site !== undefined) return site === 'cross-site' ? 'foreign' : 'own';
  const origin = req.get('origin');
  if (origin === undefined || origin === 'null') return 'unknown';
  return origin === siteUrl || URL.parse(origin)?.host === req.get('host') ? 'own' : 'foreign';
}
