import type { ReactNode } from 'react';
import './question-list.css';

type Question = { question: string; answer: ReactNode };

/** Questions that unfold to their answers. */
export function QuestionList({ questions }: { questions: readonly Question[] }) {
  return (
    <div className="questions">
      {questions.map(({ question, answer }) => (
        <details key={question}>
          <summary>{question}</summary>
          <div className="questions-answer">{answer}</div>
        </details>
      ))}
    </div>
  );
}
