import { SubmitButton } from '../design/action.tsx';
import { ErrorSummary } from '../design/error-summary.tsx';
import { TextareaField } from '../design/form-field.tsx';
import { defineView } from '../document/page.ts';
import { DeskFrame, type DeskState } from './desk-frame.tsx';
import type { NoteWords, ToldWords } from './desk-words.ts';
import { LeadSheet, leadName } from './lead-sheet.tsx';
import type { LeadWords } from './lead-words.ts';
import './desk-request.css';

/** Characters of a note at most. */
export const noteAtMost = 1_000;

type Props = {
  desk: DeskState;
  path: string;
  lead: LeadWords;
  /** Of a lead in quarantine: what speaks for spam, on one line. */
  doubt: string | undefined;
  notes: readonly NoteWords[];
  told: readonly ToldWords[];
  /** A note that is being written: what makes it one, and what is wrong with it. */
  note: { key: string; text: string; error?: string | undefined };
};

/** One lead at the desk. */
export const deskRequestView = defineView({
  name: 'desk-request',
  uncounted: true,
  head: ({ path, lead, note }: Props) => ({
    path,
    title: note.error ? `Ошибка: ${leadName(lead)}` : leadName(lead),
    description: lead.presetTitle,
    crumbs: [
      { path: '/desk', text: 'Заявки' },
      { path, text: leadName(lead) },
    ],
    noindex: true,
  }),
  data: () => null,
  Body: ({ desk, path, lead, doubt, notes, told, note }) => (
    <DeskFrame desk={desk} here={path}>
      {note.error && <ErrorSummary errors={[{ field: 'text', message: note.error }]} fields={['text']} />}
      <div className="desk-columns">
        <div className="lead-sheet">
          <LeadSheet lead={lead} take={<Doing what="take" />}>
            {doubt !== undefined && (
              <form className="desk-doubt" method="post">
                <Doing what="release" />
                <p>Заявка в карантине, о ней никому не сообщали{doubt && `: ${doubt}`}.</p>
                <SubmitButton text="Выпустить" quiet />
              </form>
            )}
          </LeadSheet>
        </div>
        <div>
          <section>
            <h2>Заметки</h2>
            {notes.length > 0 && (
              <ol className="desk-notes">
                {notes.map(({ key, by, at, text }) => (
                  <li key={key}>
                    <p className="desk-note-by">
                      <bdi>{by}</bdi>, {at}
                    </p>
                    <p className="desk-note-text">
                      <bdi>{text}</bdi>
                    </p>
                  </li>
                ))}
              </ol>
            )}
            <form className="desk-form" method="post">
              <Doing what="note" />
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
          {told.length > 0 && (
            <section>
              <h2>Кому сообщили</h2>
              <ul className="desk-told">
                {told.map(({ id, text }) => (
                  <li key={id}>{text}</li>
                ))}
              </ul>
            </section>
          )}
        </div>
      </div>
    </DeskFrame>
  ),
});

/** Says which of a page's forms is sent. */
function Doing({ what }: { what: 'take' | 'release' | 'note' }) {
  return <input type="hidden" name="do" value={what} />;
}
