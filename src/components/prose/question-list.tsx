import type { ReactNode } from 'react';
import { Summary } from '../summary.tsx';
import './question-list.css';

type Question = {
  id?: string;
  question: string;
  answer: ReactNode;
};

export function QuestionList({ questions }: { questions: readonly Question[] }) {
  return (
    <div className="questions">
      {questions.map(({ id, question, answer }) => (
        <details key={question}>
          <Summary>{question}</Summary>
          {/* Browsers open a fold for a link that leads into it, not to it. */}
          <div className="questions-answer" id={id}>
            {answer}
          </div>
        </details>
      ))}
    </div>
  );
}
