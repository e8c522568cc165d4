import { Callout } from '../design/callout.tsx';
import { Guide } from '../design/guide.tsx';
import { PageHeading } from '../design/page-heading.tsx';
import { Drawing } from '../design/picture.tsx';
import { UnpublishedMark } from '../design/unpublished-mark.tsx';
import { defineSection, type Page } from '../document/page.ts';
import type { Section } from '../model/content.ts';
import { Figures } from './figures.tsx';
import { Milestones } from './milestones.tsx';

/** A page that editors add as a file in `pages/`, without code. */
export function plainPage({ name, to }: Section): Page {
  return defineSection({
    name: 'plain',
    words: name,
    path: to,
    props: () => ({}),
    head: ({ text }) => ({ drawing: text.image, noindex: text.unpublished !== undefined }),
    dates: ({ text }) => [text.updated],
    Body: ({ text, next }) => (
      <>
        <PageHeading
          heading={text.heading}
          lead={text.lead}
          drawing={<Drawing image={text.image} />}
          label={text.figures && <Figures figures={text.figures} />}
        >
          <UnpublishedMark post={text} />
        </PageHeading>
        <Milestones milestones={text.milestones} />
        <Guide prose={text.body} next={next} />
        <Callout next={next} />
      </>
    ),
  });
}
