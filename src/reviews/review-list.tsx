import { Callout, type NextStep } from '../design/callout.tsx';
import { CategoryLinks } from '../design/category-links.tsx';
import { EmptyList } from '../design/empty-list.tsx';
import { PageHeading } from '../design/page-heading.tsx';
import type { Paginated } from '../design/paginate.ts';
import { Pagination } from '../design/pagination.tsx';
import { StepActions } from '../design/step-actions.tsx';
import type { Category, Content } from '../model/content.ts';
import { ReviewCard, type ReviewSummary } from './review-card.tsx';

type Entry = { to: string; text: string };

type Props = {
  text: Pick<Category, 'heading' | 'lead'>;
  categories: readonly Entry[];
  path: string;
  list: Paginated<ReviewSummary>;
  next: NextStep | undefined;
};

/** The sections of the reviews: everything, then each category. */
export function reviewSections(content: Content): Entry[] {
  return [
    { to: '/reviews', text: 'Все отзывы' },
    ...content.categories.reviews.map(({ slug, text }) => ({ to: `/reviews/${slug}`, text })),
  ];
}

/** A list of reviews: all of them or a category's. */
export function ReviewList({ text, categories, path, list, next }: Props) {
  return (
    <>
      <PageHeading heading={text.heading} lead={text.lead}>
        <StepActions next={next} />
      </PageHeading>
      <CategoryLinks label="Разделы отзывов" entries={categories} path={path} />
      {list.items.length === 0 ? (
        <EmptyList why="unwritten" text="В этом разделе отзывов пока нет. Загляните в соседние." />
      ) : (
        <ul className="review-list">
          {list.items.map((item) => (
            <ReviewCard key={item.id} item={item} level={2} />
          ))}
        </ul>
      )}
      <Pagination path={path} page={list.page} pages={list.pages} />
      <Callout
        heading="Поговорить с человеком"
        text="Расскажите, что за товар и сколько его: перезвоним в течение 10 минут в рабочее время."
        next={next}
      />
    </>
  );
}
