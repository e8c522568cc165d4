import { fragmentOf } from './fragment.ts';

/** At most 33 of the 100 requests that a network may send in ten seconds. */
const debounceMs = 300;

/** Recalculates during input; if that fails, the submit button works. */
export function bind(element: HTMLElement): void {
  const form = element as HTMLFormElement;
  const page = form.closest('.calc') as HTMLElement;
  let timer = 0;
  let asking = new AbortController();
  /** A response that would replace the focused field. */
  let waiting: DocumentFragment | undefined;

  function change(): void {
    asking.abort();
    waiting = undefined;
    for (const part of page.querySelectorAll('.calc-sum, .calc-result')) part.classList.add('calc-stale');
    clearTimeout(timer);
    timer = setTimeout(() => ask().catch(console.debug), debounceMs);
  }

  async function ask(): Promise<void> {
    asking = new AbortController();
    const { signal } = asking;
    const query = new URLSearchParams([...new FormData(form)] as [string, string][]);
    const answer = await fetch(`${form.action}?${query}`, { signal });
    const content = fragmentOf(await answer.text());
    if (!content.querySelector('.calc')) throw answer;
    if (!signal.aborted) show(content);
  }

  function show(answer: DocumentFragment): void {
    // A link replaced while pressed is not followed.
    if (page.querySelector('a:active, summary:active')) {
      timer = setTimeout(show, debounceMs, answer);
      return;
    }
    const wrong = answer.querySelector('.field-invalid');
    waiting = answer;
    if (wrong && form.querySelector('[type="text"]:focus')) return;
    for (const field of form.querySelectorAll('.field')) replaceField(field, answer);
    if (!form.querySelector('.field-invalid :focus')) waiting = undefined;
    for (const part of ['.calc-sum', '.calc-result', '.calc-order > summary']) {
      const [old, other] = [page.querySelector(part), answer.querySelector(part)];
      if (old && other) replace(old, other);
    }
    // A marketplace brings its own warehouse.
    warehouse(form).value = warehouse(answer).value;
    if (!wrong) finish(answer);
  }

  function finish(answer: DocumentFragment): void {
    document.querySelector('.error-summary')?.remove();
    document.title = find(answer, 'title').textContent as string;
    replace(find(form, '[type="submit"]'), find(answer, '[type="submit"]'));
    history.replaceState(history.state, '', (find(page, '.calc-link') as HTMLAnchorElement).href);
    find(page, '[role="status"]').textContent = find(page, '.calc-sum').textContent;
  }

  form.addEventListener('input', change);
  form.addEventListener('focusout', () => {
    // The next focus is unknown until then.
    setTimeout(() => waiting && show(waiting));
  });
  // Restored by the browser, or typed before this module loaded.
  const typed = [...form.querySelectorAll<HTMLInputElement>('[type="text"]')];
  if (
    typed.some(({ value, defaultValue }) => value !== defaultValue) ||
    form.querySelector(':checked:not([checked]):not([selected])')
  ) {
    change();
  }
}

function warehouse(root: ParentNode): HTMLSelectElement {
  return find(root, '[name="to"]') as HTMLSelectElement;
}

function find(root: ParentNode, selector: string): Element {
  return root.querySelector(selector) as Element;
}

/** Only if an error appears or goes away, and not while the field is focused. */
function replaceField(field: Element, answer: DocumentFragment): void {
  const { name } = find(field, '[name]') as HTMLInputElement;
  const other = find(answer, `.field [name="${name}"]`).closest('.field') as Element;
  const changes = field.matches('.field-invalid') || other.matches('.field-invalid');
  if (changes && !field.contains(document.activeElement)) field.replaceWith(other.cloneNode(true));
}

/** Keeps the focus and what is unfolded. */
function replace(old: Element, other: Element): void {
  const next = other.cloneNode(true) as Element;
  if (old.querySelector('details[open]')) next.querySelector('details')?.setAttribute('open', '');
  const focused = old.contains(document.activeElement) ? document.activeElement : null;
  const links = [...next.querySelectorAll<HTMLElement>('a, summary')];
  old.replaceWith(next);
  links.find(({ textContent }) => textContent === focused?.textContent)?.focus();
}
