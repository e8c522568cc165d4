import { Callout, nextStep } from '../design/callout.tsx';
import { CardList } from '../design/card-list.tsx';
import { CardPicture } from '../design/card-picture.tsx';
import { PageHeading } from '../design/page-heading.tsx';
import { Pagination } from '../design/pagination.tsx';
import { Drawing } from '../design/picture.tsx';
import { StepActions } from '../design/step-actions.tsx';
import { defineList } from '../document/list-page.ts';
import { casePath } from '../model/addresses.ts';
import { wordsOf } from '../model/content.ts';
import { CaseCard, summariseCase } from './case-card.tsx';

const path = '/cases';

export const cases = defineList({
  name: 'cases',
  path,
  section: 'listed',
  share: { drawing: '/images/presets/cooperation.svg' },
  list: (content) => ({
    path,
    text: wordsOf(content, 'cases'),
    image: wordsOf(content, 'cases').image,
    crumbs: [{ path, text: wordsOf(content, 'cases').heading }],
    items: content.cases.map(summariseCase),
    next: nextStep(content, wordsOf(content, 'cases').callout),
  }),
  entry: (item) => ({ to: casePath(item), name: item.heading }),
  Body: ({ text, image, list, next }) => (
    <>
      <PageHeading heading={text.heading} lead={text.lead} drawing={<Drawing image={image} />}>
        <StepActions next={next} />
      </PageHeading>
      <CardList>
        {list.items.map((item) => (
          <CaseCard
            key={item.slug}
            item={item}
            level={2}
            picture={item.picture && <CardPicture picture={item.picture} />}
          />
        ))}
      </CardList>
      <Pagination path={path} page={list.page} pages={list.pages} />
      <Callout next={next} />
    </>
  ),
});
