import { LinkButton } from '../../components/action.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { ProseBlock } from '../../components/prose/prose-block.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { localTime, timeOf } from '../../lib/calendar.ts';
import { minuteMs } from '../../lib/durations.ts';
import { formatDayOfMonth, onDay } from '../../lib/format.ts';
import { maskPhone } from '../../lib/phone.ts';
import { type Company, type Content, callPhone, messengersOf, pageText } from '../../model/content.ts';
import { presetSubject } from '../../model/preset-title.ts';
import { isOpen } from '../../model/working-hours.ts';
import { defineView, pageHead } from '../../pages/page.ts';
import { SentBill } from '../../pages/services/sent-calculation.tsx';
import type { DatedBill } from '../../pricing/bill.ts';
import { promisedCall } from '../messages/promised-call.ts';
import type { Lead } from '../store/lead.ts';
import { lastChange } from '../store/lead-events.ts';
import { messageLink } from './message-link.ts';
import './receipt.css';

type Receipt = {
  content: Content;
  lead: Pick<Lead, 'number' | 'preset' | 'phone' | 'calculation' | 'receivedAt' | 'state' | 'since' | 'events'>;
  now: Date;
};

/** The page's own address is secret and so not in the HTML. */
const here = '';

export const receiptHeading = (number: number) => `Заявка №\u00A0${number} принята`;

export const receiptView = defineView({
  name: 'receipt',
  uncounted: true,
  head: ({ content, lead }: Receipt) => ({
    ...pageHead('/contact', pageText(content, 'contact')),
    title: receiptHeading(lead.number),
    description: receiptHeading(lead.number),
    noindex: true,
  }),
  data: () => null,
  Body: ({ content, lead, now }) => {
    const { number, preset, phone, calculation } = lead;
    const again = new URLSearchParams({ preset, ...(calculation && { calc: queryOf(calculation) }) });
    return (
      <div className="receipt fill">
        <div className="receipt-label">
          <p className="receipt-stamp">
            <Stamp text="Принято">
              №&nbsp;{number} · {arrival(lead, content.company.workingHours.timeZone)}
            </Stamp>
          </p>
          <PageHeading dated heading={receiptHeading(number)} intro={promiseOf(lead, content.company, now)} />
          {calculation === null ? (
            <p className="receipt-subject">{presetSubject(content, preset)}</p>
          ) : (
            <SentBill bill={calculation} />
          )}
          <p>
            Ваш номер <span className="receipt-phone">{maskPhone(phone)}</span>. Не тот?{' '}
            <a href={`/contact?${again}`}>Напишите верный</a>
          </p>
          <p>
            Сохраните{' '}
            <a href={here} rel="noreferrer">
              ссылку на эту страницу
            </a>
            : здесь видно, взял ли менеджер заявку.
          </p>
          <h2>Что дальше</h2>
          <ol>
            {stepsOf(content, lead).map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        </div>
        <UntilTheCall content={content} number={number} now={now} />
      </div>
    );
  },
});

function stepsOf({ company, presets }: Content, { calculation, preset }: Receipt['lead']): readonly string[] {
  if (calculation !== null) return company.words.calculation;
  return presets.find(({ slug }) => slug === preset)?.steps ?? company.words.request;
}

type Waiting = Pick<Receipt, 'content' | 'now'> & Pick<Lead, 'number'>;

function UntilTheCall({ content, number, now }: Waiting) {
  const { lead: intro, body: preparation } = pageText(content, 'contact');
  const { workingHours } = content.company;
  const call = callPhone(content.company);
  const open = isOpen(workingHours, now);
  const messengers = messengersOf(content.company);
  return (
    <div className="receipt-beside">
      <h2>Пока ждёте звонка</h2>
      <p>{intro}</p>
      {preparation.blocks.length > 0 && <ProseBlock blocks={preparation.blocks} />}
      <h2>{open ? 'Если срочно' : 'Если что-то изменилось'}</h2>
      <p>
        Назовите номер заявки по телефону <a href={`tel:${call.number}`}>{call.text}</a>
        {!open && ` в рабочие часы: ${workingHours.text}.`}
        {messengers.length > 0 && (open ? ' или напишите нам:' : ' Или напишите нам:')}
      </p>
      {messengers.length > 0 && (
        <ul className="receipt-messengers">
          {messengers.map(({ text, href }) => (
            <li key={href}>
              <LinkButton quiet href={messageLink(href, `Заявка № ${number}`)} text={text} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** `24 ноября, 8:42` */
function arrival({ receivedAt }: Receipt['lead'], timeZone: string): string {
  const { date, minutes } = localTime(new Date(receivedAt), timeZone);
  return `${formatDayOfMonth(date)}, ${timeOf(minutes)}`;
}

/** Holds whenever the page is read. */
function promiseOf(lead: Receipt['lead'], company: Company, now: Date): string {
  const { state, since } = lead;
  const { timeZone } = company.workingHours;
  if (state === 'taken') return takenWords(new Date(since), timeZone, now);
  if (state === 'done' && lastChange(lead)?.eventName === 'talked')
    return `Менеджер поговорил с вами ${momentOn(new Date(since), timeZone)}. Если это не так, ${callUs}`;
  if (state === 'done') return `Заявка закрыта. Если вы ждёте звонка, ${callUs}`;
  const { again, time, isOver } = promisedCall(lead, company, now);
  if (!again) return isOver ? `Обещали позвонить ${time}. Если звонка не было, ${callUs}` : `Позвоним ${time}.`;
  const plan = isOver ? `Собирались перезвонить ${time}, ${callUs}` : `Перезвоним ${time}.`;
  return `Мы не смогли до вас дозвониться. ${plan}`;
}

const callUs = 'наберите нас и назовите номер заявки.';

/** A manager calls right after taking a lead. */
const callingMs = 30 * minuteMs;

function takenWords(takenAt: Date, timeZone: string, now: Date): string {
  if (now.getTime() - takenAt.getTime() < callingMs) return 'Менеджер взял вашу заявку и звонит вам.';
  return `Менеджер взял вашу заявку ${momentOn(takenAt, timeZone)}. Если звонка не было, ${callUs}`;
}

/** `в понедельник, 23 ноября, в 10:15` */
function momentOn(at: Date, timeZone: string): string {
  const { date, minutes } = localTime(at, timeZone);
  return `${onDay(date)}, в\u00A0${timeOf(minutes)}`;
}

function queryOf({ address }: DatedBill): string {
  return address.slice(address.indexOf('?') + 1);
}
