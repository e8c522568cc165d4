import { fragmentOf } from './fragment.ts';

/** Replaces what depends on the time, such as when staff call, and leaves typed words alone. @param root a page or dialog */
export async function refreshDated(root: ParentNode): Promise<void> {
  const answer = await fetch(addressOf(root));
  const next = datedParts(fragmentOf(await answer.text()));
  for (const [index, part] of datedParts(root).entries()) {
    const other = next[index];
    // A cached page may answer another question, and what plays goes on.
    const isSame = other?.dataset.dated === part.dataset.dated;
    if (other && isSame && !part.querySelector('video, iframe')) part.replaceWith(other);
  }
}

function datedParts(root: ParentNode): HTMLElement[] {
  return [...root.querySelectorAll<HTMLElement>('[data-dated]')];
}

/** A dialog shows the form's own page. */
function addressOf(root: ParentNode): string {
  const form = root.querySelector<HTMLFormElement>('.contact form');
  if (!form) return location.href;
  const fields = [...new FormData(form)] as [string, string][];
  return `/contact?${new URLSearchParams(fields.filter(([name]) => name === 'preset' || name === 'calc'))}`;
}
