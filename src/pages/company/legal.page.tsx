import { PageHeading } from '../../components/page-heading.tsx';
import { SinceText } from '../../components/prose/date-text.tsx';
import { FactList } from '../../components/prose/fact-list.tsx';
import { Guide } from '../../components/prose/guide.tsx';
import type { LegalDocument, LegalName } from '../../model/content.ts';
import { definePage, type Page, pageHead } from '../page.ts';

function legalPage(name: LegalName): Page {
  const path = `/${name}`;
  return definePage({
    name: 'legal',
    path,
    share: { drawing: '/images/contract.svg' },
    props: (content) => ({ item: content.legal[name] }),
    head: ({ item }) => pageHead(path, item),
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
