import { SubmitButton } from '../design/action.tsx';
import { Fold } from '../design/fold.tsx';
import { listed } from '../design/format.ts';
import type { Calculator, Departure } from '../model/content.ts';

/** The same names as in the calculator. */
export const departureFields = ['mp', 'to'] as const;

export type AskedDepartures = {
  path: string;
  query: Readonly<Partial<Record<(typeof departureFields)[number], string | undefined>>>;
};

type Option = { value: string; text: string };

export type DepartureFilter = {
  path: string;
  values: { mp: string; to: string };
  marketplaces: readonly Option[];
  warehouses: readonly Option[];
  /** Explains why a choice was ignored or gives no results. */
  remark: string | undefined;
};

/** Unknown values are ignored, with a remark. */
export function filterDepartures(
  departures: readonly Departure[],
  { marketplaces: known }: Pick<Calculator, 'marketplaces'>,
  { path, query }: AskedDepartures,
): { filter: DepartureFilter; told: readonly Departure[] } {
  const values = { mp: query.mp?.trim() ?? '', to: query.to?.trim() ?? '' };
  const served = known.filter(({ text }) => departures.some(({ marketplaces }) => marketplaces.includes(text)));
  const marketplace = served.find(({ id }) => id === values.mp);
  const warehouse = departures.find(({ id }) => id === values.to);
  const told = departures.filter(
    (one) => (!marketplace || one.marketplaces.includes(marketplace.text)) && (!warehouse || one.id === warehouse.id),
  );
  const filter = {
    path,
    values,
    marketplaces: served.map(({ id, text }) => ({ value: id, text })),
    warehouses: departures.map(({ id, warehouse }) => ({ value: id, text: warehouse })),
    remark: remark(),
  };
  return { filter, told };

  function remark(): string | undefined {
    if (values.mp !== '' && !marketplace) return 'Такого маркетплейса в расписании нет, показываем все.';
    if (values.to !== '' && !warehouse) return 'Такого склада в расписании нет, показываем все.';
    if (told.length > 0 || !marketplace || !warehouse) return undefined;
    return `${notTheirs(warehouse.warehouse, warehouse.marketplaces, marketplace.text)}.`;
  }
}

/** Without a full stop. */
export function notTheirs(warehouse: string, owners: readonly string[], chosen: string): string {
  // The other marketplaces' names do not inflect.
  const whose = (marketplace: string) => marketplace.replace(/Маркет$/, 'Маркета');
  const remedy = `Выберите склад ${whose(chosen)} или смените маркетплейс`;
  return `${warehouse}\u00A0— склад ${listed(owners.map(whose))}. ${remedy}`;
}

export function DepartureFilterForm({ filter }: { filter: DepartureFilter }) {
  const { path, values, marketplaces, warehouses, remark } = filter;
  const chosen = values.mp !== '' || values.to !== '';
  return (
    <>
      <Fold summary="Выбрать маркетплейс и склад" open={chosen}>
        <form className="departures-filter" action={`${path}#departures`} aria-label="Выбор рейсов">
          <Choice name="mp" label="Маркетплейс" value={values.mp} options={marketplaces} />
          <Choice name="to" label="Склад" value={values.to} options={warehouses} />
          <SubmitButton quiet text="Показать" />
        </form>
      </Fold>
      {remark && <p className="departures-remark">{remark}</p>}
      {chosen && (
        <p>
          <a href={`${path}#departures`}>Показать все рейсы</a>
        </p>
      )}
    </>
  );
}

type ChoiceProps = { name: string; label: string; value: string; options: readonly Option[] };

/** Unlike `SelectField`, whose markup and styles are too heavy for this page. */
function Choice({ name, label, value, options }: ChoiceProps) {
  return (
    <label>
      {label}
      <select name={name} defaultValue={value}>
        {[{ value: '', text: 'Все' }, ...options].map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
    </label>
  );
}
