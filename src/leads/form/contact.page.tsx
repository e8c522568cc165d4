import { SubmitButton } from '../../components/action.tsx';
import { ErrorSummary, type FieldError } from '../../components/forms/error-summary.tsx';
import { CheckboxField, InputField, TextareaField } from '../../components/forms/form-field.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { Drawing } from '../../components/picture.tsx';
import { type Content, type Preset, wordsOf } from '../../model/content.ts';
import { defineView, wordedHead } from '../../pages/page.ts';
import type { DatedBill } from '../../pages/services/bill.ts';
import { calculatorPath } from '../../pages/services/order-fields.ts';
import { SentBill } from '../../pages/services/sent-calculation.tsx';
import type { LeadFormValues } from './read-lead-form.ts';
import './contact.css';

export type FormState = {
  preset: Preset;
  values: LeadFormValues;
  errors: readonly FieldError[];
  /** `query` reproduces the calculation. */
  order?: { bill: DatedBill; query: string } | undefined;
  /** Hash of the consent text. */
  consentVersion: string;
  /** Without a full stop. */
  promise: string;
  /** Whether calls are answered now. */
  open: boolean;
  /** Set if no field is wrong. */
  notice?: string;
};

type Props = { content: Content; form: FormState };

export const contactView = defineView({
  name: 'contact',
  head: ({ content, form }: Props) => {
    const { title, description } = form.preset;
    return {
      ...wordedHead('/contact', wordsOf(content, 'contact')),
      title: form.errors.length > 0 ? `Ошибка: ${title}` : title,
      description,
      noindex: true,
    };
  },
  // The payload must not contain what a visitor typed.
  data: ({ form }) => ({ preset: form.preset.slug }),
  Body: Contact,
});

function Contact({ content, form }: Props) {
  const { preset, errors, notice, order, promise, open } = form;
  const { tollFree, workingHours } = content.company;
  const fields = [
    'phone',
    ...(preset.name ? ['name'] : []),
    ...(preset.message === 'none' ? [] : ['message']),
    'consent',
  ];
  return (
    <div className="contact fill">
      {notice && (
        <div className="contact-notice" role="alert" tabIndex={-1}>
          <p>
            {notice} <a href={`tel:${tollFree.number}`}>{tollFree.text}</a>
          </p>
        </div>
      )}
      <ErrorSummary errors={errors} fields={fields} />
      <div className="contact-about">
        <PageHeading heading={preset.title} lead={preset.description} />
        <p className="contact-promise">
          {promise}.{order && ' Расчёт приложен, вводить заново ничего не\u00A0нужно.'}
        </p>
        {order && <SentBill bill={order.bill} link={{ href: calculatorPath(order.query), text: 'Изменить расчёт' }} />}
      </div>
      <LeadForm form={form} challengeKey={content.integrations.turnstileSiteKey} />
      <aside className="contact-aside" aria-label="Часы работы">
        <Drawing image={preset.image} />
        <div>
          <p>{workingHours.text}</p>
          <p>
            {open ? 'Быстрее по телефону:' : 'Телефон:'}
            <br />
            <a href={`tel:${tollFree.number}`}>{tollFree.text}</a>
          </p>
        </div>
      </aside>
    </div>
  );
}

type LeadFormProps = { form: FormState; challengeKey: string | undefined };

function LeadForm({ form, challengeKey }: LeadFormProps) {
  const { preset, values, errors, order, consentVersion } = form;
  const errorOf = (field: string) => errors.find((error) => error.field === field)?.message;
  return (
    <form
      method="post"
      action="/contact"
      noValidate
      data-module="contact-form"
      data-goal={errors.length > 0 ? undefined : 'form'}
    >
      <input type="hidden" name="preset" value={preset.slug} />
      <input type="hidden" name="key" value={values.key} />
      <input type="hidden" name="page" value={values.page} />
      <input type="hidden" name="consentVersion" value={consentVersion} />
      {order && <input type="hidden" name="calc" value={order.query} />}
      {Object.entries(values.attribution).map(([name, value]) => (
        <input key={name} type="hidden" name={`attribution.${name}`} value={value} />
      ))}
      <InputField
        field="phone"
        label="Телефон"
        hint="Например, 8 916 123-45-67"
        error={errorOf('phone')}
        value={values.phone}
        type="tel"
        autoComplete="tel"
        mask="+7 (###) ###-##-##"
        required
      />
      {preset.name && (
        <InputField
          field="name"
          label={optional('Как к вам обращаться')}
          error={errorOf('name')}
          value={values.name}
          type="text"
          autoComplete="name"
          required={false}
        />
      )}
      {preset.message !== 'none' && (
        <TextareaField
          field="message"
          label={messageLabel(form)}
          error={errorOf('message')}
          value={values.message}
          required={preset.message === 'required'}
          rows={preset.message === 'required' ? 3 : 2}
        />
      )}
      <CheckboxField field="consent" error={errorOf('consent')} value="yes" checked={values.consent}>
        Согласен на <Beside href="/consent" text="обработку персональных данных" />
      </CheckboxField>
      {challengeKey && (
        <p className="field-hint">
          После этой отметки браузер обратится к сервису Cloudflare, чтобы отличить человека от робота. Что он узнаёт,
          сказано в <Beside href="/policy" text="политике" />.
        </p>
      )}
      <div className="visually-hidden" aria-hidden="true">
        <label htmlFor="website">Не заполняйте это поле</label>
        <input id="website" name="website" type="text" tabIndex={-1} autoComplete="off" />
      </div>
      <SubmitButton text={preset.button} />
      {/* Below the button, which must not shift when the widget loads. */}
      {challengeKey && (
        <div id="cf-turnstile" className="contact-challenge" data-sitekey={challengeKey} hidden={!values.consent} />
      )}
    </form>
  );
}

function messageLabel({ preset: { message, messageLabel = 'Сообщение' }, order }: FormState): string {
  if (message === 'required') return messageLabel;
  // A calculation has what the label may ask for.
  return optional(order ? 'Комментарий' : messageLabel);
}

function optional(label: string): string {
  return `${label} (необязательно)`;
}

/** Opens a new tab, so that the form keeps its values. */
function Beside({ href, text }: { href: string; text: string }) {
  return (
    <a href={href} target="_blank" rel="noopener">
      {text}
      <span className="visually-hidden"> (откроется в новой вкладке)</span>
    </a>
  );
}
