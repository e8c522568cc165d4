import { fragmentOf } from './fragment.ts';

/** Debounce in milliseconds: at most 200 requests a minute of the 300 allowed. */
const pause = 300;

/** Recalculates during input. If that fails, the submit button works. */
export function bind(element: HTMLElement): void {
  const form = element as HTMLFormElement;
  const page = form.closest('.calc') as HTMLElement;
  let timer = 0;
  let asking = new AbortController();
  /** A response with an error in the focused field. */
  let waiting: DocumentFragment | undefined;

  function change(): void {
    asking.abort();
    waiting = undefined;
    for (const part of page.querySelectorAll('.calc-sum, .calc-result')) part.classList.add('calc-stale');
    later(() => ask().catch(console.debug));
  }

  function later(then: () => void): void {
    clearTimeout(timer);
    timer = setTimeout(then, pause);
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
    // Do not move a link while it is being pressed.
    if (page.querySelector('a:active, summary:active')) {
      later(() => show(answer));
      return;
    }
    const { seen, unseen } = showErrors(answer);
    waiting = unseen ? answer : undefined;
    if (unseen && !seen) return;
    replace(answer, '.calc-sum');
    replace(answer, '.calc-result');
    if (!seen) tellOf(answer);
  }

  /** @returns whether errors are shown, and whether some wait for blur */
  function showErrors(answer: DocumentFragment): { seen: boolean; unseen: boolean } {
    const theirs = answer.querySelectorAll('.field');
    let [seen, unseen] = [false, false];
    for (const [index, field] of form.querySelectorAll('.field').entries()) {
      const their = theirs[index] as Element;
      const error = their.querySelector('.field-error');
      if (error && !field.matches('.field-invalid') && field.querySelector('[type="text"]:focus')) {
        unseen = true;
        continue;
      }
      seen ||= error !== null;
      field.querySelector('.field-error')?.remove();
      if (error) field.children[[...their.children].indexOf(error)]?.before(error.cloneNode(true));
      field.className = their.className;
      const controls = their.querySelectorAll('input, select');
      describe(field, their);
      for (const [at, control] of field.querySelectorAll('input, select').entries()) {
        describe(control, controls[at] as Element);
      }
    }
    return { seen, unseen };
  }

  /** Keeps `details` open and the focus in place. */
  function replace(answer: DocumentFragment, selector: string): void {
    const old = find(page, selector);
    const part = find(answer, selector).cloneNode(true) as Element;
    if (old.querySelector('details[open]')) part.querySelector('details')?.setAttribute('open', '');
    const focused = document.activeElement as HTMLElement;
    const like = (root: Element) => [...root.querySelectorAll<HTMLElement>(focused.localName)];
    const index = like(old).indexOf(focused);
    old.replaceWith(part);
    like(part)[index]?.focus();
  }

  function tellOf(answer: DocumentFragment): void {
    document.querySelector('.error-summary')?.remove();
    document.title = find(answer, 'title').textContent as string;
    const button = find(form, '[type="submit"]');
    const their = find(answer, '[type="submit"]');
    button.className = their.className;
    button.textContent = their.textContent;
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

function find(root: ParentNode, selector: string): Element {
  return root.querySelector(selector) as Element;
}

function describe(element: Element, like: Element): void {
  for (const name of ['aria-invalid', 'aria-describedby']) {
    const value = like.getAttribute(name);
    if (value === null) element.removeAttribute(name);
    else element.setAttribute(name, value);
  }
}
