import './steps.css';

type Step = {
  title: string;
  text: string;
  time: string;
  documents?: string;
  result?: string;
};

/** More steps than this are listed vertically. */
const most = 5;

export function Steps({ steps }: { steps: readonly Step[] }) {
  return (
    <ol className={steps.length > most ? 'steps' : 'steps steps-few'}>
      {steps.map(({ title, text, time, documents, result }) => (
        <li key={title}>
          <div>
            <h3>{title}</h3>
            <p>{text}</p>
          </div>
          <dl>
            <div>
              <dt>Срок</dt>
              <dd>{time}</dd>
            </div>
            {documents && (
              <div>
                <dt>Что нужно от вас</dt>
                <dd>{documents}</dd>
              </div>
            )}
            {result && (
              <div>
                <dt>Что получите</dt>
                <dd>{result}</dd>
              </div>
            )}
          </dl>
        </li>
      ))}
    </ol>
  );
}
