import type { Content, Review } from '../site/content.ts';
import { DateText } from './date-text.tsx';
import { Heading, type Level } from './heading.tsx';
import { ProseBlock } from './prose-block.tsx';
import { SampleMark } from './sample-mark.tsx';
import './card.css';
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
    <li className="card review" id={item.slug}>
      <Heading level={level}>{item.author}</Heading>
      <p className="card-label">
        {item.role}, {item.marketplaces.join(', ')} {item.sample && <SampleMark />}
      </p>
      <blockquote>
        <ProseBlock prose={item.body} />
      </blockquote>
      {item.reply && (
        <div className="review-reply">
          <p>
            <b>Ответ компании.</b> {item.reply}
          </p>
        </div>
      )}
      <p className="review-source">
        <a href={item.service}>{item.serviceText}</a> · {item.source} · <DateText date={item.published} />
      </p>
    </li>
  );
}
