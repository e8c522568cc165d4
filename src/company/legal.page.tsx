import { DateText } from '../design/date-text.tsx';
import { FactList } from '../design/fact-list.tsx';
import { Guide } from '../design/guide.tsx';
import { PageHeading } from '../design/page-heading.tsx';
import { definePage, type Page } from '../document/page.ts';
import type { LegalDocument, LegalName } from '../model/content.ts';

/** A legal document with its version and date. */
function legalPage(name: LegalName): Page {
  const path = `/${name}`;
  return definePage({
    name: 'legal',
    props: (content) => ({ item: content.legal[name] }),
    head: ({ item }) => ({
      path,
      title: item.title,
      description: item.description,
      crumbs: [{ path, text: item.heading }],
    }),
    dates: ({ item }) => [item.effective],
    Body,
  });
}

function Body({ item }: { item: LegalDocument }) {
  return (
    <article>
      <PageHeading
        heading={item.heading}
        label={
          <FactList
            facts={[
              { term: 'Версия', value: item.version },
              {
                term: 'Действует',
                value: (
                  <>
                    с&nbsp;
                    <DateText date={item.effective} />
                  </>
                ),
              },
            ]}
          />
        }
      />
      <Guide prose={item.body} />
    </article>
  );
}

export const policy = legalPage('policy');
export const useragree = legalPage('useragree');
export const consent = legalPage('consent');
