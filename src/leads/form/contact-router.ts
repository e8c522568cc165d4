import type { ErrorRequestHandler, Request, RequestHandler, Response, Router } from 'express';
import { wantsJson } from '../../http/errors.ts';
import { fieldsOf, type Origin, originOf, readForm } from '../../http/form.ts';
import { invalidPath } from '../../http/http-error.ts';
import { sharedAddressForms, usageOf } from '../../http/limits.ts';
import { neverStored } from '../../http/never-stored.ts';
import { exactRouter, refusingOthers } from '../../http/router.ts';
import { referrer, sendDocument } from '../../http/send-document.ts';
import { cacheFor } from '../../lib/cache-for.ts';
import { isCampaign } from '../../model/campaign.ts';
import { type Content, hasPage } from '../../model/content.ts';
import type { FieldError } from '../../model/field-error.ts';
import { generalPreset } from '../../model/schemas/presets-schema.ts';
import { callPromise, isOpen } from '../../model/working-hours.ts';
import { billOf } from '../../pricing/bill.ts';
import { calculate } from '../../pricing/calculation.ts';
import { calculatorAddress, calculatorPath, orderQuery } from '../../pricing/order-fields.ts';
import { loadOf } from '../../pricing/pallet-load.ts';
import { readOrder } from '../../pricing/read-order.ts';
import { daysOf, termOf } from '../../pricing/term.ts';
import type { Site } from '../../site/site.ts';
import type { LeadIntake } from '../intake/lead-intake.ts';
import type { SpamSignal } from '../spam/spam.ts';
import { consentOf, type Leads } from '../store/leads.ts';
import { StoreError } from '../store/sql.ts';
import { contactView, type FormState } from './contact.page.tsx';
import {
  blankLeadForm,
  type LeadFormReading,
  type LeadFormValues,
  readAttribution,
  readCalc,
  readLeadForm,
  readPage,
} from './read-lead-form.ts';
import { receiptView } from './receipt.page.tsx';
import type { Challenge } from './verify-challenge.ts';

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

/** By status of the parser's error. */
const unreadNotices: Readonly<Record<number, string>> = {
  400: notices.unreadable,
  413: notices.tooLarge,
  415: notices.unreadable,
};

export type ContactOptions = {
  site: Site;
  leads: Leads;
  receive: LeadIntake['receive'];
  siteUrl: string;
  limit: RequestHandler;
  /** Without it, tokens are ignored. */
  challenge?: Challenge | undefined;
};

/** A lead is on disk before the visitor gets the receipt. */
export function contactRouter(options: ContactOptions): Router {
  const { site, leads, siteUrl, limit } = options;
  const { content, render } = site;
  const router = exactRouter();

  router
    .route('/contact')
    .all(neverStored)
    .get((req, res) => {
      const preset = String(req.query.preset ?? generalPreset);
      if (!content.presets.some(({ slug }) => slug === preset)) throw invalidPath(req.originalUrl);
      const calc = readCalc(String(req.query.calc ?? ''));
      sendForm(res, 200, { values: { ...blankLeadForm(), preset, calc, ...openedFrom(req, siteUrl) } }, options);
    })
    .post(limit, ...readForm, async (req, res) => {
      const form = readLeadForm(fieldsOf(req), content.presets);
      const outcome = await submit(form, req, res, options);
      if ('receipt' in outcome) return res.redirect(303, `/contact/${outcome.receipt}`);
      const answer = withoutOldConsent(outcome, form, content);
      const { status, notice, errors = [] } = answer;
      if (!wantsJson(req)) return sendForm(res, status, answer, options);
      // The error handler would log an outage of the store for each form.
      const message = notice ?? errors.map(({ message }) => message).join('. ');
      res.status(status).vary('Accept').json({ statusCode: status, message, fatal: false });
    });

  router
    .route('/contact/:receipt')
    .all(neverStored)
    .get(async (req, res) => {
      const lead = await leads.receipt(req.params.receipt);
      if (lead === undefined) throw invalidPath(req.originalUrl);
      sendDocument(res, render(receiptView({ content, lead, now: new Date() })), referrer.originOnly);
    });

  router.use(sendBlankForm(options));
  return refusingOthers(router);
}

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

type FormAnswer = { values: LeadFormValues; errors?: readonly FieldError[]; notice?: string };

async function submit(
  form: LeadFormReading,
  req: Request,
  res: Response,
  options: ContactOptions,
): Promise<{ receipt: string } | (FormAnswer & { status: number })> {
  const { values } = form;
  const unticked = { ...values, consent: false };
  if (!form.ok) return { status: 422, values, errors: form.errors };
  const origin = originOf(req, options.siteUrl);
  // The other site may have ticked the box.
  if (origin === 'foreign') return { status: 403, values: unticked, notice: notices.foreign };
  try {
    const consent = await findConsent(form.consentVersion, options);
    if (consent === undefined) return { status: 422, values };
    const challenged = await challengeSignals(form.token, res, options.challenge);
    const signals = [...form.signals, ...originSignals(req, origin), ...challenged];
    const calculation = calculateOrder(values.calc, options)?.bill ?? null;
    const lead = { ...form.words, consent: consent.hash, calculation, signals };
    return await options.receive(lead, { renderedAt: form.renderedAt, consentText: consent.text });
  } catch (error) {
    // An outage of the store is logged once, not for each form.
    if (!(error instanceof StoreError)) res.locals.log.error({ err: error }, 'lead not stored');
    return { status: 503, values, notice: notices.store };
  }
}

/** @returns the text that the visitor agreed to, unless it is stored already; `undefined` if its version is unknown */
async function findConsent(
  version: string,
  { site, leads }: ContactOptions,
): Promise<{ hash: string; text: string | undefined } | undefined> {
  const current = consentOf(site.content.legal.consent);
  // Programs need not name the text that they showed.
  if (version === '' || version === current.hash) return current;
  const known = (await leads.consentText(version)) !== undefined;
  return known ? { hash: version, text: undefined } : undefined;
}

/** The form that goes back names the current text, so it must not keep the tick under another one. */
function withoutOldConsent<A extends FormAnswer>(answer: A, { consentVersion }: LeadFormReading, content: Content): A {
  const { values, errors = [] } = answer;
  if (!values.consent || ['', consentOf(content.legal.consent).hash].includes(consentVersion)) return answer;
  return { ...answer, values: { ...values, consent: false }, errors: [...errors, consentChanged] };
}

async function challengeSignals(token: string, res: Response, challenge?: Challenge): Promise<SpamSignal[]> {
  if (challenge === undefined) return [];
  const outcome = await challenge(token);
  res.locals.log.info({ challenge: outcome }, 'challenge');
  // A missing token says nothing: the script of Cloudflare often does not load in Russia.
  return outcome.verdict === 'failed' ? ['challenge'] : [];
}

function originSignals(req: Request, origin: Origin): SpamSignal[] {
  const isShared = (usageOf(req)?.used ?? 0) > sharedAddressForms;
  return [...(origin === 'unknown' ? ['no-origin' as const] : []), ...(isShared ? ['shared-address' as const] : [])];
}

/** Errors of the body parser show the form, too. */
function sendBlankForm(options: ContactOptions): ErrorRequestHandler {
  return (error, req, res, next) => {
    const status = Error.isError(error) && 'status' in error ? Number(error.status) : 500;
    const notice = unreadNotices[status];
    if (req.path !== '/contact' || req.method !== 'POST' || notice === undefined || wantsJson(req)) return next(error);
    sendForm(res, status, { values: blankLeadForm(), notice }, options);
  };
}

function sendForm(res: Response, status: number, answer: FormAnswer, options: ContactOptions): void {
  const { content, render } = options.site;
  const { values, errors = [], notice } = answer;
  const preset = content.presets.find(({ slug }) => slug === values.preset) ?? content.presets[0];
  if (preset === undefined) throw new Error('The content has no preset, which its schema rules out.');
  const { workingHours } = content.company;
  const now = new Date();
  const form = {
    ...{ preset, values, errors, notice },
    order: calculateOrder(values.calc, options),
    consentVersion: consentOf(content.legal.consent).hash,
    promise: callPromise(workingHours, now),
    open: isOpen(workingHours, now),
  };
  res.status(status);
  // Back must return to this form and its key: a new key would make a second lead of the same words.
  res.set('Cache-Control', cacheFor.history);
  sendDocument(res, render(contactView({ content, form })));
}

/** Sums from the client are not trusted. */
function calculateOrder(calc: string, { site: { content }, siteUrl }: ContactOptions): FormState['order'] {
  if (!hasPage(content, 'calc')) return undefined;
  const { values, order } = readOrder(content.calculator, Object.fromEntries(new URLSearchParams(calc)));
  if (order === undefined) return undefined;
  const query = orderQuery(values);
  const calculation = calculate(content.rates, content.calculator, order);
  const term = termOf(content, calculation);
  const bill = {
    ...billOf(content, calculation, term),
    effective: content.rates.effective,
    address: siteUrl + calculatorPath(query),
    days: term && daysOf(term),
    load: loadOf(content.calculator, calculation),
  };
  return { bill, query };
}
