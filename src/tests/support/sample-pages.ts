import { dirname } from 'node:path';
import { generalPreset } from '../../model/schemas/presets-schema.ts';
import { shownSite } from './test-site.ts';

const { content, paths } = await shownSite();
const { articles, calculator, cases, categories, departures, presets, services } = content;

/** An order that the calculator accepts, as a query. */
export const order = new URLSearchParams(calculator.example).toString();

/** A preset whose form requires a message, and one whose form asks only for the phone, if they exist. */
const askingPreset = (presets.find(({ message }) => message === 'required') ?? presets[0])?.slug;
const shortPreset = (presets.find(({ name }) => !name) ?? presets[0])?.slug;

/** The preset for visitors of the calculator, if it exists. */
export const calculationPreset = presets.find(({ slug }) => slug === 'calculation')?.slug ?? generalPreset;

/** A service without departures. */
export const plainService = services.find(({ to }) => !departures.some(({ service }) => service === to))?.to ?? '';

/** A post of a kind with a second address by id, and one of a kind with categories. */
const [study, article] = [cases[0], articles[0]];
export const studyPage = { to: `/cases/${study?.slug}`, byId: `/cases/${study?.id}` };
export const articlePage = {
  to: `/blog/${article?.category}/${article?.slug}`,
  byId: `/blog/${article?.category}/${article?.id}`,
};

/** A page that is rendered on demand, because it depends on its query. */
export const onDemand = '/rates/calc?units=0';

/** All addresses in a folder are of one kind. */
const kindOf = (path: string) => (dirname(path) === '/' ? path : `${dirname(path)}/:`);

/** One address of every kind of page, in each of its variants. */
export const pageTemplates: readonly string[] = [
  ...new Set([
    ...[...Map.groupBy(paths, kindOf).values()].flatMap(([first]) => first ?? []),
    ...[plainService, departures[0]?.service ?? plainService],
    ...categories.blog.map(({ slug }) => `/blog/${slug}`),
    ...[`/rates/calc?${order}`, onDemand],
    `/search?q=${encodeURIComponent(services[0]?.text ?? '')}`,
    ...[askingPreset, shortPreset].map((preset) => `/contact?preset=${preset}`),
    ...(paths.includes('/cargo') ? ['/cargo?weight=520&volume=3,84'] : []),
    ...['/broadcast', '/no-such-page'],
  ]),
];
