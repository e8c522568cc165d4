import { Summary } from '../components/summary.tsx';
import type { FailedPublication } from './failed-publication.ts';
import type { Publication } from './publication.ts';
import { formatRecentMoment, formatSince } from './publication-words.ts';
import './publication.css';

export type PublicationProblem = FailedPublication['problems'][number];

/** A problem without details that the reader may not see. `instead` is the corrected line. */
export type ProblemLine = { position: string; message?: string; instead?: string | undefined };

type Props = {
  publication: Publication;
  lines: readonly ProblemLine[];
  /** Unfolds what was failed. */
  open?: boolean;
  now: Date;
  timeZone: string;
};

export function PublicationState({ publication, lines, open = false, now, timeZone }: Props) {
  const { failed } = publication;
  const moment = (instant: string) => formatRecentMoment(instant, now, timeZone);
  return (
    <div className="publication">
      {failed && (
        <details className="publication-failed" open={open}>
          <Summary>
            <h2>
              Правки {formatSince(failed.since, now, timeZone)} не опубликованы
              {!open && positionsOf(lines)}
            </h2>
          </Summary>
          <ProblemList lines={lines} />
          <p>
            {lines.length === 0
              ? 'Дело не в них, публикации помешал сбой. Скажите тому, кто ведёт сервер.'
              : 'Поправьте и сохраните файлы. Если сайт публикуют командой, выполните её снова.'}
          </p>
        </details>
      )}
      <p>{shownWords(publication, moment).join(' ')}</p>
    </div>
  );
}

function shownWords({ publishedAt, revertedAt, brokenAt }: Publication, moment: (instant: string) => string): string[] {
  return [
    `Посетители видят то, ${publishedAt ? `что опубликовано ${moment(publishedAt)}` : 'с чем запустили сайт'}.`,
    revertedAt ? `Позже, ${moment(revertedAt)}, публиковали ещё, но вернули прежнее.` : '',
    brokenAt ? `То, что опубликовано ${moment(brokenAt)}, сервер показать не может: скажите тому, кто его ведёт.` : '',
    publishedAt ? 'Вернуть опубликованное раньше можно на сервере: publish --back.' : '',
  ].filter(Boolean);
}

function positionsOf([first, ...others]: readonly ProblemLine[]): string {
  if (first === undefined) return '';
  return `: ${first.position}${others.length > 0 ? ` и ещё ${others.length}` : ''}`;
}

function ProblemList({ lines }: { lines: readonly ProblemLine[] }) {
  return (
    <ul>
      {lines.map(({ position, message, instead }) => (
        <li key={position + message}>
          {message ? <b>{position}:</b> : position} {message}
          {instead && <code>{instead}</code>}
        </li>
      ))}
    </ul>
  );
}
