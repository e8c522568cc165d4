import { SinceText } from '../design/date-text.tsx';
import { FactList } from '../design/fact-list.tsx';
import { Guide } from '../design/guide.tsx';
import { PageHeading } from '../design/page-heading.tsx';
import { definePage, type Page, wordedHead } from '../document/page.ts';
import type { LegalDocument, LegalName } from '../model/content.ts';

function legalPage(name: LegalName): Page {
  const path = `/${name}`;
  return definePage({
    name: 'legal',
    path,
    share: { drawing: '/images/contract.svg' },
    props: (content) => ({ item: content.legal[name] }),
    head: ({ item }) => wordedHead(path, item),
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
              {
                term: 'Действует',
                value: <SinceText date={item.effective} />,
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
