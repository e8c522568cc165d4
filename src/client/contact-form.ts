import { addAttribution } from './attribution.ts';
import type { Load } from './load.ts';

/** The request form: sends along what brought the visitor here, and helps while it is filled in. */
export function bind(element: HTMLElement, load: Load): void {
  const form = element as HTMLFormElement;
  form.addEventListener('formdata', ({ formData }) => addAttribution(formData));
  form.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || !target.dataset.mask || target.dataset.masked) return;
    target.dataset.masked = '';
    load(
      () => import('./mask.ts'),
      ({ bind }) => bind(target),
    );
  });

  const box = form.querySelector<HTMLElement>('#cf-turnstile');
  const consent = form.elements.namedItem('consent') as HTMLInputElement;

  /** Only once the visitor agrees, and again if the widget is gone. */
  function challenge(): void {
    if (!box || box.firstChild || !consent.checked) return;
    box.hidden = false;
    load(
      () => import('./challenge.ts'),
      ({ bind }) => bind(box),
    );
  }
  form.addEventListener('change', challenge);
  form.addEventListener('focusin', challenge);
  challenge();
}
