export type FieldError = {
  /** Empty for errors of the whole form. */
  field: string;
  message: string;
};
