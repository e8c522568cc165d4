import * as z from 'zod';
import { weekdays } from '../lib/calendar.ts';
import { typeset } from './typography.ts';

/*
 * What editors may write, one schema a kind of file. The parsed types below are
 * the vocabulary of the whole project. Every object is strict: a misspelt field
 * is reported, not ignored.
 */

/** What content names by a word of its own, so that other places may refer to it: in an editor's words. */
const names = {
  service: 'the path of a service',
  preset: 'the slug of a preset',
  article: 'the slug of an article',
  reviews: 'a category of reviews',
  rates: 'the id of a rate group',
  rate: 'the id of a row in rates.yaml',
  marketplace: 'the id of a marketplace',
} as const;
export type Name = keyof typeof names;

/** What a value means for the rest of the content; loading holds it against that. */
export type Mark =
  /** Nothing else in the same list of the same file, or in another file of the folder, has it. */
  | { own: true; as?: Name }
  | { refersTo: Name; expected: string }
  /** A file of `public/`, or one beside the Markdown: pages show it under another address. */
  | { shows: 'asset' | 'picture' };

export const marks = z.registry<Mark>();

function marked<S extends z.ZodType>(schema: S, mark: Mark): S {
  const copy = schema.clone();
  marks.add(copy, mark);
  return copy;
}

const own = <S extends z.ZodType>(schema: S, as?: Name) => marked(schema, { own: true, ...(as && { as }) });
const reference = <S extends z.ZodType>(schema: S, to: Name) => marked(schema, { refersTo: to, expected: names[to] });

/** A line of text that visitors read; typeset for Russian. */
const text = z.string().trim().min(1).transform(typeset);
/** A line for `<title>` and search results, where longer lines are cut off. */
const title = z.string().trim().min(10).max(90).transform(typeset);
const description = z.string().trim().min(50).max(220).transform(typeset);
const slug = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'lower-case Latin letters, digits and single hyphens');
const sitePath = z.string().regex(/^\/([a-z0-9-]+(\/[a-z0-9-]+)*)?$/, 'a path of this site, such as /services/photo');
const service = reference(sitePath, 'service');
/** A calendar date as editors write it, `2026-11-20`. */
const date = z.iso.date();
/** When a post comes out: never while it is a draft, and not before its date, on which it appears by itself. */
const release = { published: date, draft: z.boolean().default(false) };
/**
 * When an editor last held a text against the world and found it true. Needed only if that was after the last change,
 * `updated`; `npm run check` warns when both are long past.
 */
const checked = date;
/** Of a post; part of an address. */
const id = own(z.int().positive());
const list = z.array(text).min(1);
/** Roubles with at most two decimals, kept as integer kopecks. */
const roubles = z
  .number()
  .nonnegative()
  .refine((value) => Number.isInteger(Math.round(value * 1e6) / 1e4), 'roubles with at most two decimals')
  .transform((value) => Math.round(value * 100));

/** A picture under `public/`, such as `/images/presets/bonus.svg`. */
const image = z.string().startsWith('/images/').register(marks, { shows: 'asset' });

/** Which service, case or review is about which marketplace. */
const marketplace = z.enum(['Wildberries', 'Ozon', 'Яндекс Маркет']);

/** E.164, the form that links and the store use. */
const e164 = z.string().regex(/^\+[1-9]\d{6,14}$/, 'a phone number such as +74950000000');

/** A picture file beside the Markdown, and what it shows. */
const picture = z.strictObject({ src: z.string().min(1), alt: text }).register(marks, { shows: 'picture' });
export type Picture = z.output<typeof picture>;

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
  /** Words of the link to the broadcast while none is known to be on, for instance «Трансляция с 8:00». */
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
  order: own(z.int()),
  /** The drawing that says at a glance what the service is. */
  image,
  /** Slug of the preset that the page's button opens. */
  preset: reference(slug, 'preset'),
  /** Ids of the rate groups whose prices the page shows. */
  rates: z.array(reference(slug, 'rates')),
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
  related: z.array(service).min(1),
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
        id: own(slug, 'rates'),
        title: text,
        note: text.optional(),
        rows: z
          .array(
            z.strictObject({
              id: own(slug, 'rate'),
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

/** Kinds of places that goods travel in. */
const place = z.enum(['box', 'pallet']);

const rate = reference(slug, 'rate');

/** One line of a calculation: a row of the rates, and how many units of it an order takes. */
const operation = z.strictObject({
  rate,
  /** What is counted. `litre-day` and `place-day` are charged by the day, while the tier goes by litres and places. */
  of: z.enum(['unit', 'place', 'order', 'km', 'litre-day', 'place-day']).default('unit'),
  /** One for every so many, rounded up. */
  per: z.int().positive().default(1),
  /** So many times over. */
  times: z.int().positive().default(1),
  /** Only for goods in boxes, or only for those on pallets. */
  for: place.optional(),
});
const operations = z.array(operation);
/** One of the answers to a question of the calculator, and what it costs. */
const choice = z.strictObject({ id: own(slug), text, operations: operations.default([]) });
const choices = z.array(choice).min(1);
/** Centimetres. */
const size = z.tuple([z.int().positive(), z.int().positive(), z.int().positive()]);
const placeSchema = z.strictObject({
  text,
  /** The unit that the rates count such places in. */
  unit: text,
  /** Room for goods, in centimetres. */
  size,
  /** What it may hold, in kilograms. */
  weight: z.int().positive(),
  /** How full one is as a rule, in percent: by it the number of places is estimated. */
  fill: z.int().min(1).max(100),
  /** With more of them in one order the price is individual. */
  most: z.int().positive(),
  note: text.optional(),
});

/** `calculator.yaml`: which rows of the rates an order takes, and where the price becomes individual. */
export const calculatorSchema = z.strictObject({
  limits: z.strictObject({
    units: z.int().positive(),
    /** Longest side of a unit of goods, in centimetres. */
    side: z.int().positive(),
    /** Weight of a unit of goods, in kilograms. */
    weight: z.int().positive(),
    days: z.int().positive(),
    km: z.int().positive(),
  }),
  /** Russian forms of the units in the rates for one, a few and many. */
  plurals: z.record(text, z.tuple([text, text, text])),
  marketplaces: z.array(z.strictObject({ id: own(slug, 'marketplace'), text: marketplace })).min(1),
  schemes: z
    .array(
      choice.extend({
        /** What lines of text call it. */
        name: text,
        /** Whether goods go to a warehouse of the marketplace. */
        delivered: z.boolean(),
        /** Whether packaging of a unit is part of the scheme's price. */
        packed: z.boolean(),
        note: text.optional(),
      }),
    )
    .min(1),
  places: z.strictObject({ box: placeSchema, pallet: placeSchema }),
  receiving: operations,
  packaging: choices,
  marking: choices,
  verification: choices,
  storage: z.strictObject({ free: z.int().nonnegative(), operations }),
  warehouses: z
    .array(
      z.strictObject({
        id: own(slug),
        text,
        /** Ids of the marketplaces that have a warehouse there. */
        marketplaces: z.array(reference(slug, 'marketplace')).min(1),
        rates: z.strictObject({ box: rate, pallet: rate }),
      }),
    )
    .min(1),
  pickup: z
    .array(
      choice.extend({
        /** What the car takes: kilograms, boxes, pallets. */
        most: z
          .strictObject({ weight: z.int().positive(), box: z.int().positive(), pallet: z.int().positive() })
          .optional(),
      }),
    )
    .min(1),
  /** The worked example of the home page, as the query of the calculator's page. */
  example: z.record(z.string(), z.union([z.string(), z.number()]).transform(String)),
});

/** `06:30` */
const time = z.iso.time({ precision: -1 });

/** `departures.yaml`: regular trucks to the warehouses of marketplaces, an entry for each warehouse. */
export const departuresSchema = z.array(
  z
    .strictObject({
      /** What the ids of the warehouse's rates begin with: `koledino` for `koledino-box`. */
      id: own(slug),
      warehouse: text,
      /** Where the warehouse stands, if its name does not say it. */
      city: text.optional(),
      marketplaces: z.array(marketplace).min(1),
      /** Path of the service whose page shows the entry. */
      service,
      /** Weekdays of departure, Monday is 0; a truck that would leave on a holiday does not run. */
      days: z
        .array(z.enum(weekdays).transform((day) => weekdays.indexOf(day)))
        .min(1)
        .refine((days) => new Set(days).size === days.length, 'each weekday once'),
      departure: time,
      /** Goods are taken until this time, so many working days before the departure. */
      handOver: z.strictObject({ workingDaysBefore: z.int().min(0).max(10), until: time }),
      /** So many calendar days after the departure, at the time that the text tells. */
      unloading: z.strictObject({ daysAfter: z.int().min(0).max(30), text }),
      /** What is taken and how much of it. */
      limit: text,
      /** When an editor last made sure that the entry is true. */
      checked: date,
    })
    .refine(({ departure, handOver: { workingDaysBefore, until } }) => workingDaysBefore > 0 || until < departure, {
      path: ['handOver', 'until'],
      error: 'a time before the departure of the same day',
    }),
);

/** Front matter of `cases/{slug}.md`; the body tells what was done. */
export const caseSchema = z.strictObject({
  id,
  sample: z.boolean(),
  heading: text,
  title,
  description,
  ...release,
  niche: text,
  marketplaces: z.array(marketplace).min(1),
  /** Paths of the services involved. */
  services: z.array(service).min(1),
  task: text,
  start: text,
  volume: text,
  period: text,
  /** How the figures were measured. */
  method: text,
  results: z.array(z.strictObject({ metric: text, before: text, after: text })).min(1),
  limits: text,
  /** Shown on the page and on its card. */
  picture: picture.optional(),
});

export const categorySchema = z.strictObject({ slug: own(slug), text, heading: text, title, description, lead: text });
export const categoriesSchema = z.strictObject({
  blog: z.array(categorySchema).min(1),
  reviews: z.array(categorySchema.extend({ slug: own(slug, 'reviews') })).min(1),
});

/** Front matter of `reviews/{slug}.md`; the body is the review itself. */
export const reviewSchema = z.strictObject({
  id,
  sample: z.boolean(),
  category: reference(slug, 'reviews'),
  author: text,
  role: text,
  marketplaces: z.array(marketplace).min(1),
  /** Path of the service that the review is about. */
  service,
  ...release,
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
  ...release,
  updated: date.optional(),
  sources: z.array(z.strictObject({ text, href: z.url() })).optional(),
  /** Slugs of related articles of any category. */
  related: z.array(reference(slug, 'article')).min(1),
  /** Shown on the page and on its card. */
  picture: picture.optional(),
  checked: checked.optional(),
  /** Video news only. The body is the transcript. */
  video: z
    .strictObject({
      /** ISO 8601, such as `PT3M20S`. */
      duration: z.iso.duration(),
      href: z.url(),
      /** A frame of the video; without it, a drawing stands there. */
      still: picture.optional(),
    })
    .optional(),
});

/** Front matter of `news/{slug}.md`, the company's own news. */
export const newsSchema = z.strictObject({
  id,
  heading: text,
  title,
  description,
  ...release,
  /** From when the change holds. */
  since: date,
  /** What a client has to do. */
  action: text,
});

export const questionsSchema = z
  .array(z.strictObject({ slug: own(slug), topic: text, question: text, answer: z.string().trim().min(1) }))
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
  image: image.optional(),
  /** Figures for the first screen, each with the date or the month that it is for. */
  figures: z.array(z.strictObject({ text, value: text, at: text })).optional(),
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
  steps: z
    .array(z.strictObject({ title: text, text, time: text, documents: text, result: text, image: image.optional() }))
    .min(3),
});

export const presetsSchema = z
  .array(
    z.strictObject({
      slug: own(slug, 'preset'),
      title: text,
      description: text,
      image,
      button: text,
      /** Asked besides the phone and the consent. */
      name: z.boolean(),
      message: z.enum(['required', 'optional', 'none']),
      messageLabel: text.optional(),
    }),
  )
  .min(1);

/** A spelling that people search by: at least one letter or digit, or it could never be found. */
const spelling = z
  .string()
  .trim()
  .regex(/[\p{L}\p{N}]/u, 'a word or several');

/** `search.yaml`: what the search has to know besides Russian. */
export const searchSchema = z.strictObject({
  /** Each group holds spellings that mean the same: a name, its Russian spelling, its abbreviation. */
  synonyms: z.array(z.array(spelling).min(2)),
});

export const redirectsSchema = z.array(z.strictObject({ from: own(sitePath), to: sitePath }));
