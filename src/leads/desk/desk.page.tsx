import { SubmitButton } from '../../components/action.tsx';
import { InputField } from '../../components/forms/form-field.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { Summary } from '../../components/summary.tsx';
import { formatPhone } from '../../lib/phone.ts';
import { tidyLine } from '../../lib/tidy.ts';
import type { Content } from '../../model/content.ts';
import { presetTitle } from '../../model/preset-title.ts';
import type { Publication } from '../../publishing/publication.ts';
import { type ProblemLine, PublicationState } from '../../publishing/publication.tsx';
import { historyOf, waitOf } from '../messages/desk-phrases.ts';
import { doubtOf, excerptOf } from '../messages/lead-facts.ts';
import type { Lead } from '../store/lead.ts';
import { leadEvents } from '../store/lead-events.ts';
import { type DeskState, defineDeskView } from './desk-frame.tsx';
import './desk.css';

type Props = {
  desk: DeskState;
  path: string;
  heading: string;
  intro?: string;
  /** In the search field; `undefined` on pages without that field. */
  query?: string;
  publication?: Publication | undefined;
  lists: readonly LeadPage[];
  content: Content;
  now: Date;
};

/** A part of a list. */
export type LeadPage = {
  /** Of the list alone. */
  path: string;
  /** Sent to `path`, because a phone must not be in an address. */
  query?: string;
  /** By default the page's own. */
  heading?: string;
  leads: readonly Lead[];
  empty: string;
  isFirst: boolean;
  /** Absent if the list ends here. */
  next?: { after: string; total: number };
};

export const deskView = defineDeskView('desk', ({ heading, intro, query, publication, lists, content, now }: Props) => (
  <>
    <PageHeading heading={heading} intro={intro} />
    {query !== undefined && <FindForm query={query} />}
    {publication && (
      <PublicationState
        publication={publication}
        lines={linesOf(publication)}
        now={now}
        timeZone={content.company.workingHours.timeZone}
      />
    )}
    {lists.map((list) => (
      <LeadList key={list.path} list={list} content={content} now={now} />
    ))}
    <ExportForm />
  </>
));

function linesOf({ failed }: Publication): ProblemLine[] {
  return (failed?.problems ?? []).map(({ file, line, field, message, instead }) => {
    return { position: `${file}, строка\u00A0${line}`, message: `${field && `${field}: `}${message}`, instead };
  });
}

type ListProps = { list: LeadPage; content: Content; now: Date };

function LeadList({ list, content, now }: ListProps) {
  const { heading, leads, empty } = list;
  return (
    <section>
      {heading && <h2>{heading}</h2>}
      {leads.length === 0 ? (
        <p>{empty}</p>
      ) : (
        <ol className="desk-leads desk-columns">
          {leads.map((lead) => (
            <LeadItem key={lead.number} lead={lead} Heading={heading ? 'h3' : 'h2'} content={content} now={now} />
          ))}
        </ol>
      )}
      <Turns {...list} />
    </section>
  );
}

/** To the next page and to the first. */
function Turns({ path, query, isFirst, next }: LeadPage) {
  if (isFirst && !next) return null;
  return (
    <form className="desk-pages" action={path} method={query === undefined ? 'get' : 'post'}>
      {query !== undefined && <input type="hidden" name="query" value={query} />}
      {next && <p>Всего в списке: {next.total}.</p>}
      {next && <SubmitButton text="Следующие" quiet name="after" value={next.after} />}
      {!isFirst && <SubmitButton text="К началу списка" quiet />}
    </form>
  );
}

type ItemProps = { lead: Lead; Heading: 'h2' | 'h3'; content: Content; now: Date };

function LeadItem({ lead, Heading, content, now }: ItemProps) {
  const { number, state, name, phone } = lead;
  const path = `/desk/leads/${number}`;
  const doubt = doubtOf(lead);
  const excerpt = excerptOf(lead);
  const wait = waitOf(lead, now);
  return (
    <li className={`desk-lead desk-lead-${state}`}>
      <p className="desk-lead-history">
        {historyOf(lead, now, content.company.workingHours.timeZone)}
        {wait && (
          <>
            , <b>{wait}</b>
          </>
        )}
      </p>
      <Heading>
        <a href={path}>
          №{'\u00A0'}
          {number}. {presetTitle(content, lead.preset)}
        </a>
      </Heading>
      <p className="desk-lead-who">
        {name && <bdi>{tidyLine(name)}</bdi>} <a href={`tel:${phone}`}>{formatPhone(phone)}</a>
      </p>
      {lead.calculation && (
        <p>
          Расчёт: <b>{lead.calculation.total}</b>
        </p>
      )}
      {excerpt && (
        <p className="desk-lead-words">
          <bdi>{excerpt}</bdi>
        </p>
      )}
      {doubt && <p className="desk-lead-doubt">Почему: {doubt}.</p>}
      {state === 'quarantined' && (
        <form action={path} method="post">
          <SubmitButton text={`${leadEvents.release.button} №\u00A0${number}`} quiet name="action" value="release" />
        </form>
      )}
    </li>
  );
}

function FindForm({ query }: { query: string }) {
  return (
    <form className="desk-find" action="/desk/find" method="post">
      <InputField
        field="query"
        label="Телефон или номер заявки"
        value={query}
        error={undefined}
        type="tel"
        autoComplete="off"
        required
      />
      <SubmitButton text="Найти" quiet />
    </form>
  );
}

function ExportForm() {
  return (
    <details className="desk-export">
      <Summary>Скачать заявки таблицей CSV</Summary>
      {/* `target` keeps the loading bar from waiting for a page that a download never shows. */}
      <form className="desk-form" action="/desk/export" target="_self">
        <p>Войдут и первый день, и последний. Без них скачаются все заявки.</p>
        <InputField
          field="from"
          label="С какого дня"
          value=""
          error={undefined}
          type="date"
          autoComplete="off"
          required={false}
        />
        <InputField
          field="to"
          label="По какой день"
          value=""
          error={undefined}
          type="date"
          autoComplete="off"
          required={false}
        />
        <SubmitButton text="Скачать" quiet />
      </form>
    </details>
  );
}
