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
  const { value = '', type, autoComplete = 'off', required = false, mask } = props;
  return (
    <Field {...props}>
      <input
        {...controlProps(props)}
        className={notRecorded}
        type={type}
        inputMode={type === 'tel' || type === 'url' || type === 'text' ? type : undefined}
        autoComplete={autoComplete}
        required={required}
        data-mask={mask}
        defaultValue={value}
      />
    </Field>
  );
}

export function TextareaField(props: Props & { required: boolean; rows: number }) {
  const { value, required, rows } = props;
  return (
    <Field {...props}>
      <textarea {...controlProps(props)} className={notRecorded} rows={rows} required={required} defaultValue={value} />
    </Field>
  );
}

export function NumberField({ decimal = false, ...props }: Props & { decimal?: boolean }) {
  return (
    <Field {...props}>
      <input
        {...controlProps(props)}
        className="field-number"
        type="text"
        inputMode={decimal ? 'decimal' : 'numeric'}
        autoComplete="off"
        defaultValue={props.value}
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

export function SelectField({ options, groups = [], ...props }: SelectProps) {
  return (
    <Field {...props}>
      <select {...controlProps(props)} defaultValue={props.value}>
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
export function RadioField({ options, ...props }: Props & { options: readonly Option[] }) {
  const { field, value } = props;
  return (
    <FieldGroup {...props}>
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
      <FieldNotes field={field} error={error} />
      <div className="field-checkbox">
        <input {...controlProps({ field, error })} type="checkbox" value={value} required defaultChecked={checked} />
        <label htmlFor={fieldId(field)}>{children}</label>
      </div>
    </div>
  );
}

type Notes = { field: string; hint?: string | undefined; error?: string | undefined };

function controlProps({ field, hint, error }: Notes) {
  return {
    id: fieldId(field),
    name: field,
    'aria-describedby': describedBy({ field, hint, error }),
    'aria-invalid': error ? true : undefined,
  };
}

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
    <fieldset className={classOf(error)} aria-describedby={describedBy({ field, hint, error })}>
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

function describedBy({ field, hint, error }: Notes): string | undefined {
  const ids = [hint && `${fieldId(field)}-hint`, error && `${fieldId(field)}-error`].filter(Boolean);
  return ids.length > 0 ? ids.join(' ') : undefined;
}
