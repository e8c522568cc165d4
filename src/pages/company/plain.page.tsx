import { Callout } from '../../components/callout.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { Drawing } from '../../components/picture.tsx';
import { Guide } from '../../components/prose/guide.tsx';
import { UnpublishedMark } from '../../components/unpublished-mark.tsx';
import type { SectionLink } from '../../model/content.ts';
import { defineSection, type Page } from '../page.ts';
import { Figures } from './figures.tsx';
import { Milestones } from './milestones.tsx';

/** A page that editors add as a file in `pages/`, without code. */
export function plainPage({ name, to }: SectionLink): Page {
  return defineSection({
    name: 'plain',
    textName: name,
    path: to,
    props: () => ({}),
    head: ({ text }) => ({ drawing: text.image }),
    dates: ({ text }) => [text.updated],
    Body: ({ text, next }) => (
      <>
        <PageHeading
          heading={text.heading}
          intro={text.lead}
          drawing={<Drawing image={text.image} />}
          label={text.figures && <Figures figures={text.figures} />}
        >
          <UnpublishedMark post={text} />
        </PageHeading>
        <Milestones milestones={text.milestones} />
        <Guide prose={text.body} />
        <Callout next={next} />
      </>
    ),
  });
}
