import type { ReactNode } from 'react';
import { Summary } from './summary.tsx';
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
        <details key={question} id={id}>
          <Summary>{question}</Summary>
          <div className="questions-answer">{answer}</div>
        </details>
      ))}
    </div>
  );
}
