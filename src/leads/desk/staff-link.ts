import { parseCookie } from 'cookie';
import type { Request, RequestHandler } from 'express';
import type { Link, Links } from '../store/access-links.ts';

export const deskCookie = 'desk';

declare global {
  namespace Express {
    interface Locals {
      /** Opens what is asked for. */
      link: Link | undefined;
    }
  }
}

/**
 * Finds the staff link of a request. Only requests without one are limited, so that visitors behind the same address
 * cannot lock out staff.
 */
export function staffOrLimited(links: Links, limit: RequestHandler): RequestHandler {
  return async (req, res, next) => {
    let failure: unknown;
    try {
      res.locals.link = await linkOf(req, links);
    } catch (error) {
      failure = error;
    }
    if (res.locals.link) return next();
    limit(req, res, (refused?: unknown) => next(refused ?? failure));
  };
}

async function linkOf(req: Request, links: Links): Promise<Link | undefined> {
  const atDesk = /^\/desk(\/|$)/.test(req.path);
  const [, inPath] = /^\/(?:take|desk\/link)\/([^/]+)$/.exec(req.path) ?? [];
  const token = inPath ?? (atDesk ? parseCookie(req.get('cookie') ?? '')[deskCookie] : undefined);
  const link = token === undefined ? undefined : await links.find(token);
  return link && (link.lead === null) === atDesk ? link : undefined;
}
