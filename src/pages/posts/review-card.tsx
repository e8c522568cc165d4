import { Fold } from '../../components/fold.tsx';
import { DateText } from '../../components/prose/date-text.tsx';
import { Heading, type Level } from '../../components/prose/heading.tsx';
import { ProseBlock } from '../../components/prose/prose-block.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { UnpublishedMark } from '../../components/unpublished-mark.tsx';
import type { Content, Review } from '../../model/content.ts';

export type ReviewSummary = Review & { serviceText: string };

export function summariseReview(content: Content): (review: Review) => ReviewSummary {
  return (review) => ({
    ...review,
    serviceText: content.services.find(({ to }) => to === review.service)?.text ?? review.service,
  });
}

/** Has an id, because reviews have no pages to link to. */
export function ReviewCard({ item, level }: { item: ReviewSummary; level: Level }) {
  const [beginning, ...rest] = item.body.blocks;
  return (
    <li className="card" id={item.slug}>
      <ProseBlock blocks={beginning ? [beginning] : []} />
      {(rest.length > 0 || item.reply) && (
        <Fold summary="Читать дальше">
          <ProseBlock blocks={rest} />
          {item.reply && (
            <p className="card-reply">
              <b>Наш ответ.</b> {item.reply}
            </p>
          )}
        </Fold>
      )}
      <div className="card-by">
        <Heading level={level}>{item.author}</Heading>
        <p>
          {item.role}, {item.marketplaces.join(', ')}
        </p>
        <p>
          <a href={item.service}>{item.serviceText}</a> · <DateText date={item.published} /> · {item.source}{' '}
          {item.sample && <Stamp text="Образец" />} <UnpublishedMark post={item} />
        </p>
      </div>
    </li>
  );
}
