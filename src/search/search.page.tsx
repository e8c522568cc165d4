import { Callout } from '../design/callout.tsx';
import { PageHeading } from '../design/page-heading.tsx';
import { neighbours, pagePath, pageSize, pageTitle, paginate } from '../design/paginate.ts';
import { Pagination } from '../design/pagination.tsx';
import { queryLength, SearchForm } from '../design/search-form.tsx';
import { Section } from '../design/section.tsx';
import { defineSection, type Query } from '../document/page.ts';
import type { Content } from '../model/content.ts';
import { ServiceList, summariseService } from '../services/service-list.tsx';
import { prepareIndex } from './index-of.ts';
import { search } from './search.ts';
import { SearchResults } from './search-results.tsx';
import './search.css';

const path = '/search';
/** Cuts long queries before normalizing, which is slow with many combining marks. */
const queryRead = 4 * queryLength;
/** Suggested when there are no results. */
const servicesProposed = 5;

/** Prerendered without a query. */
export const searchPage = defineSection({
  name: 'search',
  path,
  section: 'unlisted',
  query: ['q', 'page'],
  prepare: prepareIndex,
  props(content, query) {
    const answer = answerTo(content, query);
    return (
      answer && {
        ...answer,
        services: answer.total === 0 ? content.services.slice(0, servicesProposed).map(summariseService(content)) : [],
      }
    );
  },
  head: ({ text, query, address, list }) => ({
    path: pagePath(address, list.page),
    title: pageTitle(query ? `«${query}»: поиск по сайту` : text.title, list.page),
    noindex: true,
    ...neighbours(address, list.page, list.pages),
  }),
  Body: ({ text, query, cut, address, total, list, partial, corrected, unknown, nearest, services, next }) => (
    <>
      <PageHeading
        heading={text.heading}
        lead={query ? undefined : text.lead}
        label={<SearchForm query={query} label="Что найти" />}
      />
      <div className="search">
        {cut && <p>Запрос длинный: искали по первым {queryLength} знакам.</p>}
        {corrected.map(({ typed, instead }) => (
          <p key={typed}>
            Слова «<bdi>{typed}</bdi>» на сайте нет, показываем «<a href={searchPath(instead)}>{instead}</a>».
          </p>
        ))}
        {total > 0 && unknown.length > 0 && (
          <p>
            На сайте нет слов: <bdi>{unknown.join(', ')}</bdi>. Искали остальные.
          </p>
        )}
      </div>
      {total > 0 && (
        <>
          <h2 className="search-count">
            {partial ? 'Все слова сразу не нашлись, похожих страниц' : 'Найдено страниц'}: {total}
          </h2>
          <SearchResults results={list.items} first={(list.page - 1) * pageSize + 1} />
          <Pagination path={address} page={list.page} pages={list.pages} />
        </>
      )}
      {query && total === 0 && (
        <>
          <h2 className="search-count">
            По запросу «<bdi>{query}</bdi>» ничего не нашлось
          </h2>
          <p>Попробуйте другие слова или спросите короче.</p>
          {nearest.length > 0 && (
            <p>
              Может быть:{' '}
              {nearest.map((word, index) => (
                <span key={word}>
                  {index > 0 && ', '}
                  <a href={searchPath(word)}>{word}</a>
                </span>
              ))}
            </p>
          )}
        </>
      )}
      {services.length > 0 && (
        <Section heading="Начните с услуги">
          <ServiceList services={services} />
        </Section>
      )}
      {query && <Callout next={next} />}
    </>
  ),
});

function searchPath(query: string): string {
  return query === '' ? path : `${path}?q=${encodeURIComponent(query)}`;
}

/** `undefined` if there is no such page of results. */
function answerTo(content: Content, { q = '', page }: Query) {
  const asked = q.slice(0, queryRead).normalize('NFC').replace(/\s+/g, ' ').trim();
  const query = asked.slice(0, queryLength).toWellFormed();
  const { found, document, show, ...rest } = search(content, query);
  const list = paginate(found, { page });
  if (list === undefined) return undefined;
  return {
    ...rest,
    query,
    cut: asked.length > query.length,
    address: searchPath(query),
    total: found.length,
    list: { ...list, items: list.items.map((number) => show(document(number))) },
  };
}
