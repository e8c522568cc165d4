import { LinkButton, SubmitButton } from '../design/action.tsx';
import { ErrorSummary, type FieldError } from '../design/error-summary.tsx';
import { InputField } from '../design/form-field.tsx';
import { PageHeading } from '../design/page-heading.tsx';
import { Summary } from '../design/summary.tsx';
import { defineView } from '../document/page.ts';
import type { Days } from '../leads/store/export.ts';
import { DeskFrame, type DeskState } from './desk-frame.tsx';
import type { LeadRow } from './desk-words.ts';
import './desk.css';

/** Leads under one heading; without one, the page's own is theirs. */
export type LeadGroup = { heading?: string; rows: readonly LeadRow[]; empty: string; more?: string };

type Props = {
  desk: DeskState;
  path: string;
  heading: string;
  lead?: string;
  groups: readonly LeadGroup[];
  /** Lets leads out of quarantine from here. */
  release?: boolean;
  /** Where the list goes on, and where it begins. */
  older?: string | undefined;
  newest?: string | undefined;
  /** Days that were asked for, and what is wrong with them. */
  exporting?: { days: Days; errors: readonly FieldError[] };
};

/** Leads as staff work through them. */
export const deskView = defineView({
  name: 'desk',
  uncounted: true,
  head: ({ path, heading, exporting }: Props) => ({
    path,
    title: exporting ? `Ошибка: ${heading}` : heading,
    description: heading,
    crumbs: [{ path, text: heading }],
    noindex: true,
  }),
  data: () => null,
  Body: ({ desk, path, heading, lead, groups, release = false, older, newest, exporting }) => (
    <DeskFrame desk={desk} here={path}>
      {exporting && <ErrorSummary errors={exporting.errors} fields={['from', 'to']} />}
      <PageHeading heading={heading} lead={lead} />
      {groups.map((group) => (
        <LeadList key={group.heading ?? ''} group={group} release={release} />
      ))}
      {(older || newest) && (
        <p className="desk-pages">
          {newest && <LinkButton href={newest} text="К новым" quiet />}
          {older && <LinkButton href={older} text="Раньше" quiet />}
        </p>
      )}
      <ExportForm {...exporting} />
    </DeskFrame>
  ),
});

function ExportForm({ days = { from: '', to: '' }, errors = [] }: Partial<NonNullable<Props['exporting']>>) {
  const inputs = [
    { field: 'from', label: 'С какого дня' },
    { field: 'to', label: 'По какой день' },
  ] as const;
  return (
    <details className="desk-export" open={errors.length > 0}>
      <Summary>Скачать заявки таблицей CSV</Summary>
      {/* What is handed over as a file is no page to wait for: with a target, the loading bar leaves it alone. */}
      <form className="desk-form" action="/desk/export" target="_self">
        <p>Войдут и первый день, и последний. Без них скачаются все заявки.</p>
        {inputs.map(({ field, label }) => (
          <InputField
            key={field}
            field={field}
            label={label}
            error={errors.find((error) => error.field === field)?.message}
            value={days[field]}
            type="date"
            autoComplete="off"
            required={false}
          />
        ))}
        <SubmitButton text="Скачать" quiet />
      </form>
    </details>
  );
}

function LeadList({ group: { heading, rows, empty, more }, release }: { group: LeadGroup; release: boolean }) {
  const Name = heading ? 'h3' : 'h2';
  return (
    <section>
      {heading && <h2>{heading}</h2>}
      {rows.length === 0 ? (
        <p>{empty}</p>
      ) : (
        <ol className="desk-leads desk-columns">
          {rows.map(({ number, about, doubt, phone, words, name, path, history, state }) => (
            <li key={number} className={`desk-lead desk-lead-${state}`}>
              <p className="desk-lead-history">{history}</p>
              <Name>
                <a href={path}>
                  №{'\u00A0'}
                  {number}. {about}
                </a>
              </Name>
              <p className="desk-lead-who">
                {name && <bdi>{name}</bdi>}{' '}
                {phone.href ? <a href={phone.href}>{phone.value}</a> : <bdi>{phone.value}</bdi>}
              </p>
              {words && (
                <p className="desk-lead-words">
                  <bdi>{words}</bdi>
                </p>
              )}
              {doubt && <p className="desk-lead-doubt">Почему: {doubt}.</p>}
              {release && (
                <form method="post">
                  <input type="hidden" name="number" value={number} />
                  <SubmitButton text={`Выпустить №\u00A0${number}`} quiet />
                </form>
              )}
            </li>
          ))}
        </ol>
      )}
      {more && <p>{more}</p>}
    </section>
  );
}
