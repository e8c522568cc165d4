import { Fragment } from 'react';
import { Callout, nextStep } from '../../components/callout.tsx';
import { offerOf } from '../../components/offer.tsx';
import { Section } from '../../components/section.tsx';
import { type Content, hasPage, localToday, pageText, type Service } from '../../model/content.ts';
import { postPath } from '../../model/post-kinds.ts';
import { inPreview } from '../../model/written-page.ts';
import { nearestDepartures } from '../../pricing/departures.ts';
import { batchPrice, mainPricesOf } from '../../pricing/main-prices.ts';
import { definePage } from '../page.ts';
import { PriceOfBatch } from '../services/batch-price.tsx';
import { countAction } from '../services/calculator-links.ts';
import { DayText, MomentText } from '../services/moment-text.tsx';
import { Board } from './board.tsx';
import { Hero, heroExamples } from './hero.tsx';
import { Sheets } from './sheets.tsx';
import { Way } from './way.tsx';
import './home.css';

export const home = definePage({
  name: 'home',
  path: '/',
  share: { drawing: '/images/presets/request.svg' },
  props: homeProps,
  head: ({ text, action }) => ({
    path: '/',
    title: text.title,
    description: text.description,
    crumbs: [],
    action,
    subject: 'site',
  }),
  dates: ({ text, effective }, content) => [
    text.updated,
    effective,
    ...content.cases.map(({ published }) => published),
  ],
  Body: HomeBody,
});

type HomeProps = ReturnType<typeof homeProps>;

function homeProps(content: Content) {
  return {
    text: content.home,
    way: content.home.way.map((scene) => ({ ...scene, stations: scene.stations.map(pricedStation(content)) })),
    examples: heroExamples(content),
    effective: content.rates.effective,
    tax: content.rates.tax,
    action: countAction(content),
    departures: nextDepartures(content),
    carriers: content.services
      .filter(({ to }) => content.departures.some(({ service }) => service === to))
      .map(({ to, text }) => ({ to, text })),
    services: [...content.services.map(pricedService(content)), ...(hasPage(content, 'cargo') ? [cargo(content)] : [])],
    priceList: hasPage(content, 'rates'),
    // Samples prove nothing.
    cases: content.cases
      .filter(({ sample }) => !sample)
      .slice(0, 2)
      .map(({ body: _, ...item }) => item),
    questions: firstOfEachTopic(content)
      .slice(0, 4)
      .map(({ slug, question }) => ({ slug, question })),
    sheets: content.home.sheets,
    offer: offerOf(content),
    next: nextStep(content, content.home.callout),
  };
}

function HomeBody({ departures, ...props }: HomeProps) {
  const {
    text,
    way,
    examples,
    effective,
    tax,
    carriers,
    services,
    cases,
    questions,
    sheets,
    offer,
    action,
    priceList,
    next,
  } = props;
  return (
    <>
      <Hero
        heading={text.heading}
        intro={text.lead}
        examples={examples}
        action={action}
        offer={offer}
        drawing={text.scene}
        effective={effective}
        tax={tax}
      />
      <Section reveal variant="wide" heading="Как мы работаем">
        <Way
          scenes={way.map(({ image, alt, stations }) => ({
            image,
            alt,
            stations: stations.map(({ price, time, ...station }) => ({
              ...station,
              figure: price ? <PriceOfBatch price={price} /> : time,
            })),
          }))}
        />
      </Section>
      {departures && <NextDepartures departures={departures} carriers={carriers} />}
      <PricedServices services={services} priceList={priceList} />
      <Section reveal variant="wide" heading="Что вы получите">
        <Sheets sheets={sheets} />
      </Section>
      {cases.length > 0 && <LatestCases cases={cases} />}
      {questions.length > 0 && (
        <Section reveal variant="wide" heading="Популярные вопросы" more={{ href: '/questions', text: 'Все вопросы' }}>
          <Board
            rows={questions.map(({ slug, question }) => ({ key: slug, href: `/questions#${slug}`, name: question }))}
          />
        </Section>
      )}
      <Callout next={next} />
    </>
  );
}

type NextDeparturesProps = Pick<HomeProps, 'carriers'> & {
  departures: NonNullable<HomeProps['departures']>;
};

function NextDepartures({ departures, carriers }: NextDeparturesProps) {
  return (
    <Section variant="wide" id="departures" heading="Ближайшие рейсы">
      <p>
        Для {departures.goods}, время по&nbsp;часам склада ({departures.locality}).
      </p>
      <Board
        rows={departures.rows.map(({ id, warehouse, service, handOver, unloading }) => ({
          key: id,
          href: `${service}#departures`,
          name: warehouse,
          value: (
            <>
              до&nbsp;
              <b>
                <MomentText moment={handOver} after={departures.today} />
              </b>
              <small>
                на&nbsp;складе <DayText date={unloading.date} after={handOver.date} />
              </small>
            </>
          ),
        }))}
      />
      <p className="carriers">
        Все рейсы:
        {carriers.map(({ to, text }, index) => (
          <Fragment key={to}>
            {index > 0 && ','} <a href={`${to}#departures`}>{text.charAt(0).toLowerCase() + text.slice(1)}</a>
          </Fragment>
        ))}
      </p>
    </Section>
  );
}

function PricedServices({ services, priceList }: Pick<HomeProps, 'services' | 'priceList'>) {
  if (services.length === 0) return null;
  return (
    <Section
      reveal
      variant="wide"
      heading="Услуги и цены"
      more={priceList ? { href: '/rates', text: 'Все тарифы' } : undefined}
    >
      <Board
        variant="drawn"
        rows={services.map(({ to, text, image, price }) => ({
          key: to,
          href: to,
          name: text,
          image,
          value: price && (
            <>
              {price.text}{' '}
              <b>
                <PriceOfBatch price={price} />
              </b>
            </>
          ),
        }))}
      />
    </Section>
  );
}

function LatestCases({ cases }: Pick<HomeProps, 'cases'>) {
  return (
    <Section reveal variant="wide" heading="Кейсы" more={{ href: '/cases', text: 'Все кейсы' }}>
      <Board
        variant="long"
        rows={cases.map((item) => ({
          key: item.slug,
          href: postPath('case', item),
          name: item.heading,
          value: item.results[0] && (
            <>
              {item.results[0].metric}{' '}
              <b>
                {item.results[0].before}&nbsp;→ {item.results[0].after}
              </b>
            </>
          ),
        }))}
      />
    </Section>
  );
}

function pricedStation({ rates }: Content) {
  const rows = rates.groups.flatMap((group) => group.rows);
  return ({ rate, ...station }: Content['home']['way'][number]['stations'][number]) => {
    const row = rows.find(({ id }) => id === rate);
    return { ...station, ...(row && { price: batchPrice(rates, row) }) };
  };
}

function pricedService(content: Content) {
  return (service: Service) => {
    const { to, text, image, rates } = service;
    return { to, text: inPreview(service, text), image, price: mainPricesOf(content, rates[0])[0] };
  };
}

function nextDepartures(content: Content) {
  const { departures, company, at } = content;
  if (departures.length === 0) return undefined;
  const { workingHours, address, words } = company;
  return {
    rows: nearestDepartures(departures, workingHours, new Date(at)).slice(0, 4),
    today: localToday(content),
    locality: address.locality,
    goods: words.readyGoods,
  };
}

/** Cargo is not a service page, but visitors look for it here. */
function cargo(content: Content) {
  const to = '/cargo';
  const entry = content.navigation.header.find((one) => one.to === to);
  const { heading, image, prices } = pageText(content, 'cargo');
  return { to, text: entry?.text ?? heading, image, price: mainPricesOf(content, prices)[0] };
}

function firstOfEachTopic({ questions }: Content) {
  return questions.filter(({ topic }, index) => questions.findIndex((one) => one.topic === topic) === index);
}
