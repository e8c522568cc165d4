import { addAttribution } from './attribution.ts';
import type { Load } from './load.ts';

/** The request form: sends along what brought the visitor here, and helps while it is filled in. */
export function bind(form: HTMLElement, load: Load): void {
  form.addEventListener('formdata', ({ formData }) => addAttribution(formData));
  form.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || !target.dataset.mask || target.dataset.masked) return;
    target.dataset.masked = '';
    load(
      () => import('./mask.ts'),
      ({ bind }) => bind(target),
    );
  });
}
