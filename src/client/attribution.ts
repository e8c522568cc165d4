import { dayMs } from '../lib/calendar.ts';
import { campaignLimits, isCampaign, parameterName } from '../model/campaign.ts';

/** Name in the browser's storage, and the beginning of the names of the form's fields. */
const key = 'attribution';
const prefix = `${key}.`;
/** Milliseconds after which a landing is forgotten. */
const memory = 90 * dayMs;

type Parameters = Readonly<Record<string, string>>;

/**
 * Keeps the parameters of a landing: each by its name, several values joined. They take the place of those before as a
 * whole, but what is no campaign takes the place of none.
 */
export function bind(): void {
  const landing = parametersOf(location.search);
  const names = Object.keys(landing);
  try {
    const before = kept();
    if (names.length > 0 && (isCampaign(names) || !isCampaign(Object.keys(before ?? {})))) {
      localStorage[key] = JSON.stringify({ at: Date.now(), parameters: landing });
    }
  } catch (error) {
    // The server still learns of it if the form is opened from this very page.
    console.warn(error);
  }
}

/** Puts what was kept into a form; what the page was opened with makes way for it. */
export function addAttribution(form: HTMLElement): void {
  try {
    const parameters = kept();
    if (!parameters) return;
    for (const field of form.querySelectorAll(`[name^="${prefix}"]`)) field.remove();
    for (const [name, value] of Object.entries(parameters)) {
      form.append(Object.assign(document.createElement('input'), { type: 'hidden', name: prefix + name, value }));
    }
  } catch (error) {
    console.warn(error);
  }
}

function parametersOf(search: string): Parameters {
  const found = new Map<string, string>();
  for (const [typed, value] of new URLSearchParams(search)) {
    const name = parameterName(typed);
    // That one is the form's own.
    if (!name || name === 'preset' || (found.size === campaignLimits.count && !found.has(name))) continue;
    const values = found.has(name) ? `${found.get(name)},${value}` : value;
    found.set(name, [...values].slice(0, campaignLimits.value).join(''));
  }
  return Object.fromEntries(found);
}

/** The parameters that are kept, unless they are too old. @throws if there is no storage */
function kept(): Parameters | undefined {
  // Older versions of this script kept each parameter under a name of its own, for ever.
  for (const name of Object.keys(localStorage)) if (name.startsWith(prefix)) localStorage.removeItem(name);
  try {
    const { at, parameters } = JSON.parse(localStorage[key]);
    if (Date.now() - at < memory) return parameters;
  } catch {
    // Nothing was kept, or nothing that can be read.
  }
  localStorage.removeItem(key);
  return undefined;
}
