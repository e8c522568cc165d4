import { fragmentOf } from './fragment.ts';
import { select } from './select.ts';

/** At most 33 of the 100 requests that a network may send in ten seconds. */
const debounceMs = 300;
const answerTimeoutMs = 8_000;

/** Beside the fields. */
const parts = [
  '.calc-sum',
  '.calc-result',
  '.calc-order > summary',
  '#work summary',
  '#cargo summary',
  '[type=submit]',
];

/** Recalculates during input; if that fails, it says so, and the submit button works. */
export function bind(element: HTMLElement): void {
  const form = element as HTMLFormElement;
  const page = form.closest('.calc') as HTMLElement;
  let timer = 0;
  let asking: AbortController | undefined;
  /** A response that would replace the focused field. */
  let waiting: DocumentFragment | undefined;

  form.addEventListener('input', change);
  form.addEventListener('focusout', () => {
    // The next focus is unknown until then.
    setTimeout(() => {
      if (waiting) show(waiting);
    });
  });
  // Restored by the browser, or typed before this module loaded.
  const sent = form.cloneNode(true) as HTMLFormElement;
  sent.reset();
  if (queryOf(sent) !== queryOf(form)) change();

  function change(): void {
    asking?.abort();
    asking = undefined;
    waiting = undefined;
    page.className = 'calc calc-stale';
    // Until the answer comes, the button sends the order of the form, not that of the result.
    const link = page.querySelector('[href*="&calc="]');
    const order = encodeURIComponent(queryOf(form));
    link?.setAttribute('href', (link.getAttribute('href') as string).replace(/calc=.*/, `calc=${order}`));
    clearTimeout(timer);
    timer = setTimeout(ask, debounceMs);
  }

  async function ask(): Promise<void> {
    const abort = new AbortController();
    asking = abort;
    const late = setTimeout(fail, answerTimeoutMs);
    const asked = queryOf(form);
    try {
      const response = await fetch(`${form.action}?${asked}`, abort);
      const answer = fragmentOf(await response.text());
      const answered = queryOf(select<HTMLFormElement>(answer, '.calc-form'));
      // While no process answers, nginx sends the page of the example.
      if (withoutWarehouse(answered) !== withoutWarehouse(asked)) throw response;
      if (asking === abort) show(answer);
    } catch (error) {
      console.debug(error);
      if (asking === abort) fail();
    }
    clearTimeout(late);
  }

  function fail(): void {
    page.className += ' calc-failed';
  }

  function show(answer: DocumentFragment): void {
    // A link replaced while pressed is not followed.
    if (page.querySelector('a:active, summary:active')) {
      timer = setTimeout(() => show(answer), debounceMs);
      return;
    }
    const wrong = answer.querySelector('.field-invalid');
    waiting = answer;
    if (wrong && form.querySelector('[type=text]:focus')) return;
    page.className = 'calc';
    for (const field of form.querySelectorAll('.field')) replaceField(field, answer);
    if (!form.querySelector('.field-invalid :focus')) waiting = undefined;
    for (const part of parts) {
      const [old, other] = [page.querySelector(part), answer.querySelector(part)];
      if (old && other) replace(old, other);
    }
    // A marketplace brings its own warehouse.
    warehouse(form).value = warehouse(answer).value;
    if (wrong) return;
    document.querySelector('.error-summary')?.remove();
    document.title = select(answer, 'title').textContent;
    history.replaceState(history.state, '', select<HTMLAnchorElement>(page, '.calc-link').href);
    select(page, '[role=status]').textContent = select(page, '.calc-sum').textContent;
  }
}

function queryOf(form: HTMLFormElement): string {
  const fields = [...new FormData(form)] as [string, string][];
  return String(new URLSearchParams(fields.map(([name, value]) => [name, value.trim()])));
}

/** The only answer that the server corrects. */
function withoutWarehouse(query: string): string {
  return query.replace(/&to=[^&]*/, '');
}

function warehouse(root: ParentNode): HTMLSelectElement {
  return select<HTMLSelectElement>(root, '[name=to]');
}

/** Only if an error appears or goes away, and not while the field is focused. */
function replaceField(field: Element, answer: DocumentFragment): void {
  const { name } = select<HTMLInputElement>(field, '[name]');
  const other = select(answer, `.field [name="${name}"]`).closest('.field') as Element;
  const changes = field.matches('.field-invalid') || other.matches('.field-invalid');
  if (changes && !field.querySelector(':focus')) field.replaceWith(other.cloneNode(true));
}

/** Keeps the focus and what is unfolded. */
function replace(old: Element, other: Element): void {
  const next = other.cloneNode(true) as Element;
  if (old.querySelector('details[open]')) next.querySelector('details')?.setAttribute('open', '');
  const focused = old.querySelector(':focus');
  const links = [...next.querySelectorAll<HTMLElement>('a, summary')];
  old.replaceWith(next);
  links.find(({ textContent }) => textContent === focused?.textContent)?.focus();
}
