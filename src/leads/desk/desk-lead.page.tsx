import { SubmitButton } from '../../components/action.tsx';
import { ErrorSummary } from '../../components/forms/error-summary.tsx';
import { TextareaField } from '../../components/forms/form-field.tsx';
import type { Content } from '../../model/content.ts';
import { doubtWords, shortMoment } from '../channels/lead-words.ts';
import type { DeliveryRecord } from '../store/deliveries.ts';
import type { Lead } from '../store/lead.ts';
import { type DeskState, defineDeskView } from './desk-frame.tsx';
import { LeadSheet } from './lead-sheet.tsx';
import { deliveryWords } from './staff-words.ts';
import './desk-lead.css';

/** A note that is being written. */
export type NoteDraft = { key: string; text: string; error?: string };

type Props = {
  desk: DeskState;
  path: string;
  heading: string;
  wrong: boolean;
  lead: Lead;
  deliveries: readonly DeliveryRecord[];
  note: NoteDraft;
  content: Content;
  siteUrl: string;
  now: Date;
};

export const deskLeadView = defineDeskView('desk-lead', (props: Props) => {
  const { path, lead, deliveries, note, content, siteUrl, now } = props;
  const { timeZone } = content.company.workingHours;
  const doubt = doubtWords(lead.signals);
  return (
    <>
      {note.error && <ErrorSummary errors={[{ field: 'text', message: note.error }]} fields={['text']} />}
      <div className="desk-columns">
        <div className="lead-sheet">
          <LeadSheet lead={lead} content={content} siteUrl={siteUrl} takeAction={`${path}/take`}>
            {lead.state === 'quarantined' && (
              <form className="desk-doubt" action={`${path}/release`} method="post">
                <p>Заявка в карантине, о ней никому не сообщали{doubt && `: ${doubt}`}.</p>
                <SubmitButton text="Выпустить" quiet />
              </form>
            )}
          </LeadSheet>
        </div>
        <div>
          <section>
            <h2>Заметки</h2>
            <NoteList notes={lead.notes} now={now} timeZone={timeZone} />
            <form className="desk-form" action={`${path}/notes`} method="post">
              <input type="hidden" name="key" value={note.key} />
              <TextareaField
                field="text"
                label="Новая заметка"
                hint="Её увидят все, кто работает с заявками. Изменить или удалить её нельзя."
                error={note.error}
                value={note.text}
                required
                rows={3}
              />
              <SubmitButton text="Записать" quiet />
            </form>
          </section>
          {deliveries.length > 0 && (
            <section>
              <h2>Кому сообщили</h2>
              <ul className="desk-notified">
                {deliveries.map((delivery) => (
                  <li key={delivery.id}>{deliveryWords(delivery, now, timeZone)}</li>
                ))}
              </ul>
            </section>
          )}
        </div>
      </div>
    </>
  );
});

function NoteList({ notes, now, timeZone }: { notes: Lead['notes']; now: Date; timeZone: string }) {
  if (notes.length === 0) return null;
  return (
    <ol className="desk-notes">
      {notes.map(({ key, by, at, text }) => (
        <li key={key}>
          <p className="desk-note-by">
            <bdi>{by}</bdi>, {shortMoment(at, now, timeZone)}
          </p>
          <p className="desk-note-text">
            <bdi>{text}</bdi>
          </p>
        </li>
      ))}
    </ol>
  );
}
