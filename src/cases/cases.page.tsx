import { Callout, nextStep } from '../design/callout.tsx';
import { CardList } from '../design/card-list.tsx';
import { CardPicture } from '../design/card-picture.tsx';
import { PageHeading } from '../design/page-heading.tsx';
import { neighbours, pagePath, pageTitle, paginate } from '../design/paginate.ts';
import { Pagination } from '../design/pagination.tsx';
import { StepActions } from '../design/step-actions.tsx';
import { listSubject } from '../document/list-subject.ts';
import { definePage } from '../document/page.ts';
import { CaseCard, summariseCase } from './case-card.tsx';

const path = '/cases';

/** The list of cases. */
export const cases = definePage({
  name: 'cases',
  query: ['page'],
  props(content, _params, query) {
    const { heading, title, description, lead } = content.pages.cases;
    const list = paginate(content.cases.map(summariseCase), query);
    return list && { text: { heading, title, description, lead }, list, next: nextStep(content, 'calculation') };
  },
  head: ({ text, list }) => ({
    path: pagePath(path, list.page),
    title: pageTitle(text.title, list.page),
    description: text.description,
    crumbs: [{ path, text: text.heading }],
    subjects: [listSubject(list, ({ slug, heading }) => ({ to: `/cases/${slug}`, name: heading }))],
    ...neighbours(path, list.page, list.pages),
  }),
  dates: (_props, content) => content.cases.map(({ published }) => published),
  Body: ({ text, list, next }) => (
    <>
      <PageHeading heading={text.heading} lead={text.lead}>
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
      <Callout
        heading="Посчитаем и вашу партию"
        text="Назовите товар, число единиц и склад: перезвоним в течение 10 минут в рабочее время."
        next={next}
      />
    </>
  ),
});
