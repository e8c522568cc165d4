import { fragmentOf } from './fragment.ts';

/** At most 33 of the 100 requests that a network may send in ten seconds. */
const debounceMs = 300;

/** Recalculates during input; if that fails, the submit button works. */
export function bind(element: HTMLElement): void {
  const form = element as HTMLFormElement;
  const calculator = new Calculator(form);
  form.addEventListener('input', () => calculator.change());
  form.addEventListener('focusout', () => {
    // The next focus is unknown until then.
    setTimeout(() => calculator.showWaiting());
  });
  // Restored by the browser, or typed before this module loaded.
  const typed = [...form.querySelectorAll<HTMLInputElement>('[type="text"]')];
  if (
    typed.some(({ value, defaultValue }) => value !== defaultValue) ||
    form.querySelector(':checked:not([checked]):not([selected])')
  ) {
    calculator.change();
  }
}

class Calculator {
  private form: HTMLFormElement;
  private page: HTMLElement;
  private timer = 0;
  private asking = new AbortController();
  /** A response that would replace the focused field. */
  private waiting: DocumentFragment | undefined;

  constructor(form: HTMLFormElement) {
    this.form = form;
    this.page = form.closest('.calc') as HTMLElement;
  }

  change(): void {
    this.asking.abort();
    this.waiting = undefined;
    for (const part of this.page.querySelectorAll('.calc-sum, .calc-result')) part.classList.add('calc-stale');
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask().catch(console.debug), debounceMs);
  }

  showWaiting(): void {
    if (this.waiting) this.show(this.waiting);
  }

  private async ask(): Promise<void> {
    this.asking = new AbortController();
    const { signal } = this.asking;
    const query = new URLSearchParams([...new FormData(this.form)] as [string, string][]);
    const response = await fetch(`${this.form.action}?${query}`, { signal });
    const answer = fragmentOf(await response.text());
    if (!answer.querySelector('.calc')) throw response;
    if (!signal.aborted) this.show(answer);
  }

  private show(answer: DocumentFragment): void {
    const { form, page } = this;
    // A link replaced while pressed is not followed.
    if (page.querySelector('a:active, summary:active')) {
      this.timer = setTimeout(() => this.show(answer), debounceMs);
      return;
    }
    const wrong = answer.querySelector('.field-invalid');
    this.waiting = answer;
    if (wrong && form.querySelector('[type="text"]:focus')) return;
    for (const field of form.querySelectorAll('.field')) replaceField(field, answer);
    if (!form.querySelector('.field-invalid :focus')) this.waiting = undefined;
    for (const part of ['.calc-sum', '.calc-result', '.calc-order > summary', '#work summary', '#cargo summary']) {
      const [old, other] = [page.querySelector(part), answer.querySelector(part)];
      if (old && other) replace(old, other);
    }
    // A marketplace brings its own warehouse.
    warehouse(form).value = warehouse(answer).value;
    if (!wrong) this.finish(answer);
  }

  private finish(answer: DocumentFragment): void {
    document.querySelector('.error-summary')?.remove();
    document.title = find(answer, 'title').textContent as string;
    replace(find(this.form, '[type="submit"]'), find(answer, '[type="submit"]'));
    history.replaceState(history.state, '', (find(this.page, '.calc-link') as HTMLAnchorElement).href);
    find(this.page, '[role="status"]').textContent = find(this.page, '.calc-sum').textContent;
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
