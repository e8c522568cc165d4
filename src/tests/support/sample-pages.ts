import { dirname } from 'node:path';
import { generalPreset } from '../../model/schemas/presets-schema.ts';
import { shownSite } from './test-site.ts';

const { content, paths } = await shownSite();
const { articles, calculator, cases, categories, departures, presets, services } = content;

/** An order that the calculator can calculate, as the query of its page. */
export const order = new URLSearchParams(calculator.example).toString();

/** A preset whose form asks for a message, and one that asks for nothing but the phone, if there are such. */
const askingPreset = (presets.find(({ message }) => message === 'required') ?? presets[0])?.slug;
const shortPreset = (presets.find(({ name }) => !name) ?? presets[0])?.slug;

/** The preset of who has used the calculator, if there is one. */
export const calculationPreset = presets.find(({ slug }) => slug === 'calculation')?.slug ?? generalPreset;

/** A service to which no truck belongs. */
export const plainService = services.find(({ to }) => !departures.some(({ service }) => service === to))?.to ?? '';

/** One post of a kind that has a second address, its id, and one of a kind that lies in categories. */
const [study, article] = [cases[0], articles[0]];
export const studyPage = { to: `/cases/${study?.slug}`, byId: `/cases/${study?.id}` };
export const articlePage = {
  to: `/blog/${article?.category}/${article?.slug}`,
  byId: `/blog/${article?.category}/${article?.id}`,
};

/** A page that is made when it is asked for, because its query says what it shows. */
export const onDemand = '/rates/calc?units=0';

/** What lies in a folder of addresses is of one kind. */
const kindOf = (path: string) => (dirname(path) === '/' ? path : `${dirname(path)}/:`);

/** One address of every kind of page, in every way that one is shown. */
export const templates: readonly string[] = [
  ...new Set([
    ...[...Map.groupBy(paths, kindOf).values()].flatMap(([first]) => first ?? []),
    ...[plainService, departures[0]?.service ?? plainService],
    ...categories.blog.map(({ slug }) => `/blog/${slug}`),
    ...[`/rates/calc?${order}`, onDemand],
    `/search?q=${encodeURIComponent(services[0]?.text ?? '')}`,
    ...[askingPreset, shortPreset].map((preset) => `/contact?preset=${preset}`),
    ...['/broadcast', '/no-such-page'],
  ]),
];
