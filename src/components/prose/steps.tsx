import './steps.css';

type Step = { title: string; text: string; time?: string };

type Props = {
  steps: readonly Step[];
  unnumbered?: boolean;
};

/** Side by side on wide screens, up to seven steps. */
export function Steps({ steps, unnumbered = false }: Props) {
  return (
    <ol className={`steps${steps.length > 7 ? '' : ' steps-few'}${unnumbered ? ' steps-unnumbered' : ''}`}>
      {steps.map(({ title, text, time }) => (
        <li key={title}>
          <h3>{title}</h3>
          <p>{text}</p>
          {time && <p className="steps-time">Срок: {time}</p>}
        </li>
      ))}
    </ol>
  );
}
