import './error-summary.css';

export type FieldError = {
  /** Name of the field; empty for what concerns the whole form. */
  field: string;
  message: string;
};

/** Id of the control of a field, where the summary's links lead. */
export function fieldId(field: string): string {
  return `field-${field}`;
}

type Props = {
  errors: readonly FieldError[];
  /** Fields that people can see and reach. */
  fields: readonly string[];
};

/** What has to be corrected, above the form, with links to the fields. */
export function ErrorSummary({ errors, fields }: Props) {
  if (errors.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noAutofocus: whoever has sent the form is told what to correct before anything else
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
