import { SubmitButton } from '../../components/action.tsx';
import { ErrorSummary, findError } from '../../components/forms/error-summary.tsx';
import { InputField } from '../../components/forms/form-field.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import type { FieldError } from '../../model/field-error.ts';
import { type DeskState, defineDeskView } from './desk-frame.tsx';

export type BroadcastDraft = { values: { url: string; until: string }; errors: readonly FieldError[] };

type Props = BroadcastDraft & {
  desk: DeskState;
  path: string;
  heading: string;
  wrong: boolean;
  /** What visitors see now, its host if pages may not embed it, and whether it is a page of a site for videos. */
  live: { url: string; notEmbedded: string | undefined; isPage: boolean } | undefined;
  /** Another server controls the broadcast, so it cannot be switched here. */
  elsewhere: boolean;
};

export const deskBroadcastView = defineDeskView('desk-broadcast', (props: Props) => {
  const { path, heading, live, elsewhere, values, errors } = props;
  return (
    <>
      <ErrorSummary errors={errors} fields={['url', 'until']} />
      <PageHeading heading={heading} />
      {live && (
        <p>
          Показываем{' '}
          <a href={live.url} rel="noreferrer">
            {live.url}
          </a>
        </p>
      )}
      {live?.notEmbedded && (
        <p>
          Видео на странице не видно, на него только ссылка:{' '}
          {live.isPage
            ? `это страница сайта ${live.notEmbedded}, а не видео. Откройте видео и вставьте его адрес.`
            : `нужен адрес с https и ${live.notEmbedded} в VIDEO_HOSTS.`}
        </p>
      )}
      {elsewhere && <p>Эфиром управляет другой сервер: включают и выключают его там.</p>}
      {live && !elsewhere && (
        <form action={`${path}/off`} method="post">
          <SubmitButton text="Выключить" />
        </form>
      )}
      {!elsewhere && (
        <form className="desk-form" action={path} method="post">
          <h2>{live ? 'Изменить эфир' : 'Включить эфир'}</h2>
          <InputField
            field="url"
            label="Адрес видео"
            hint="Ссылка на видео на YouTube, VK Видео или Rutube, или адрес потока."
            error={findError(errors, 'url')}
            value={values.url}
            type="url"
            required
          />
          <InputField
            field="until"
            label="До какого времени сегодня"
            hint="По часам склада. Потом эфир выключится сам. Можно не указывать."
            error={findError(errors, 'until')}
            value={values.until}
            type="time"
          />
          <SubmitButton text={live ? 'Изменить' : 'Включить'} quiet={live !== undefined} />
        </form>
      )}
    </>
  );
});
