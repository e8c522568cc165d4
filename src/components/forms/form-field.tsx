import type { HTMLInputAutoCompleteAttribute, ReactNode } from 'react';
import { fieldId } from './error-summary.tsx';
import './form-field.css';

/** Hides a field from Metrika's session replay. */
const notRecorded = 'ym-disable-keys ym-hide-content';

type Props = {
  field: string;
  label: string;
  /** Says so after the label. */
  optional?: boolean;
  hint?: string;
  error?: string | undefined;
  value: string;
};

type InputProps = Omit<Props, 'value'> & {
  type: 'text' | 'tel' | 'url' | 'time' | 'date' | 'datetime-local';
  value?: string;
  autoComplete?: HTMLInputAutoCompleteAttribute;
  required?: boolean;
  /** `#` matches a digit, `@` a letter, `*` either. */
  mask?: string;
};

export function InputField(props: InputProps) {
  const { field, label, optional, hint, error, value = '', type, autoComplete = 'off', required = false, mask } = props;
  return (
    <Field field={field} label={label} optional={optional} hint={hint} error={error}>
      <input
        id={fieldId(field)}
        className={notRecorded}
        name={field}
        type={type}
        inputMode={type === 'tel' || type === 'url' || type === 'text' ? type : undefined}
        autoComplete={autoComplete}
        required={required}
        data-mask={mask}
        defaultValue={value}
        aria-describedby={describedBy(field, hint, error)}
        aria-invalid={error ? true : undefined}
      />
    </Field>
  );
}

export function TextareaField(props: Props & { required: boolean; rows: number }) {
  const { field, label, optional, hint, error, value, required, rows } = props;
  return (
    <Field field={field} label={label} optional={optional} hint={hint} error={error}>
      <textarea
        id={fieldId(field)}
        className={notRecorded}
        name={field}
        rows={rows}
        required={required}
        defaultValue={value}
        aria-describedby={describedBy(field, hint, error)}
        aria-invalid={error ? true : undefined}
      />
    </Field>
  );
}

export function NumberField({ field, label, hint, error, value, decimal = false }: Props & { decimal?: boolean }) {
  return (
    <Field field={field} label={label} hint={hint} error={error}>
      <input
        id={fieldId(field)}
        className="field-number"
        name={field}
        type="text"
        inputMode={decimal ? 'decimal' : 'numeric'}
        autoComplete="off"
        defaultValue={value}
        aria-describedby={describedBy(field, hint, error)}
        aria-invalid={error ? true : undefined}
      />
    </Field>
  );
}

/** `omits` lists fields that do not apply to this option. */
type Option = { id: string; text: string; omits?: readonly string[] };
type OptionGroup = { label: string; options: readonly Option[] };

type SelectProps = Props & {
  /** Ungrouped options come first. */
  options: readonly Option[];
  groups?: readonly OptionGroup[];
};

export function SelectField({ field, label, hint, error, value, options, groups = [] }: SelectProps) {
  return (
    <Field field={field} label={label} hint={hint} error={error}>
      <select
        id={fieldId(field)}
        name={field}
        defaultValue={value}
        aria-describedby={describedBy(field, hint, error)}
        aria-invalid={error ? true : undefined}
      >
        <Options options={options} />
        {groups.map((group) => (
          <optgroup key={group.label} label={group.label}>
            <Options options={group.options} />
          </optgroup>
        ))}
      </select>
    </Field>
  );
}

function Options({ options }: { options: readonly Option[] }) {
  return options.map(({ id, text, omits }) => (
    <option key={id} value={id} data-omits={omits?.join(' ')}>
      {text}
    </option>
  ));
}

/** Links to the field lead to the first option. */
export function RadioField({ field, label, hint, error, value, options }: Props & { options: readonly Option[] }) {
  return (
    <FieldGroup field={field} label={label} hint={hint} error={error}>
      <div className="field-radios">
        {options.map((option, index) => (
          <label key={option.id}>
            <input
              id={index === 0 ? fieldId(field) : undefined}
              name={field}
              type="radio"
              value={option.id}
              data-omits={option.omits?.join(' ')}
              defaultChecked={option.id === value}
            />
            <span>{option.text}</span>
          </label>
        ))}
      </div>
    </FieldGroup>
  );
}

type CheckboxProps = Pick<Props, 'field' | 'error' | 'value'> & { checked: boolean; children: ReactNode };

export function CheckboxField({ field, error, value, checked, children }: CheckboxProps) {
  return (
    <div className={classOf(error)}>
      <FieldNotes field={field} hint={undefined} error={error} />
      <div className="field-checkbox">
        <input
          id={fieldId(field)}
          name={field}
          type="checkbox"
          value={value}
          required
          defaultChecked={checked}
          aria-describedby={describedBy(field, undefined, error)}
          aria-invalid={error ? true : undefined}
        />
        <label htmlFor={fieldId(field)}>{children}</label>
      </div>
    </div>
  );
}

type Notes = { field: string; hint: string | undefined; error: string | undefined };
type FieldProps = Notes & { label: string; optional?: boolean | undefined; children: ReactNode };

function Field({ field, label, optional, hint, error, children }: FieldProps) {
  return (
    <div className={classOf(error)}>
      <label htmlFor={fieldId(field)}>
        {label}
        {optional && <small> (необязательно)</small>}
      </label>
      <FieldNotes field={field} hint={hint} error={error} />
      {children}
    </div>
  );
}

function FieldGroup({ field, label, hint, error, children }: FieldProps) {
  return (
    <fieldset className={classOf(error)} aria-describedby={describedBy(field, hint, error)}>
      <legend>{label}</legend>
      <FieldNotes field={field} hint={hint} error={error} />
      {children}
    </fieldset>
  );
}

function classOf(error: string | undefined): string {
  return error ? 'field field-invalid' : 'field';
}

function FieldNotes({ field, hint, error }: Notes) {
  return (
    <>
      {hint && (
        <p className="field-hint" id={`${fieldId(field)}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p className="field-error" id={`${fieldId(field)}-error`}>
          <span className="visually-hidden">Ошибка:</span> {error}
        </p>
      )}
    </>
  );
}

function describedBy(field: string, hint: string | undefined, error: string | undefined): string | undefined {
  const ids = [hint && `${fieldId(field)}-hint`, error && `${fieldId(field)}-error`].filter(Boolean);
  return ids.length > 0 ? ids.join(' ') : undefined;
}
