import { SubmitButton } from '../design/action.tsx';
import { Fold } from '../design/fold.tsx';
import { listed } from '../design/format.ts';
import type { Calculator, Departure } from '../model/content.ts';

/** Parameters of an address that choose among departures, named as the calculator's. */
export const departureFields = ['mp', 'to'] as const;

/** A page that answers, and what its address asks for. */
export type AskedDepartures = {
  path: string;
  query: Readonly<Partial<Record<(typeof departureFields)[number], string | undefined>>>;
};

type Option = { value: string; text: string };

/** What a visitor may choose by, and has chosen. */
export type DepartureFilter = {
  /** The page that answers. */
  path: string;
  values: { mp: string; to: string };
  marketplaces: readonly Option[];
  warehouses: readonly Option[];
  /** Why not all that was asked for is shown. */
  remark: string | undefined;
};

/**
 * The departures that a query asks for. An answer that is not among the choices counts as none, and the remark says so.
 */
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

/** What to do about a warehouse that the chosen marketplace has nothing to do with; without a full stop. */
export function notTheirs(warehouse: string, owners: readonly string[], chosen: string): string {
  // Of the three names, only the Russian one is declined.
  const whose = (marketplace: string) => marketplace.replace(/Маркет$/, 'Маркета');
  const remedy = `Выберите склад ${whose(chosen)} или смените маркетплейс`;
  return `${warehouse}\u00A0— склад ${listed(owners.map(whose))}. ${remedy}`;
}

/** A plain form that the server answers. */
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

/** Fields of a form that is sent to people look otherwise, and weigh more than this page can bear. */
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
