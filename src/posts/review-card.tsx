import { DateText } from '../design/date-text.tsx';
import { Heading, type Level } from '../design/heading.tsx';
import { ProseBlock } from '../design/prose-block.tsx';
import { SampleMark } from '../design/sample-mark.tsx';
import { UnpublishedMark } from '../design/unpublished-mark.tsx';
import type { Content, Review } from '../model/content.ts';
import './review-card.css';

export type ReviewSummary = Review & { serviceText: string };

export function summariseReview(content: Content): (review: Review) => ReviewSummary {
  return (review) => ({
    ...review,
    serviceText: content.services.find(({ to }) => to === review.service)?.text ?? review.service,
  });
}

/** Reviews have no pages of their own, so the entry is an anchor. */
export function reviewEntry({ slug, author, serviceText }: ReviewSummary): { to: string; name: string } {
  return { to: `#${slug}`, name: `${author}: ${serviceText}` };
}

export function ReviewCard({ item, level }: { item: ReviewSummary; level: Level }) {
  return (
    <li className="review" id={item.slug} itemScope itemType="https://schema.org/Review">
      <blockquote itemProp="reviewBody">
        <ProseBlock prose={item.body} />
      </blockquote>
      <div className="review-by">
        <div itemProp="author" itemScope itemType="https://schema.org/Person">
          <Heading level={level}>
            <span itemProp="name">{item.author}</span>
          </Heading>
          <p>
            <span itemProp="jobTitle">{item.role}</span>, {item.marketplaces.join(', ')}
          </p>
        </div>
        <p>
          <span itemProp="itemReviewed" itemScope itemType="https://schema.org/Service">
            <a href={item.service} itemProp="url">
              <span itemProp="name">{item.serviceText}</span>
            </a>
          </span>{' '}
          · <DateText date={item.published} property="datePublished" /> · {item.source}
        </p>
        {item.sample && <SampleMark />} <UnpublishedMark post={item} />
      </div>
      {item.reply && (
        <p className="review-reply">
          <b>Наш ответ.</b> {item.reply}
        </p>
      )}
    </li>
  );
}
