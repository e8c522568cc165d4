import * as z from 'zod';
import { typeset } from './typography.ts';

/*
 * What editors may write, one schema a kind of file. The parsed types below are
 * the vocabulary of the whole project. Every object is strict: a misspelt field
 * is reported, not ignored.
 */

/** A line of text that visitors read; typeset for Russian. */
const text = z.string().trim().min(1).transform(typeset);
/** A line for `<title>` and search results, where longer lines are cut off. */
const title = z.string().trim().min(10).max(90).transform(typeset);
const description = z.string().trim().min(50).max(220).transform(typeset);
const slug = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'lower-case Latin letters, digits and single hyphens');
const sitePath = z.string().regex(/^\/([a-z0-9-]+(\/[a-z0-9-]+)*)?$/, 'a path of this site, such as /services/photo');
/** A calendar date as editors write it, `2026-11-20`. */
const date = z.iso.date();
/**
 * When somebody last held a text against the world and found it true. Needed only if that was after the last change,
 * `updated`; `npm run check` warns when both are long past.
 */
const checked = date;
const id = z.int().positive();
const list = z.array(text).min(1);
/** Roubles with at most two decimals, kept as integer kopecks. */
const roubles = z
  .number()
  .nonnegative()
  .refine((value) => Number.isInteger(Math.round(value * 1e6) / 1e4), 'roubles with at most two decimals')
  .transform((value) => Math.round(value * 100));

/** Which service, case or review is about which marketplace. */
const marketplace = z.enum(['Wildberries', 'Ozon', 'Яндекс Маркет']);

/** E.164, the form that links and the store use. */
const e164 = z.string().regex(/^\+[1-9]\d{6,14}$/, 'a phone number such as +74950000000');

export const companySchema = z.strictObject({
  /** True while the facts are invented; the server warns about it at start. */
  demo: z.boolean(),
  name: text,
  legalName: text,
  slogan: text,
  description,
  founded: z.int().min(1900),
  inn: z.string().regex(/^\d{10}(\d{2})?$/, '10 or 12 digits'),
  kpp: z
    .string()
    .regex(/^\d{9}$/, '9 digits')
    .optional(),
  ogrn: z.string().regex(/^\d{13}(\d{2})?$/, '13 or 15 digits'),
  /** Shown in the footer. */
  phone: z.strictObject({ number: e164, text: z.string().min(5) }),
  /** Toll-free; where call links lead. */
  tollFree: z.strictObject({ number: e164, text: z.string().min(5) }),
  email: z.email(),
  address: z.strictObject({
    postalCode: z.string().regex(/^\d{6}$/, '6 digits'),
    locality: text,
    street: text,
    latitude: z.number().min(-90).max(90),
    longitude: z.number().min(-180).max(180),
  }),
  /** Shown while no broadcast is on, for instance «Трансляция с 8:00». */
  broadcast: text,
  workingHours: z.strictObject({
    timeZone: z.string().refine((zone) => Intl.supportedValuesOf('timeZone').includes(zone), 'an IANA time zone'),
    text,
    /** Monday first; `null` is a day off. */
    week: z.array(z.tuple([z.iso.time({ precision: -1 }), z.iso.time({ precision: -1 })]).nullable()).length(7),
    holidays: z.array(date),
  }),
  /** In the order of the icons: a call, a messenger, a chat app, a social network. */
  social: z
    .array(z.strictObject({ kind: z.enum(['phone', 'messenger', 'chat', 'network']), text, href: z.url() }))
    .min(1),
});

export const navigationSchema = z.array(
  z.strictObject({
    to: sitePath,
    text,
    /** The dropdown that the entry stands in; without it, the entry stands in the bar itself. */
    sub: z.enum(['services', 'about']).optional(),
  }),
);

const question = z.strictObject({ question: text, answer: text });

/** Front matter of `services/{slug}.md`; the body explains the service. */
export const serviceSchema = z.strictObject({
  to: sitePath,
  text,
  heading: text,
  /** Names the marketplaces or cities that the service covers. */
  subheading: text,
  title,
  description,
  order: z.int(),
  /** Slug of the preset that the page's button opens. */
  preset: slug,
  /** Ids of the rate groups whose prices the page shows. */
  rates: z.array(slug),
  audience: list,
  included: list,
  excluded: list,
  minimum: text,
  term: text,
  preparation: list,
  limits: list,
  steps: z.array(z.strictObject({ title: text, text, time: text })).min(2),
  responsibility: text,
  questions: z.array(question).min(1),
  /** Paths of neighbouring services. */
  related: z.array(sitePath).min(1),
  updated: date,
  checked: checked.optional(),
});

export const ratesSchema = z.strictObject({
  effective: date,
  checked: checked.optional(),
  vat: text,
  materials: text,
  groups: z
    .array(
      z.strictObject({
        id: slug,
        title: text,
        note: text.optional(),
        rows: z
          .array(
            z.strictObject({
              id: slug,
              text,
              unit: text,
              /** Prices in roubles, by volume: each tier holds from `from` units up. */
              tiers: z.array(z.strictObject({ from: z.int().positive(), price: roubles })).min(1),
              /** Price in roubles of each further unit, where the first one costs more. */
              next: z.strictObject({ unit: text, price: roubles }).optional(),
              /** Smallest charge in roubles. */
              minimum: roubles.optional(),
              note: text.optional(),
            }),
          )
          .min(1),
      }),
    )
    .min(1),
});

/** Front matter of `cases/{slug}.md`; the body tells what was done. */
export const caseSchema = z.strictObject({
  id,
  sample: z.boolean(),
  heading: text,
  title,
  description,
  published: date,
  niche: text,
  marketplaces: z.array(marketplace).min(1),
  /** Paths of the services involved. */
  services: z.array(sitePath).min(1),
  task: text,
  start: text,
  volume: text,
  period: text,
  /** How the figures were measured. */
  method: text,
  results: z.array(z.strictObject({ metric: text, before: text, after: text })).min(1),
  limits: text,
});

export const categorySchema = z.strictObject({ slug, text, heading: text, title, description, lead: text });
export const categoriesSchema = z.strictObject({
  blog: z.array(categorySchema).min(1),
  reviews: z.array(categorySchema).min(1),
});

/** Front matter of `reviews/{slug}.md`; the body is the review itself. */
export const reviewSchema = z.strictObject({
  id,
  sample: z.boolean(),
  category: slug,
  author: text,
  role: text,
  marketplaces: z.array(marketplace).min(1),
  /** Path of the service that the review is about. */
  service: sitePath,
  published: date,
  /** Where the review was taken from. */
  source: text,
  reply: text.optional(),
});

/** Front matter of `blog/{category}/{slug}.md`. */
export const articleSchema = z.strictObject({
  id,
  heading: text,
  title,
  description,
  /** The conclusion, which stands first. */
  summary: text,
  author: text,
  published: date,
  updated: date.optional(),
  sources: z.array(z.strictObject({ text, href: z.url() })).optional(),
  /** Slugs of related articles of any category. */
  related: z.array(slug).min(1),
  checked: checked.optional(),
  /** Video news only. The body is the transcript. */
  video: z
    .strictObject({
      /** ISO 8601, such as `PT3M20S`. */
      duration: z.iso.duration(),
      href: z.url(),
    })
    .optional(),
});

/** Front matter of `news/{slug}.md`, the company's own news. */
export const newsSchema = z.strictObject({
  id,
  heading: text,
  title,
  description,
  published: date,
  /** From when the change holds. */
  since: date,
  /** What a client has to do. */
  action: text,
});

export const questionsSchema = z
  .array(z.strictObject({ slug, topic: text, question: text, answer: z.string().trim().min(1) }))
  .min(1);

/** Front matter of `legal/{slug}.md`. */
export const legalSchema = z.strictObject({
  heading: text,
  title,
  description,
  version: z.string().min(1),
  effective: date,
});

/** Front matter of `pages/{name}.md`: the words of a page that is not one of a kind. */
export const pageTextSchema = z.strictObject({
  heading: text,
  title,
  description,
  lead: text,
  updated: date.optional(),
  checked: checked.optional(),
});

/** `home.yaml`: what the home page says besides the lists it shows. */
export const homeSchema = z.strictObject({
  updated: date.optional(),
  heading: text,
  title,
  description,
  lead: text,
  points: z.array(z.strictObject({ title: text, text })).length(3),
  /** How we work: a step, its time, the client's documents, our result. */
  steps: z.array(z.strictObject({ title: text, text, time: text, documents: text, result: text })).min(3),
});

export const presetsSchema = z
  .array(
    z.strictObject({
      slug,
      title: text,
      description: text,
      /** A file under `public/`, such as `/images/presets/bonus.svg`. */
      image: z.string().startsWith('/images/'),
      button: text,
      /** Asked besides the phone and the consent. */
      name: z.boolean(),
      message: z.enum(['required', 'optional', 'none']),
      messageLabel: text.optional(),
    }),
  )
  .min(1);

export const redirectsSchema = z.array(z.strictObject({ from: sitePath, to: sitePath }));
