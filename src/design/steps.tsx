import './steps.css';

type Step = {
  title: string;
  text: string;
  time: string;
  documents?: string;
  result?: string;
};

/** So many stand side by side on a wide screen; more stand one below another. */
const most = 5;

/** Work under an h2, in the order in which it is done, each step with its time. */
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
