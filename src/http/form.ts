import { type Request, type RequestHandler, text } from 'express';
import { HttpError } from './http-error.ts';

const formType = 'application/x-www-form-urlencoded';

/** Several times what a form has; parsing costs more than in proportion. */
const maxFields = 200;
/** Four times the longest text. A longer one was not typed, and would cost several times a page to send back. */
const maxFieldLength = 16_000;

/** Long texts get advice to shorten them; larger bodies were not typed. */
const maxFormSize = '64kb';

const requireForm: RequestHandler = (req, _res, next) => {
  // `req.is` returns `null` without a body, which is fine.
  next(req.is(formType) === false ? new HttpError(415, 'Unsupported Media Type') : undefined);
};

const splitForm: RequestHandler = (req, _res, next) => {
  const encoded = typeof req.body === 'string' ? req.body : '';
  const tooMany = encoded.split('&', maxFields + 1).length > maxFields;
  const fields = new URLSearchParams(tooMany ? '' : encoded);
  const isTooLong = (value: string) => value.length > maxFieldLength;
  if (tooMany || fields.values().some(isTooLong)) return next(new HttpError(413, 'Payload Too Large'));
  req.body = fields;
  next();
};

/**
 * Reads a form for `fieldsOf`. Refuses compressed forms, which browsers do not send: a brotli stream of 80 bytes makes
 * its decoder take 16 MB.
 */
export const readForm = [requireForm, text({ type: formType, limit: maxFormSize, inflate: false }), splitForm];

/** After `readForm`. */
export function fieldsOf({ body }: Request): URLSearchParams {
  return body;
}

export type Origin = 'own' | 'foreign' | 'unknown';

/** Older browsers lack Sec-Fetch-Site; even without Origin, it may be a person. */
export function originOf(req: Request, siteUrl: string): Origin {
  const site = req.get('sec-fetch-site');
  if (site !== undefined) return site === 'cross-site' ? 'foreign' : 'own';
  const origin = req.get('origin');
  if (origin === undefined || origin === 'null') return 'unknown';
  return origin === siteUrl || URL.parse(origin)?.host === req.get('host') ? 'own' : 'foreign';
}
