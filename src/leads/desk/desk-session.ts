import { parseCookie } from 'cookie';
import type { Request, RequestHandler, Response, Router } from 'express';
import { HttpError } from '../../http/http-error.ts';
import { referrer, sendDocument } from '../../http/send-document.ts';
import { localTime } from '../../lib/calendar.ts';
import { formatDay } from '../../lib/format.ts';
import type { Broadcast, StoredBroadcast } from '../../model/broadcast.ts';
import type { PageView } from '../../pages/page.ts';
import type { Site } from '../../site/site.ts';
import type { LeadIntake } from '../intake/lead-intake.ts';
import type { Link, Links } from '../store/access-links.ts';
import type { Deliveries } from '../store/deliveries.ts';
import type { Leads } from '../store/leads.ts';
import type { DeskState } from './desk-frame.tsx';

export type DeskOptions = {
  site: Site;
  leads: Leads;
  deliveries: Deliveries;
  intake: Pick<LeadIntake, 'act' | 'resend' | 'channels'>;
  broadcast: Broadcast | StoredBroadcast;
  /** Folder of the revisions; `undefined` where drafts are shown. */
  published: string | undefined;
  siteUrl: string;
};

declare global {
  namespace Express {
    interface Locals {
      /** Opens what is asked for. */
      link: Link | undefined;
      desk: DeskState;
    }
  }
}

const deskCookie = 'desk';

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

/**
 * `/desk/link/{secret}` sets a cookie and redirects to the desk, so that no address that is shown, sent or logged has
 * the secret. All other addresses require the cookie.
 */
export function requireSession(router: Router, { site, leads, siteUrl }: DeskOptions): void {
  const { company } = site.content;
  const { timeZone } = company.workingHours;
  const broadcast = company.broadcast !== undefined;
  const cookie = {
    path: '/desk',
    httpOnly: true,
    secure: siteUrl.startsWith('https:'),
    // `strict` would withhold the cookie after a link from a messenger.
    sameSite: 'lax',
  } as const;

  router.route('/desk/link/:secret').get((req, res) => {
    const { secret } = req.params;
    const { until } = requireLink(res);
    res.cookie(deskCookie, secret, { ...cookie, expires: new Date(until) });
    res.redirect(303, '/desk');
  });

  router.use('/desk', async (_req, res, next) => {
    const { name, until } = requireLink(res);
    const quarantined = await leads.count({ state: 'quarantined' });
    res.locals.desk = { name, until: formatDay(localTime(new Date(until), timeZone).date), quarantined, broadcast };
    next();
  });

  router.route('/desk/leave').post((_req, res) => {
    res.clearCookie(deskCookie, cookie);
    res.locals.log.info({ by: res.locals.desk.name }, 'desk left');
    res.redirect(303, '/');
  });
}

function requireLink({ locals: { link } }: Response): Link {
  if (!link) throw new HttpError(403, 'No link to the desk', { explanation: noLink });
  return link;
}

const noLink =
  'Стол заявок открывают по личной ссылке. В этом браузере её не открывали, вы вышли, её срок кончился или её отозвали. Новую даст тот, кто ведёт сервер.';

export function sendDeskPage(res: Response, { render }: Site, view: PageView): void {
  sendDocument(res, render(view), referrer.none);
}
