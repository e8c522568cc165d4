import type { Calculation } from '../../calculator/calculation.ts';
import { CalculationTable } from '../../calculator/calculation-table.tsx';
import { calculatorPath } from '../../calculator/order.ts';
import { SubmitButton } from '../../design/action.tsx';
import { ErrorSummary, type FieldError } from '../../design/error-summary.tsx';
import { CheckboxField, InputField, TextareaField } from '../../design/form-field.tsx';
import { formatDate } from '../../design/format.ts';
import { PageHeading } from '../../design/page-heading.tsx';
import { Drawing } from '../../design/picture.tsx';
import { defineView, wordedHead } from '../../document/page.ts';
import { type Content, type Preset, wordsOf } from '../../model/content.ts';
import { callWithinMinutes } from '../../model/working-hours.ts';
import './contact.css';

/** What the form shows: empty at first, or as it came back from the server. */
export type FormState = {
  preset: Preset;
  values: Readonly<Record<string, string>>;
  errors: readonly FieldError[];
  /** One per rendered form, so that a repeated submission is known as such. */
  key: string;
  /** Path of the page where the form was opened. */
  page: string;
  /** Parameters of the landing address, by name. */
  attribution: Readonly<Record<string, string>>;
  /** What the calculator makes of the visitor's order, and the query that it was asked with. */
  order?: { calculation: Calculation; query: string } | undefined;
  /** Why the request was not taken, where no field is to blame. */
  notice?: string;
};

type Props = { content: Content; form: FormState };

/** The request form as a page of its own; whole without a script. */
export const contactView = defineView({
  name: 'contact',
  head: ({ content, form: { preset, errors } }: Props) => ({
    ...wordedHead('/contact', wordsOf(content, 'contact')),
    title: errors.length > 0 ? `Ошибка: ${preset.title}` : preset.title,
    description: preset.description,
    noindex: true,
  }),
  // Nothing that a visitor typed leaves the page itself.
  data: ({ form }) => ({ preset: form.preset.slug }),
  Body: Contact,
});

function Contact({ content, form }: Props) {
  const { preset, errors, notice } = form;
  const { tollFree, workingHours } = content.company;
  const fields = [
    ...(preset.name ? ['name'] : []),
    'phone',
    ...(preset.message === 'none' ? [] : ['message']),
    'consent',
  ];
  return (
    <div className="contact fill">
      <div className="contact-form">
        {notice && (
          <div className="contact-notice" role="alert">
            <p>
              {notice} <a href={`tel:${tollFree.number}`}>{tollFree.text}</a>
            </p>
          </div>
        )}
        <ErrorSummary errors={errors} fields={fields} />
        <PageHeading heading={preset.title} lead={preset.description} />
        {form.order && <SentAlong order={form.order} content={content} />}
        <RequestForm form={form} challengeKey={content.integrations.turnstileSiteKey} />
      </div>
      <aside className="contact-aside" aria-label="Когда перезвоним">
        <Drawing image={preset.image} eager />
        <p>
          <b>Перезвоним в течение {callWithinMinutes}&nbsp;минут</b> в рабочее время: {workingHours.text}.
        </p>
        <p>
          Быстрее голосом:
          <br />
          <a href={`tel:${tollFree.number}`}>{tollFree.text}</a>
        </p>
      </aside>
    </div>
  );
}

/** The calculation that goes with the request, short. */
function SentAlong({ order, content }: { order: NonNullable<FormState['order']>; content: Content }) {
  return (
    <details className="contact-calculation" open>
      <summary>Расчёт уйдёт вместе с заявкой</summary>
      <CalculationTable
        short
        words={content.calculator}
        calculation={order.calculation}
        caption={`Цены с ${formatDate(content.rates.effective)}`}
      />
      <p>
        <a href={calculatorPath(order.query)}>Изменить расчёт</a>
      </p>
    </details>
  );
}

function RequestForm({ form, challengeKey }: { form: FormState; challengeKey: string | undefined }) {
  const { preset, values, errors, key, page, attribution, order } = form;
  const errorOf = (field: string) => errors.find((error) => error.field === field)?.message;
  return (
    <form method="post" action="/contact" noValidate data-module="contact-form">
      <input type="hidden" name="preset" value={preset.slug} />
      <input type="hidden" name="key" value={key} />
      <input type="hidden" name="page" value={page} />
      {order && <input type="hidden" name="calc" value={order.query} />}
      {Object.entries(attribution).map(([name, value]) => (
        <input key={name} type="hidden" name={`attribution.${name}`} value={value} />
      ))}
      {preset.name && (
        <InputField
          field="name"
          label="Как к вам обращаться"
          error={errorOf('name')}
          value={values.name ?? ''}
          type="text"
          autoComplete="name"
          required
        />
      )}
      <InputField
        field="phone"
        label="Телефон"
        hint="Например, 8 916 123-45-67"
        error={errorOf('phone')}
        value={values.phone ?? ''}
        type="tel"
        autoComplete="tel"
        mask="+7 (###) ###-##-##"
        required
      />
      {preset.message !== 'none' && (
        <TextareaField
          field="message"
          label={messageLabel(preset)}
          error={errorOf('message')}
          value={values.message ?? ''}
          required={preset.message === 'required'}
        />
      )}
      <CheckboxField field="consent" error={errorOf('consent')} value="yes" checked={values.consent === 'yes'}>
        Согласен на <a href="/consent">обработку персональных данных</a>
      </CheckboxField>
      {challengeKey && (
        <p className="field-hint">
          После этой отметки браузер обратится к сервису Cloudflare, чтобы отличить человека от робота. Что он узнаёт,
          сказано в <a href="/policy">политике</a>.
        </p>
      )}
      <div className="visually-hidden" aria-hidden="true">
        <label htmlFor="website">Не заполняйте это поле</label>
        <input id="website" name="website" type="text" tabIndex={-1} autoComplete="off" />
      </div>
      <SubmitButton text={preset.button} />
      {/* Below the button, which must not move when the widget comes. */}
      {challengeKey && (
        <div
          id="cf-turnstile"
          className="contact-challenge"
          data-sitekey={challengeKey}
          hidden={values.consent !== 'yes'}
        />
      )}
    </form>
  );
}

function messageLabel({ message, messageLabel: label = 'Сообщение' }: Preset): string {
  return message === 'required' ? label : `${label} (необязательно)`;
}
