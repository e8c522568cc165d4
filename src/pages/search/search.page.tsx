import { Callout } from '../../components/callout.tsx';
import { queryLength, SearchForm } from '../../components/forms/search-form.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { Pagination } from '../../components/pagination.tsx';
import { Guide } from '../../components/prose/guide.tsx';
import { Section } from '../../components/section.tsx';
import { neighbours, pagePath, pageSize, pageTitle, paginate } from '../../lib/paginate.ts';
import type { Content } from '../../model/content.ts';
import { defineSection, type QueryValues } from '../page.ts';
import { ServiceList, summariseService } from '../services/service-list.tsx';
import { PriceAnswers, priceAnswers } from './price-answers.tsx';
import { prepareIndex, resultOf, search } from './search.ts';
import { SearchResults } from './search-results.tsx';
import './search.css';

const path = '/search';
/** Cuts long queries before normalizing, which is slow with many combining marks. */
const maxQueryRead = 4 * queryLength;
const maxServicesProposed = 5;

/** Prerendered without a query. */
export const searchPage = defineSection({
  name: 'search',
  path,
  section: 'unlisted',
  query: ['q', 'page'],
  prepare: prepareIndex,
  props: searchProps,
  head: ({ text, query, address, list }) => ({
    path: pagePath(address, list.page),
    title: pageTitle(query ? `«${query}»: поиск по сайту` : text.title, list.page),
    noindex: true,
    ...neighbours(address, list.page, list.pages),
  }),
  Body: ({ text, query, cut, address, list, meant, exact, prices, examples, services, next }) => (
    <>
      <PageHeading
        heading={text.heading}
        intro={query ? undefined : text.lead}
        label={<SearchForm query={query} label="Что найти" />}
      />
      <div className="search">
        {cut && <p>Запрос длинный: искали по первым {queryLength} знакам.</p>}
        {meant !== query && (
          <p>
            Показываем «<a href={searchPath(meant)}>{meant}</a>».
          </p>
        )}
      </div>
      {prices.length > 0 && <PriceAnswers answers={prices} />}
      {list.total > 0 && (
        <>
          <h2 className="search-count">
            {exact ? 'Найдено страниц' : 'Точно так не нашлось, похожих страниц'}: {list.total}
          </h2>
          <SearchResults results={list.items} first={(list.page - 1) * pageSize + 1} />
          <Pagination path={address} page={list.page} pages={list.pages} />
        </>
      )}
      {query && list.total === 0 && (
        <>
          <h2 className="search-count">
            По запросу «<bdi>{query}</bdi>» ничего не нашлось
          </h2>
          <p>{['Напишите одно слово', examples.map((word) => `«${word}»`).join(', ')].filter(Boolean).join(': ')}.</p>
        </>
      )}
      {services.length > 0 && (
        <Section heading="Начните с услуги">
          <ServiceList services={services} />
        </Section>
      )}
      {!query && <Guide prose={text.body} />}
      {query && <Callout next={next} />}
    </>
  ),
});

function searchProps(content: Content, query: QueryValues) {
  const answer = answerTo(content, query);
  return (
    answer && {
      ...answer,
      prices: answer.list.page === 1 ? priceAnswers(content, answer.meant) : [],
      examples: content.search.examples,
      services:
        answer.list.total > 0 ? [] : content.services.slice(0, maxServicesProposed).map(summariseService(content)),
    }
  );
}

function searchPath(query: string): string {
  return query === '' ? path : `${path}?q=${encodeURIComponent(query)}`;
}

/** `undefined` if there is no such page of results. */
function answerTo(content: Content, { q = '', page }: QueryValues) {
  const typed = q.slice(0, maxQueryRead).normalize('NFC').replace(/\s+/g, ' ').trim();
  const query = typed.slice(0, queryLength).toWellFormed();
  const { matches, meant, exact } = search(content, query);
  const list = paginate(matches, { page });
  return (
    list && {
      ...{ query, meant, exact },
      cut: typed.length > query.length,
      address: searchPath(query),
      list: { ...list, items: list.items.map((match) => resultOf(content, match)) },
    }
  );
}
