import type { Content, Review } from '../site/content.ts';
import { DateText } from './date-text.tsx';
import { Heading, type Level } from './heading.tsx';
import { ProseBlock } from './prose-block.tsx';
import { SampleMark } from './sample-mark.tsx';
import { UnpublishedMark } from './unpublished-mark.tsx';
import './review-card.css';

/** A review with the name of the service that it is about. */
export type ReviewSummary = Review & { serviceText: string };

export function summariseReview(content: Content): (review: Review) => ReviewSummary {
  return (review) => ({
    ...review,
    serviceText: content.services.find(({ to }) => to === review.service)?.text ?? review.service,
  });
}

/** A review: who, about which service, when and where it was said, and our reply. */
export function ReviewCard({ item, level }: { item: ReviewSummary; level: Level }) {
  return (
    <li className="review" id={item.slug}>
      <div className="review-by">
        <Heading level={level}>{item.author}</Heading>
        <p>
          {item.role}, {item.marketplaces.join(', ')}
        </p>
        <p>
          <a href={item.service}>{item.serviceText}</a> · <DateText date={item.published} /> · {item.source}
        </p>
        {item.sample && <SampleMark />} <UnpublishedMark post={item} />
      </div>
      <div>
        <blockquote>
          <ProseBlock prose={item.body} />
        </blockquote>
        {item.reply && (
          <p className="review-reply">
            <b>Ответ компании.</b> {item.reply}
          </p>
        )}
      </div>
    </li>
  );
}
