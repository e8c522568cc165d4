import type { FieldError } from '../../model/field-error.ts';
import './error-summary.css';

/** Target of the summary's links. */
export function fieldId(field: string): string {
  return `field-${field}`;
}

export function findError(errors: readonly FieldError[], field: string): string | undefined {
  return errors.find((error) => error.field === field)?.message;
}

type Props = {
  errors: readonly FieldError[];
  /** Visible fields; errors in others get no link. */
  fields: readonly string[];
};

export function ErrorSummary({ errors, fields }: Props) {
  if (errors.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noAutofocus: after an unsuccessful submission, the errors come first
    <div className="error-summary" role="alert" tabIndex={-1} autoFocus>
      <h2>Заполните или исправьте поля</h2>
      <ul>
        {errors.map(({ field, message }) => (
          <li key={`${field} ${message}`}>
            {fields.includes(field) ? <a href={`#${fieldId(field)}`}>{message}</a> : message}
          </li>
        ))}
      </ul>
    </div>
  );
}
