import { Callout, StepActions } from '../../components/callout.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { Guide } from '../../components/prose/guide.tsx';
import { ProseBlock } from '../../components/prose/prose-block.tsx';
import { QuestionList } from '../../components/prose/question-list.tsx';
import { Section } from '../../components/section.tsx';
import { defineSection } from '../page.ts';

export const questions = defineSection({
  name: 'questions',
  path: '/questions',
  share: { drawing: '/images/presets/question.svg' },
  props(content) {
    const names = [...new Set(content.questions.map(({ topic }) => topic))];
    const topics = names.map((name, index) => ({
      id: `topic-${index + 1}`,
      text: name,
      questions: content.questions.filter(({ topic }) => topic === name),
    }));
    return { topics };
  },
  dates: ({ text }) => [text.updated],
  Body: ({ text, topics, next }) => (
    <>
      <PageHeading heading={text.heading} intro={text.lead}>
        <StepActions next={next} />
      </PageHeading>
      {topics.map((topic) => (
        <Section key={topic.id} id={topic.id} heading={topic.text}>
          <QuestionList
            questions={topic.questions.map(({ slug, question, answer }) => ({
              id: slug,
              question,
              answer: <ProseBlock blocks={answer.blocks} />,
            }))}
          />
        </Section>
      ))}
      <Guide prose={text.body} />
      <Callout next={next} />
    </>
  ),
});
