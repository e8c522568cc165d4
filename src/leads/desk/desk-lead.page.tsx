import { SubmitButton } from '../../components/action.tsx';
import { ErrorSummary } from '../../components/forms/error-summary.tsx';
import { TextareaField } from '../../components/forms/form-field.tsx';
import { plural } from '../../lib/plural.ts';
import type { Content } from '../../model/content.ts';
import { deliveryPhrase, eventPhrase, shortMoment } from '../messages/desk-phrases.ts';
import { doubtOf } from '../messages/lead-facts.ts';
import type { DeliveryRecord } from '../store/deliveries.ts';
import type { Lead } from '../store/lead.ts';
import { leadEvents } from '../store/lead-events.ts';
import { type DeskState, defineDeskView } from './desk-frame.tsx';
import type { ActionDraft } from './lead-actions.tsx';
import { LeadSheet } from './lead-sheet.tsx';
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
  /** Names of those that are configured. */
  channels: readonly string[];
  /** How many other leads have this phone. */
  samePhone: number;
  draft: ActionDraft;
  note: NoteDraft;
  content: Content;
  siteUrl: string;
  now: Date;
};

export const deskLeadView = defineDeskView('desk-lead', (props: Props) => {
  const { path, lead, deliveries, channels, samePhone, draft, note, content, siteUrl, now } = props;
  const { timeZone } = content.company.workingHours;
  const doubt = doubtOf(lead);
  return (
    <>
      {note.error && <ErrorSummary errors={[{ field: 'text', message: note.error }]} fields={['text']} />}
      <div className="desk-columns">
        <div className="lead-sheet">
          <LeadSheet lead={lead} content={content} siteUrl={siteUrl} address={path} draft={draft} now={now}>
            {lead.state === 'quarantined' && (
              <form className="desk-doubt" action={path} method="post">
                <p>Заявка в карантине, о ней никому не сообщали{doubt && `: ${doubt}`}.</p>
                <input type="hidden" name="key" value={draft.key} />
                <SubmitButton text={leadEvents.release.button} quiet name="action" value="release" />
              </form>
            )}
            {samePhone > 0 && <SamePhone count={samePhone} phone={lead.phone} />}
          </LeadSheet>
        </div>
        <div>
          <section>
            <h2>История</h2>
            <History events={lead.events} now={now} timeZone={timeZone} />
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
              <SubmitButton text={leadEvents.note.button} quiet />
            </form>
          </section>
          {deliveries.length > 0 && (
            <section>
              <h2>Кому сообщили</h2>
              <ul className="desk-notified">
                {deliveries.map((delivery) => (
                  <li key={delivery.id}>
                    {deliveryPhrase(delivery, now, timeZone)}
                    {isResendable(delivery) && channels.includes(delivery.channel) && (
                      <form action={`${path}/resend`} method="post">
                        <input type="hidden" name="key" value={draft.key} />
                        <SubmitButton text={leadEvents.resend.button} quiet name="channel" value={delivery.channel} />
                      </form>
                    )}
                  </li>
                ))}
              </ul>
            </section>
          )}
        </div>
      </div>
    </>
  );
});

/** New reminders follow while the lead needs them. */
function isResendable({ state, reason }: DeliveryRecord): boolean {
  return state === 'dead' && reason === 'new';
}

function SamePhone({ count, phone }: { count: number; phone: string }) {
  return (
    <form action="/desk/find" method="post">
      <input type="hidden" name="query" value={phone} />
      <SubmitButton text={`С этого номера ещё ${count} ${plural(count, ['заявка', 'заявки', 'заявок'])}`} quiet />
    </form>
  );
}

function History({ events, now, timeZone }: { events: Lead['events']; now: Date; timeZone: string }) {
  if (events.length === 0) return null;
  const moment = (instant: string) => shortMoment(instant, now, timeZone);
  return (
    <ol className="desk-notes">
      {events.map((event) => {
        const { person, what } = eventPhrase(event, moment);
        return (
          <li key={`${event.at} ${event.key}`}>
            <p className="desk-note-by">
              <bdi>{person}</bdi>, {moment(event.at)}
              {what && `: ${what}`}
            </p>
            {event.eventName === 'note' && (
              <p className="desk-note-text">
                <bdi>{event.text}</bdi>
              </p>
            )}
          </li>
        );
      })}
    </ol>
  );
}
