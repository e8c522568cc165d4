import { SubmitButton } from '../design/action.tsx';
import { ErrorSummary, type FieldError } from '../design/error-summary.tsx';
import { InputField } from '../design/form-field.tsx';
import { PageHeading } from '../design/page-heading.tsx';
import { defineView } from '../document/page.ts';
import { DeskFrame, type DeskState } from './desk-frame.tsx';

type Props = {
  desk: DeskState;
  /** What visitors see now, till when today, `18:00`, and why the site only links to it; empty for what is not. */
  live: { url: string; until: string; trouble: string } | undefined;
  /** Another server says whether a broadcast is on, so nothing can be switched here. */
  elsewhere: boolean;
  values: { url: string; until: string };
  errors: readonly FieldError[];
};

const path = '/desk/broadcast';
const headingOf = ({ live }: Props) => (live ? `Эфир идёт${live.until ? ` до ${live.until}` : ''}` : 'Эфир выключен');

/** Where staff switch the broadcast on and off. */
export const deskBroadcastView = defineView({
  name: 'desk-broadcast',
  uncounted: true,
  head: (props: Props) => ({
    path,
    title: `${props.errors.length > 0 ? 'Ошибка: ' : ''}${headingOf(props)}`,
    description: headingOf(props),
    crumbs: [
      { path: '/desk', text: 'Заявки' },
      { path, text: 'Эфир' },
    ],
    noindex: true,
  }),
  data: () => null,
  Body: (props) => {
    const { desk, live, elsewhere, values, errors } = props;
    const errorOf = (field: string) => errors.find((error) => error.field === field)?.message;
    return (
      <DeskFrame desk={desk} here={path}>
        <ErrorSummary errors={errors} fields={['url', 'until']} />
        <PageHeading heading={headingOf(props)} />
        {live && (
          <>
            <p>
              Показываем{' '}
              <a href={live.url} rel="noreferrer">
                {live.url}
              </a>
            </p>
            {live.trouble && <p>{live.trouble}</p>}
          </>
        )}
        {elsewhere ? (
          <p>Эфиром управляет другой сервер: включают и выключают его там.</p>
        ) : (
          <>
            {live && (
              <form method="post">
                <input type="hidden" name="do" value="off" />
                <SubmitButton text="Выключить" />
              </form>
            )}
            <form className="desk-form" method="post">
              <input type="hidden" name="do" value="on" />
              <h2>{live ? 'Изменить эфир' : 'Включить эфир'}</h2>
              <InputField
                field="url"
                label="Адрес видео"
                hint="Ссылка на видео на YouTube, VK Видео или Rutube, или адрес потока."
                error={errorOf('url')}
                value={values.url}
                type="url"
                autoComplete="off"
                required
              />
              <InputField
                field="until"
                label="До какого времени сегодня"
                hint="По часам склада. Потом эфир выключится сам. Можно не указывать."
                error={errorOf('until')}
                value={values.until}
                type="time"
                autoComplete="off"
                required={false}
              />
              <SubmitButton text={live ? 'Изменить' : 'Включить'} quiet={live !== undefined} />
            </form>
          </>
        )}
      </DeskFrame>
    );
  },
});
