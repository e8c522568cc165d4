import { type ErrorRequestHandler, type Request, type RequestHandler, type Response, type Router, text } from 'express';
import type { FieldError } from '../../components/forms/error-summary.tsx';
import { wantsJson } from '../../http/errors.ts';
import { formType, type Origin, originOf } from '../../http/form.ts';
import { HttpError, invalidPath } from '../../http/http-error.ts';
import { crowd, usageOf } from '../../http/limits.ts';
import { exactRouter, refusingOthers } from '../../http/router.ts';
import { sendDocument } from '../../http/send-document.ts';
import { cacheFor } from '../../lib/cache-for.ts';
import { StoreError } from '../../lib/store-error.ts';
import { isCampaign } from '../../model/campaign.ts';
import { generalPreset } from '../../model/schemas/presets-schema.ts';
import { callPromise, nextOpening } from '../../model/working-hours.ts';
import { billOf } from '../../pages/services/bill.ts';
import { calculate } from '../../pages/services/calculation.ts';
import { calculatorAddress, calculatorPath, orderQuery } from '../../pages/services/order-fields.ts';
import { readOrder } from '../../pages/services/read-order.ts';
import { daysOf, termOf } from '../../pages/services/term.ts';
import type { Site } from '../../site/site.ts';
import type { LeadIntake } from '../intake/lead-intake.ts';
import type { SpamSignal } from '../spam/spam.ts';
import { consentOf } from '../store/consent.ts';
import type { Leads } from '../store/leads.ts';
import { contactView, type FormState } from './contact.page.tsx';
import {
  blank,
  type LeadFormReading,
  type LeadFormValues,
  readAttribution,
  readCalc,
  readLeadForm,
  readPage,
} from './read-lead-form.ts';
import { receiptView } from './receipt.page.tsx';
import type { Challenge } from './verify-challenge.ts';

/** Long texts get advice to shorten them; larger bodies were not typed. */
const maxFormSize = '64kb';

/** Several times what a form has; parsing costs more than in proportion. */
const maxFields = 200;

/** Shown with the phone number. */
const notices = {
  store:
    'Заявка не отправлена: у нас неполадка, мы уже чиним. Текст сохранился на этой странице. Повторите через минуту или позвоните.',
  foreign: 'Заявка ещё не отправлена: форму открыли не на нашем сайте. Проверьте, что написали, и отправьте отсюда.',
  tooLarge:
    'Заявка не отправлена: сообщение слишком длинное. Вернитесь назад, сократите его и отправьте ещё раз или позвоните.',
  unreadable: 'Заявка не отправлена: она не дошла целиком. Заполните форму ещё раз или позвоните.',
} as const;

const consentChanged: FieldError = {
  field: 'consent',
  message: 'Текст согласия изменился, пока форма была открыта. Прочитайте его и отметьте согласие ещё раз',
};

const refusals: Readonly<Record<number, string>> = {
  400: notices.unreadable,
  413: notices.tooLarge,
  415: notices.unreadable,
};

type Options = {
  site: Site;
  leads: Leads;
  receive: LeadIntake['receive'];
  siteUrl: string;
  limit: RequestHandler;
  /** Without it, tokens are ignored. */
  challenge?: Challenge;
};

/** A lead is on disk before the visitor gets the receipt. */
export function contact({ site, leads, receive, siteUrl, challenge, limit }: Options): Router {
  const { content, render } = site;
  const consent = consentOf(content.legal.consent);
  const router = exactRouter();

  const parse = text({ type: formType, limit: maxFormSize });

  const read: RequestHandler = (req, res, next) => {
    const body = typeof req.body === 'string' ? req.body : '';
    if (body.split('&', maxFields + 1).length > maxFields) throw new HttpError(413, 'Payload Too Large');
    const fields = new URLSearchParams(body);
    const reading = readLeadForm(fields, content.presets);
    res.locals.sent = { reading, order: calculated(reading.values.calc) };
    next();
  };

  router
    .route('/contact')
    .all(neverCached)
    .get((req, res) => {
      const preset = String(req.query.preset ?? generalPreset);
      if (!content.presets.some(({ slug }) => slug === preset)) throw invalidPath(req.originalUrl);
      const order = calculated(readCalc(String(req.query.calc ?? '')));
      showForm(res, 200, { values: { ...blank(), preset, ...openedFrom(req, siteUrl) }, order });
    })
    .post(limit, requireForm, parse, read, async (req, res) => {
      const { reading, order } = res.locals.sent;
      const { values } = reading;
      const unticked = { ...values, consent: false };
      /** Keeps what the visitor typed. */
      const refuse = (status: number, shown: Partial<Shown>) => {
        const message = shown.notice ?? shown.errors?.map(({ message }) => message).join('. ') ?? '';
        // The error handler would log an outage of the store for each form.
        if (wantsJson(req))
          return res.status(status).vary('Accept').json({ statusCode: status, message, fatal: false });
        showForm(res, status, { values, order, ...shown });
      };
      if (!reading.ok) return refuse(422, { errors: reading.errors });
      const origin = originOf(req, siteUrl);
      // The other site may have ticked the box.
      if (origin === 'foreign') return refuse(403, { values: unticked, notice: notices.foreign });
      let receipt: string | undefined;
      try {
        receipt = await submit(req, res, reading, origin);
      } catch (error) {
        // An outage of the store is logged once, not for each form.
        if (!(error instanceof StoreError)) res.locals.log.error({ err: error }, 'lead not stored');
        return refuse(503, { notice: notices.store });
      }
      if (receipt === undefined) return refuse(422, { values: unticked, errors: [consentChanged] });
      res.redirect(303, `/contact/${receipt}`);
    });

  router
    .route('/contact/:receipt')
    .all(neverCached)
    .get(async (req, res) => {
      const lead = await leads.receipt(req.params.receipt);
      if (lead === undefined) throw invalidPath(req.originalUrl);
      // Keeps the secret address out of the Referer.
      const headers = { 'Referrer-Policy': 'strict-origin' };
      sendDocument(res, render(receiptView({ content, lead, now: new Date() })), headers);
    });

  /** The body parser's errors also show the form. */
  const refused: ErrorRequestHandler = (error, req, res, next) => {
    const status = Error.isError(error) && 'status' in error ? Number(error.status) : 500;
    const notice = refusals[status];
    if (req.path !== '/contact' || req.method !== 'POST' || notice === undefined || wantsJson(req)) return next(error);
    const { sent } = res.locals;
    const values = sent?.reading.values ?? { ...blank(), preset: generalPreset };
    showForm(res, status, { values, order: sent?.order, notice });
  };
  router.use(refused);

  /** @returns the receipt's token; `undefined` if the text that the visitor agreed to is unknown */
  async function submit(req: Request, res: Response, reading: ReadForm, origin: Origin): Promise<string | undefined> {
    // Programs need not name the text that they showed.
    const version = reading.consentVersion || consent.hash;
    const isCurrent = version === consent.hash;
    if (!isCurrent && !(await leads.knowsConsent(version))) return undefined;
    const signals = [...reading.signals, ...circumstances(req, origin), ...(await challenged(reading.token, res))];
    const calculation = res.locals.sent.order?.bill ?? null;
    const lead = { ...reading.words, consent: version, calculation, signals };
    const { renderedAt } = reading;
    return (await receive(lead, { renderedAt, consentText: isCurrent ? consent.text : undefined })).receipt;
  }

  async function challenged(token: string, res: Response): Promise<SpamSignal[]> {
    if (challenge === undefined) return [];
    const outcome = await challenge(token);
    res.locals.log.info({ challenge: outcome }, 'challenge');
    if (outcome.verdict === 'failed') return ['challenge'];
    return outcome.reason === 'no-token' ? ['no-challenge'] : [];
  }

  /** Recalculates, because sums from the client are not trusted. */
  function calculated(calc: string): FormState['order'] {
    const { values, order } = readOrder(content.calculator, Object.fromEntries(new URLSearchParams(calc)));
    if (order === undefined) return undefined;
    const query = orderQuery(values);
    const term = termOf(content, order);
    const bill = billOf(content, calculate(content.rates, content.calculator, order), term);
    const address = siteUrl + calculatorPath(query);
    return { bill: { ...bill, effective: content.rates.effective, address, days: term && daysOf(term) }, query };
  }

  function showForm(res: Response, status: number, shown: Shown): void {
    const preset = content.presets.find(({ slug }) => slug === shown.values.preset) ?? content.presets[0];
    if (preset === undefined) throw new Error('The content has no preset, which its schema rules out.');
    const { workingHours } = content.company;
    const now = new Date();
    const promise = callPromise(workingHours, now);
    const open = nextOpening(workingHours, now)?.open ?? false;
    res.status(status);
    // Back must return to this form and its key: a new key would make a second lead of the same words.
    res.set('Cache-Control', cacheFor.history);
    sendDocument(
      res,
      render(
        contactView({ content, form: { errors: [], ...shown, preset, promise, open, consentVersion: consent.hash } }),
      ),
    );
  }

  return refusingOthers(router);
}

/** Without errors. */
type ReadForm = Extract<LeadFormReading, { ok: true }>;

type Shown = Pick<FormState, 'values'> & Partial<Pick<FormState, 'errors' | 'order' | 'notice'>>;

declare global {
  namespace Express {
    interface Locals {
      sent: { reading: LeadFormReading; order: FormState['order'] };
    }
  }
}

function circumstances(req: Request, origin: Origin): SpamSignal[] {
  const crowded = (usageOf(req)?.used ?? 0) > crowd;
  return [...(origin === 'unknown' ? ['no-origin' as const] : []), ...(crowded ? ['crowd' as const] : [])];
}

const neverCached: RequestHandler = (_req, res, next) => {
  res.set('Cache-Control', cacheFor.never);
  next();
};

const requireForm: RequestHandler = (req, _res, next) => {
  // `req.is` returns `null` without a body, which is fine.
  next(req.is(formType) === false ? new HttpError(415, 'Unsupported Media Type') : undefined);
};

/** With a foreign referrer, the visitor landed on the form itself. */
function openedFrom(req: Request, siteUrl: string): Pick<LeadFormValues, 'page' | 'attribution'> {
  const referrer = URL.parse(req.get('referer') ?? '');
  const own = referrer !== null && (referrer.origin === siteUrl || referrer.host === req.get('host'));
  const landing = own ? referrer : URL.parse(req.originalUrl, siteUrl);
  const found = readAttribution([...(landing?.searchParams ?? [])], landing?.pathname === calculatorAddress);
  return {
    page: own ? readPage(referrer.pathname) : '/',
    attribution: isCampaign(Object.keys(found)) ? found : {},
  };
}
