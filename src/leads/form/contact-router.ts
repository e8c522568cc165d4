import { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router, text } from 'express';
import { type Calculation, calculate } from '../../calculator/calculation.ts';
import { calculationText } from '../../calculator/calculation-words.ts';
import { calculatorAddress, calculatorPath, orderFields, orderQuery, readOrder } from '../../calculator/order.ts';
import { HttpError, invalidPath } from '../../http/http-error.ts';
import { type Counters, crowd, limiter, limits, usageOf } from '../../http/limits.ts';
import { methodNotAllowed } from '../../http/method-not-allowed.ts';
import { type Site, sendDocument } from '../../http/site.ts';
import { cacheFor } from '../../lib/cache-for.ts';
import { presetTitle } from '../../model/preset-title.ts';
import { callPromise } from '../../model/working-hours.ts';
import type { Desk } from '../operator/desk.ts';
import type { SpamSignal } from '../spam/spam.ts';
import { consentOf } from '../store/consent.ts';
import type { LeadStore, NewLead } from '../store/lead.ts';
import type { Challenge } from './challenge.ts';
import { contactView, type FormState } from './contact.page.tsx';
import { receiptView } from './receipt.page.tsx';
import { type RequestReading, type RequestValues, readRequest, readValues, renderedAt } from './request.ts';

const formType = 'application/x-www-form-urlencoded';

/** A whole chapter still comes back with the advice to shorten it; beyond, nobody has typed it. */
const largestForm = '256kb';

/** A preset for links that name none. */
const generalPreset = 'request';

/** Sentences for visitors whose form did not get through; the phone number stands beside them. */
const notices = {
  limit:
    'С вашего адреса пришло слишком много заявок подряд. Эта ещё не отправлена: повторите через 10 минут или позвоните.',
  store:
    'Заявка не отправлена: у нас неполадка, мы уже чиним. Текст сохранился на этой странице. Повторите через минуту или позвоните.',
  foreign: 'Заявка ещё не отправлена: форма пришла с другого сайта. Проверьте, что вы написали, и отправьте отсюда.',
  tooLarge:
    'Заявка не отправлена: сообщение слишком большое. Вернитесь назад, сократите текст и отправьте ещё раз, или позвоните.',
  unreadable:
    'Заявка не отправлена: браузер прислал её в виде, который мы не смогли прочитать. Заполните форму ещё раз или позвоните.',
} as const;

/** Cloudflare's own name; the widget puts its token there. */
const tokenField = 'cf-turnstile-response';

type Options = {
  site: Site;
  leads: LeadStore;
  receive: Desk['receive'];
  siteUrl: string;
  /** Where submissions are counted. */
  counters: Counters;
  /** Asked about the token of a form that can be taken; without it, tokens are ignored. */
  challenge?: Challenge | undefined;
};

/**
 * The request form, without any script: a page with the form, its submission,
 * and the receipt. A lead is on disk before the visitor is told that it was received.
 */
export function contact({ site, leads, receive, siteUrl, challenge, counters }: Options): Router {
  const { content, render } = site;
  const { consent } = consentOf(content.legal.consent);
  const router = Router({ caseSensitive: true, strict: true });

  const parse = text({ type: formType, limit: largestForm });

  const read: RequestHandler = (req, res, next) => {
    const fields = fieldsOf(req);
    const origin = originOf(req, siteUrl);
    const signals: SpamSignal[] = origin === 'unknown' ? ['no-origin'] : [];
    const calculation = calculated(fields.get('calc') ?? '')?.text ?? null;
    const reading = readRequest(fields, content.presets, { consent, signals, calculation });
    res.locals.sent = { fields, origin, reading };
    next();
  };

  const refuseOverLimit: RequestHandler = (_req, res) => {
    showForm(res, 429, readValues(res.locals.sent.fields), { notice: notices.limit });
  };
  // Whoever makes mistakes takes nothing from others behind the same address, and the other way round.
  const countMistakes = limiter(
    limits.mistakes,
    refuseOverLimit,
    counters.mistakes,
    (_, res) => res.locals.sent.reading.ok,
  );
  const countRequests = limiter(
    limits.contact,
    refuseOverLimit,
    counters.contact,
    (_, res) => !res.locals.sent.reading.ok,
  );

  router
    .route('/contact')
    .all((_req, res, next) => {
      res.set('Cache-Control', cacheFor.never);
      next();
    })
    .get((req, res) => {
      const preset = req.query.preset === undefined ? generalPreset : String(req.query.preset);
      if (!content.presets.some(({ slug }) => slug === preset)) throw invalidPath(req.originalUrl);
      const { page, attribution } = openedFrom(req, siteUrl);
      const { calc } = readValues(new URLSearchParams({ calc: String(req.query.calc ?? '') }));
      showForm(res, 200, { ...blank(), preset, page, attribution, calc });
    })
    .post(requireForm, parse, read, countMistakes, countRequests, async (req, res) => {
      const { fields, origin, reading } = res.locals.sent;
      if (!reading.ok) return showForm(res, 422, reading.values, { errors: reading.errors });
      if (origin === 'foreign') {
        // Another site may have ticked it.
        return showForm(res, 403, { ...readValues(fields), consent: false }, { notice: notices.foreign });
      }
      try {
        const crowded: SpamSignal[] = (usageOf(req)?.used ?? 0) > crowd ? ['crowd'] : [];
        const { signals, ...words } = await challenged(reading.lead, fields, res);
        const lead = { ...words, signals: [...signals, ...crowded] };
        const { receipt } = await receive(lead, renderedAt(fields.get('key') ?? ''));
        res.redirect(303, `/contact/${receipt}`);
      } catch (error) {
        // Whatever went wrong, the visitor keeps what they wrote.
        res.locals.log.error({ err: error }, 'lead not stored');
        showForm(res, 503, readValues(fields), { notice: notices.store });
      }
    })
    .all(methodNotAllowed('GET, HEAD, POST'));

  router
    .route('/contact/:receipt')
    .get(async (req, res) => {
      const receipt = await leads.receipt(req.params.receipt);
      if (receipt === undefined) throw invalidPath(req.originalUrl);
      const promise =
        receipt.takenAt === null
          ? callPromise(content.company.workingHours, new Date(receipt.receivedAt))
          : 'Менеджер взял вашу заявку и уже звонит вам.';
      res.set('Cache-Control', cacheFor.never);
      const view = receiptView({
        content,
        number: receipt.number,
        presetTitle: presetTitle(content, receipt.preset),
        calculation: receipt.calculation,
        promise,
      });
      // The address is a secret: the page that is opened next must not learn it, nor the counter there.
      sendDocument(res, render(view), { 'Referrer-Policy': 'strict-origin' });
    })
    .all(methodNotAllowed('GET, HEAD'));

  /** What body parsing refuses is still a person with a form. */
  const refusedBody: ErrorRequestHandler = (error, req, res, next) => {
    const status = Error.isError(error) && 'status' in error ? Number(error.status) : 500;
    if (req.path !== '/contact' || req.method !== 'POST' || ![400, 413, 415].includes(status)) return next(error);
    const notice = status === 413 ? notices.tooLarge : notices.unreadable;
    showForm(res, status, { ...blank(), preset: generalPreset }, { notice });
  };
  router.use(refusedBody);

  /** The lead, with a signal more if its token is a false one. */
  async function challenged(lead: NewLead, fields: URLSearchParams, res: Response): Promise<NewLead> {
    if (challenge === undefined) return lead;
    const outcome = await challenge(fields.get(tokenField) ?? '');
    res.locals.log.info({ challenge: outcome }, 'challenge');
    if (outcome.verdict === 'failed') return { ...lead, signals: [...lead.signals, 'challenge'] };
    return outcome.reason === 'no-token' ? { ...lead, signals: [...lead.signals, 'no-challenge'] } : lead;
  }

  /**
   * What the calculator makes of the query that a form carries: sums from outside are never believed.
   *
   * @returns `undefined` for whatever is no order; the request is none the worse for it
   */
  function calculated(calc: string): { calculation: Calculation; query: string; text: string } | undefined {
    const query = Object.fromEntries(new URLSearchParams(readValues(new URLSearchParams({ calc })).calc));
    const { values, order } = readOrder(content.calculator, query);
    if (order === undefined) return undefined;
    const calculation = calculate(content.rates, content.calculator, order);
    const asked = orderQuery(values);
    return { calculation, query: asked, text: calculationText(content, calculation, siteUrl + calculatorPath(asked)) };
  }

  function showForm(
    res: Response,
    status: number,
    values: RequestValues,
    extra: { errors?: readonly { field: string; text: string }[]; notice?: string } = {},
  ): void {
    const preset =
      content.presets.find(({ slug }) => slug === values.preset) ??
      content.presets.find(({ slug }) => slug === generalPreset);
    if (preset === undefined) throw new Error(`The content has no preset "${generalPreset}", which every site needs.`);
    const { name, phone, message, key, page, attribution } = values;
    const form: FormState = {
      preset,
      values: { name, phone, message, consent: values.consent ? 'yes' : '' },
      errors: (extra.errors ?? []).map(({ field, text }) => ({ field: field === 'form' ? '' : field, message: text })),
      key,
      page,
      attribution,
      order: calculated(values.calc),
      ...(extra.notice !== undefined && { notice: extra.notice }),
    };
    res.status(status);
    sendDocument(res, render(contactView({ content, form })));
  }

  return router;
}

/** A form that came, as it was read. */
type Sent = { fields: URLSearchParams; origin: Origin; reading: RequestReading };

declare global {
  namespace Express {
    interface Locals {
      sent: Sent;
    }
  }
}

/** An empty form, with a key of its own. */
function blank(): RequestValues {
  return readValues(new URLSearchParams());
}

const requireForm: RequestHandler = (req, _res, next) => {
  const fits = (req.is(formType) && isUtf8(req.get('content-type'))) || !hasBody(req);
  next(fits ? undefined : new HttpError(415, 'Unsupported Media Type'));
};

/** The pages are in UTF-8, so no browser sends a form in anything else. */
function isUtf8(type = ''): boolean {
  return /^utf-?8$/i.test(/;\s*charset="?([^";\s]*)/i.exec(type)?.[1] ?? 'utf-8');
}

function hasBody(req: Request): boolean {
  return req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0;
}

function fieldsOf(req: Request): URLSearchParams {
  const fields = new URLSearchParams(typeof req.body === 'string' ? req.body : '');
  fields.delete('attribution.calc');
  // Whoever landed on a calculation has it among what the browser kept of the landing page.
  return fields.has('attribution.units') ? withoutOrder(fields) : fields;
}

/** What was counted is no campaign. */
function withoutOrder(fields: URLSearchParams): URLSearchParams {
  for (const name of orderFields) fields.delete(`attribution.${name}`);
  return fields;
}

type Origin = 'own' | 'foreign' | 'unknown';

/**
 * Whether a form was sent from a page of this site. Browsers say so themselves;
 * older ones name the origin; whoever says nothing may still be a person.
 */
function originOf(req: Request, siteUrl: string): Origin {
  const site = req.get('sec-fetch-site');
  if (site !== undefined) return site === 'cross-site' ? 'foreign' : 'own';
  const origin = req.get('origin');
  if (origin === undefined || origin === 'null') return 'unknown';
  return origin === siteUrl || URL.parse(origin)?.host === req.get('host') ? 'own' : 'foreign';
}

/**
 * The page that the visitor came from, and what its address says of a campaign. Whoever comes from another site
 * has landed on the form itself.
 */
function openedFrom(req: Request, siteUrl: string): Pick<RequestValues, 'page' | 'attribution'> {
  const referrer = URL.parse(req.get('referer') ?? '');
  const own = referrer !== null && (referrer.origin === siteUrl || referrer.host === req.get('host'));
  const landing = own ? referrer : URL.parse(req.originalUrl, siteUrl);
  // Read like the form's own hidden fields, so that the same bounds hold.
  const fields = new URLSearchParams({ page: own ? referrer.pathname : '' });
  for (const [name, value] of landing?.searchParams ?? []) fields.append(`attribution.${name}`, value);
  fields.delete('attribution.preset');
  fields.delete('attribution.calc');
  return readValues(landing?.pathname === calculatorAddress ? withoutOrder(fields) : fields);
}
