import { type ErrorRequestHandler, type Request, type RequestHandler, type Response, type Router, text } from 'express';
import { formType, type Origin, originOf } from '../../http/form.ts';
import { HttpError, invalidPath } from '../../http/http-error.ts';
import { type Counters, crowd, limiter, limits, usageOf } from '../../http/limits.ts';
import { exactRouter, refusingOthers } from '../../http/router.ts';
import { sendDocument } from '../../http/send-document.ts';
import { cacheFor } from '../../lib/cache-for.ts';
import { generalPreset } from '../../model/content.ts';
import { callPromise, callTime } from '../../model/working-hours.ts';
import { billOf } from '../../services/bill.ts';
import { calculate } from '../../services/calculation.ts';
import { calculatorAddress, calculatorPath, orderQuery, readOrder } from '../../services/order.ts';
import type { Site } from '../../site/site.ts';
import type { SpamSignal } from '../spam/spam.ts';
import { consentOf } from '../store/consent.ts';
import type { Leads } from '../store/leads.ts';
import type { Challenge } from './challenge.ts';
import { contactView, type FormState } from './contact.page.tsx';
import { receiptView } from './receipt.page.tsx';
import type { Desk } from './receive.ts';
import {
  blank,
  type RequestReading,
  type RequestValues,
  readAttribution,
  readCalc,
  readPage,
  readRequest,
} from './request.ts';

/** A whole chapter still comes back with the advice to shorten it; what is larger was not typed. */
const largestForm = '256kb';

/** Sentences for visitors whose form did not get through; the phone number stands beside them. */
const notices = {
  limit: 'Заявка ещё не отправлена: с вашего адреса их пришло слишком много. Повторите через 10 минут или позвоните.',
  store:
    'Заявка не отправлена: у нас неполадка, мы уже чиним. Текст сохранился на этой странице. Повторите через минуту или позвоните.',
  foreign: 'Заявка ещё не отправлена: форму открыли не на нашем сайте. Проверьте, что написали, и отправьте отсюда.',
  tooLarge:
    'Заявка не отправлена: сообщение слишком длинное. Вернитесь назад, сократите его и отправьте ещё раз или позвоните.',
  unreadable: 'Заявка не отправлена: она не дошла целиком. Заполните форму ещё раз или позвоните.',
} as const;

type Options = {
  site: Site;
  leads: Leads;
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
  // Loading has seen to the general one; what was published before that was looked at has some other.
  const general = content.presets.find(({ slug }) => slug === generalPreset) ?? content.presets[0];
  const router = exactRouter();

  const parse = text({ type: formType, limit: largestForm });

  const read: RequestHandler = (req, res, next) => {
    const fields = new URLSearchParams(typeof req.body === 'string' ? req.body : '');
    const reading = readRequest(fields, content.presets);
    res.locals.sent = { reading, origin: originOf(req, siteUrl), order: calculated(reading.values.calc) };
    next();
  };

  const refuseOverLimit: RequestHandler = (_req, res) => {
    const { reading, order } = res.locals.sent;
    showForm(res, 429, { values: reading.values, order, notice: notices.limit });
  };
  // Mistakes take nothing from the requests of others behind the same address, nor requests from their mistakes.
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
      const preset = String(req.query.preset ?? general?.slug);
      if (!content.presets.some(({ slug }) => slug === preset)) throw invalidPath(req.originalUrl);
      const order = calculated(readCalc(String(req.query.calc ?? '')));
      showForm(res, 200, { values: { ...blank(), preset, ...openedFrom(req, siteUrl) }, order });
    })
    .post(requireForm, parse, read, countMistakes, countRequests, async (req, res) => {
      const { reading, origin, order } = res.locals.sent;
      const { values } = reading;
      if (!reading.ok) return showForm(res, 422, { values, order, errors: reading.errors });
      if (origin === 'foreign') {
        // Another site may have ticked it.
        return showForm(res, 403, { values: { ...values, consent: false }, order, notice: notices.foreign });
      }
      try {
        const signals = [...reading.signals, ...circumstances(req, origin), ...(await challenged(reading.token, res))];
        const lead = { ...reading.words, consent, calculation: order?.bill ?? null, signals };
        const { receipt } = await receive(lead, reading.renderedAt);
        res.redirect(303, `/contact/${receipt}`);
      } catch (error) {
        // The form comes back with all that the visitor wrote.
        res.locals.log.error({ err: error }, 'lead not stored');
        showForm(res, 503, { values, order, notice: notices.store });
      }
    });

  router.route('/contact/:receipt').get(async (req, res) => {
    const receipt = await leads.receipt(req.params.receipt);
    if (receipt === undefined) throw invalidPath(req.originalUrl);
    const promise =
      receipt.takenAt === null
        ? `Позвоним ${callTime(content.company.workingHours, new Date(receipt.receivedAt))}.`
        : 'Менеджер взял вашу заявку и звонит вам.';
    res.set('Cache-Control', cacheFor.never);
    const view = receiptView({
      content,
      number: receipt.number,
      preset: receipt.preset,
      calculation: receipt.calculation,
      promise,
    });
    // The address is a secret: the page that is opened next must not learn it, nor the counter there.
    sendDocument(res, render(view), { 'Referrer-Policy': 'strict-origin' });
  });

  /** What body parsing refuses is still a person with a form. */
  const refusedBody: ErrorRequestHandler = (error, req, res, next) => {
    const status = Error.isError(error) && 'status' in error ? Number(error.status) : 500;
    if (req.path !== '/contact' || req.method !== 'POST' || ![400, 413, 415].includes(status)) return next(error);
    const notice = status === 413 ? notices.tooLarge : notices.unreadable;
    showForm(res, status, { values: { ...blank(), preset: generalPreset }, notice });
  };
  router.use(refusedBody);

  async function challenged(token: string, res: Response): Promise<SpamSignal[]> {
    if (challenge === undefined) return [];
    const outcome = await challenge(token);
    res.locals.log.info({ challenge: outcome }, 'challenge');
    if (outcome.verdict === 'failed') return ['challenge'];
    return outcome.reason === 'no-token' ? ['no-challenge'] : [];
  }

  /**
   * What the calculator makes of the query that a form carries: sums from outside are never believed.
   *
   * @returns `undefined` for what is no order; the request is none the worse for it
   */
  function calculated(calc: string): FormState['order'] {
    const { values, order } = readOrder(content.calculator, Object.fromEntries(new URLSearchParams(calc)));
    if (order === undefined) return undefined;
    const bill = billOf(content.calculator, calculate(content.rates, content.calculator, order));
    const asked = orderQuery(values);
    const { effective } = content.rates;
    return { bill: { ...bill, effective, address: siteUrl + calculatorPath(asked) }, query: asked };
  }

  function showForm(
    res: Response,
    status: number,
    {
      values,
      errors = [],
      ...shown
    }: { values: RequestValues } & Pick<Partial<FormState>, 'errors' | 'order' | 'notice'>,
  ): void {
    const preset = content.presets.find(({ slug }) => slug === values.preset) ?? general;
    if (preset === undefined) throw new Error('The content has no preset, which its schema rules out.');
    const { name, phone, message, key, page, attribution } = values;
    const typed = { name, phone, message, consent: values.consent ? 'yes' : '' };
    const promise = callPromise(content.company.workingHours, new Date());
    res.status(status);
    // A way back leads over every answer to a form, and Chromium shows an error for one that it was not to keep.
    if (res.req.method === 'POST') res.set('Cache-Control', cacheFor.history);
    const form = { preset, values: typed, errors, key, page, attribution, promise, ...shown };
    sendDocument(res, render(contactView({ content, form })));
  }

  return refusingOthers(router);
}

/** A form that came, as it was read. */
type Sent = { reading: RequestReading; origin: Origin; order: FormState['order'] };

declare global {
  namespace Express {
    interface Locals {
      sent: Sent;
    }
  }
}

/** What speaks against a request apart from its fields. */
function circumstances(req: Request, origin: Origin): SpamSignal[] {
  const crowded = (usageOf(req)?.used ?? 0) > crowd;
  return [...(origin === 'unknown' ? ['no-origin' as const] : []), ...(crowded ? ['crowd' as const] : [])];
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

/**
 * The page that the visitor came from, and what its address says of a campaign. A visitor from another site has landed
 * on the form itself.
 */
function openedFrom(req: Request, siteUrl: string): Pick<RequestValues, 'page' | 'attribution'> {
  const referrer = URL.parse(req.get('referer') ?? '');
  const own = referrer !== null && (referrer.origin === siteUrl || referrer.host === req.get('host'));
  const landing = own ? referrer : URL.parse(req.originalUrl, siteUrl);
  return {
    page: own ? readPage(referrer.pathname) : '/',
    attribution: readAttribution([...(landing?.searchParams ?? [])], landing?.pathname === calculatorAddress),
  };
}
