import './analytics-choice.css';

/** Number of the counter, and the goal of it that whoever sees a page has reached. */
export type ReachedGoal = { metrikaId: string; name: string };

/** Has a script tell the counter of a goal, and nothing else: for pages that it must not know. */
export function GoalMark({ goal }: { goal: ReachedGoal }) {
  return <div data-module="goal" data-counter={goal.metrikaId} data-goal={goal.name} hidden />;
}

/**
 * Asks once whether visits may be counted; afterwards tells what was decided, with a
 * button to change it. It stands at the very end of the page, so that nothing moves
 * when the script shows it. Without the script, nothing is counted and no visitor is asked.
 */
export function AnalyticsChoice({ metrikaId }: { metrikaId: string }) {
  return (
    <section
      className="analytics"
      aria-label="Счётчик посещений"
      data-module="analytics"
      data-counter={metrikaId}
      hidden
    >
      <div className="analytics-state" data-decision="" hidden>
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
      <p className="analytics-state" data-decision="allowed" tabIndex={-1} hidden>
        Счётчик посещений включён.{' '}
        <button type="button" value="refused">
          Отозвать
        </button>
      </p>
      <p className="analytics-state" data-decision="refused" tabIndex={-1} hidden>
        Счётчик посещений выключен.{' '}
        <button type="button" value="allowed">
          Разрешить
        </button>
      </p>
    </section>
  );
}
