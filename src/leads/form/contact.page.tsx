import type { ReactNode } from 'react';
import { SubmitButton } from '../../components/action.tsx';
import { ErrorSummary, findError } from '../../components/forms/error-summary.tsx';
import { CheckboxField, InputField, TextareaField } from '../../components/forms/form-field.tsx';
import { SocialLinks } from '../../components/layout/social-links.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { Drawing } from '../../components/picture.tsx';
import { type Content, callPhone, messengersOf, type Preset, pageText } from '../../model/content.ts';
import type { FieldError } from '../../model/field-error.ts';
import { generalPreset } from '../../model/schemas/presets-schema.ts';
import { defineView, pageHead } from '../../pages/page.ts';
import { SentBill } from '../../pages/services/sent-calculation.tsx';
import type { DatedBill } from '../../pricing/bill.ts';
import { calculatorPath } from '../../pricing/order-fields.ts';
import { type LeadInput, leadFields } from '../store/lead-fields.ts';
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
  notice?: string | undefined;
};

type Props = { content: Content; form: FormState };

export const contactView = defineView({
  name: 'contact',
  refreshed: true,
  head: ({ content, form }: Props) => {
    const text = pageText(content, 'contact');
    // The text is that of the form without a topic.
    const { title, description } = form.preset.slug === generalPreset ? text : form.preset;
    return {
      ...pageHead('/contact', text),
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
  const { workingHours } = content.company;
  const phone = callPhone(content.company);
  const messengers = messengersOf(content.company);
  return (
    <div className="contact fill">
      {notice && (
        <div className="contact-notice" role="alert" tabIndex={-1}>
          <p>
            {notice} <a href={`tel:${phone.number}`}>{phone.text}</a>
          </p>
        </div>
      )}
      <ErrorSummary errors={errors} fields={[...askedInputs(preset), 'consent']} />
      <div className="contact-about">
        <PageHeading heading={preset.title} intro={preset.description} />
        <p className="contact-promise" data-dated={order?.query ?? ''}>
          {promise}.{order && ' Расчёт приложен, вводить заново ничего не\u00A0нужно.'}
        </p>
        {order && (
          <div data-dated={order.query}>
            <SentBill bill={order.bill} link={{ href: calculatorPath(order.query), text: 'Изменить расчёт' }} />
          </div>
        )}
      </div>
      <LeadForm form={form} challengeKey={content.integrations.turnstileSiteKey} />
      <aside className="contact-aside" aria-label="Часы работы">
        <Drawing image={preset.image} />
        <div>
          <p>{workingHours.text}</p>
          <p data-dated="">
            {open ? 'Быстрее по телефону:' : 'Телефон:'}
            <br />
            <a href={`tel:${phone.number}`}>{phone.text}</a>
          </p>
          {messengers.length > 0 && (
            <>
              <p>Или напишите:</p>
              <SocialLinks social={messengers} />
            </>
          )}
        </div>
      </aside>
    </div>
  );
}

type LeadFormProps = { form: FormState; challengeKey: string | undefined };

function LeadForm({ form, challengeKey }: LeadFormProps) {
  const { preset, values, errors, order, consentVersion } = form;
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
      {askedInputs(preset).map((name) => {
        const Input = inputs[name];
        const given = { field: name, value: values[name], error: findError(errors, name) };
        return <Input key={name} given={given} form={form} />;
      })}
      <CheckboxField field="consent" error={findError(errors, 'consent')} value="yes" checked={values.consent}>
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

type LeadInputProps = { given: { field: string; value: string; error: string | undefined }; form: FormState };

/** In the order of the form. */
const inputs: Readonly<Record<LeadInput, (props: LeadInputProps) => ReactNode>> = {
  phone: ({ given }) => (
    <InputField
      {...given}
      label="Телефон"
      hint="Например, 8 916 123-45-67"
      type="tel"
      autoComplete="tel"
      mask="+7 (###) ###-##-##"
      required
    />
  ),
  name: ({ given }) => <InputField {...given} label="Как к вам обращаться" optional type="text" autoComplete="name" />,
  message: ({ given, form }) => {
    const required = form.preset.message === 'required';
    const rows = required ? 3 : 2;
    return <TextareaField {...given} label={messageLabel(form)} optional={!required} required={required} rows={rows} />;
  },
};

function askedInputs(preset: Preset): LeadInput[] {
  return (Object.keys(inputs) as LeadInput[]).filter((name) => leadFields[name].isAsked(preset));
}

function messageLabel({ preset: { message, messageLabel = 'Сообщение' }, order }: FormState): string {
  // A calculation has what the label may ask for.
  return order && message !== 'required' ? 'Комментарий' : messageLabel;
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
