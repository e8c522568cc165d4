import './analytics-choice.css';

/** At the end of the page, so nothing shifts when the script shows it; without scripts nothing is counted. */
export function AnalyticsChoice({ metrikaId }: { metrikaId: string }) {
  return (
    <section
      className="analytics-choice"
      aria-label="Счётчик посещений"
      data-module="analytics"
      data-counter={metrikaId}
      hidden
    >
      <div data-decision="" hidden>
        <p>
          Разрешите считать посещения с помощью Яндекс Метрики? Она запишет, какие страницы вы открываете и что на них
          делаете, но не то, что вы пишете в форме. Подробнее в <a href="/policy">политике</a>.
        </p>
        <p className="analytics-buttons">
          <button type="button" value="allowed">
            Разрешить
          </button>
          <button type="button" value="refused">
            Не разрешать
          </button>
        </p>
      </div>
      <Decision decision="allowed" text="Счётчик посещений включён." other="refused" change="Отозвать" />
      <Decision decision="refused" text="Счётчик посещений выключен." other="allowed" change="Разрешить" />
    </section>
  );
}

type DecisionProps = { decision: string; text: string; other: string; change: string };

function Decision({ decision, text, other, change }: DecisionProps) {
  return (
    <p data-decision={decision} tabIndex={-1} hidden>
      {text}{' '}
      <button type="button" value={other}>
        {change}
      </button>
    </p>
  );
}
