import type { HTMLInputAutoCompleteAttribute, ReactNode } from 'react';
import { fieldId } from './error-summary.tsx';
import './form-field.css';

/** Classes that hide a field from Metrika's session replay. */
const notRecorded = 'ym-disable-keys ym-hide-content';

type Props = {
  field: string;
  label: string;
  hint?: string;
  error: string | undefined;
  value: string;
};

type InputProps = Props & {
  type: 'text' | 'tel' | 'url' | 'time' | 'date';
  autoComplete: HTMLInputAutoCompleteAttribute;
  required: boolean;
  /** # stands for a digit, @ for a letter, * for either. */
  mask?: string;
};

export function InputField({ field, label, hint, error, value, type, autoComplete, required, mask }: InputProps) {
  return (
    <div className={error ? 'field field-invalid' : 'field'}>
      <label htmlFor={fieldId(field)}>{label}</label>
      <FieldNotes field={field} hint={hint} error={error} />
      <input
        id={fieldId(field)}
        className={notRecorded}
        name={field}
        type={type}
        inputMode={type === 'time' || type === 'date' ? undefined : type}
        autoComplete={autoComplete}
        required={required}
        data-mask={mask}
        defaultValue={value}
        aria-describedby={describedBy(field, hint, error)}
        aria-invalid={error ? true : undefined}
      />
    </div>
  );
}

export function TextareaField(props: Props & { required: boolean; rows: number }) {
  const { field, label, hint, error, value, required, rows } = props;
  return (
    <div className={error ? 'field field-invalid' : 'field'}>
      <label htmlFor={fieldId(field)}>{label}</label>
      <FieldNotes field={field} hint={hint} error={error} />
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
    </div>
  );
}

type CheckboxProps = Omit<Props, 'label' | 'hint' | 'value'> & { value: string; checked: boolean; children: ReactNode };

type NumberProps = Props & { decimal?: boolean };

export function NumberField({ field, label, hint, error, value, decimal = false }: NumberProps) {
  return (
    <div className={error ? 'field field-number field-invalid' : 'field field-number'}>
      <label htmlFor={fieldId(field)}>{label}</label>
      <FieldNotes field={field} hint={hint} error={error} />
      <input
        id={fieldId(field)}
        name={field}
        type="text"
        inputMode={decimal ? 'decimal' : 'numeric'}
        autoComplete="off"
        defaultValue={value}
        aria-describedby={describedBy(field, hint, error)}
        aria-invalid={error ? true : undefined}
      />
    </div>
  );
}

/** `omits` lists fields that do not apply with this option. */
type Option = { id: string; text: string; omits?: readonly string[] };
type OptionGroup = { label: string; options: readonly Option[] };

type SelectProps = Props & {
  /** Ungrouped options come first. */
  options: readonly Option[];
  groups?: readonly OptionGroup[];
};

export function SelectField({ field, label, hint, error, value, options, groups = [] }: SelectProps) {
  return (
    <div className={error ? 'field field-invalid' : 'field'}>
      <label htmlFor={fieldId(field)}>{label}</label>
      <FieldNotes field={field} hint={hint} error={error} />
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
    </div>
  );
}

function Options({ options }: { options: readonly Option[] }) {
  return options.map(({ id, text, omits }) => (
    <option key={id} value={id} data-omits={omits?.join(' ')}>
      {text}
    </option>
  ));
}

type RadioProps = Props & { options: readonly Option[] };

/** Links to the field lead to the first option. */
export function RadioField({ field, label, hint, error, value, options }: RadioProps) {
  return (
    <fieldset className={error ? 'field field-invalid' : 'field'} aria-describedby={describedBy(field, hint, error)}>
      <legend>{label}</legend>
      <FieldNotes field={field} hint={hint} error={error} />
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
    </fieldset>
  );
}

export function CheckboxField({ field, error, value, checked, children }: CheckboxProps) {
  return (
    <div className={error ? 'field field-invalid' : 'field'}>
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
