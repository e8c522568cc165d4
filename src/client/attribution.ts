import { dayMs } from '../lib/durations.ts';
import { isCampaign, joinParameters } from '../model/campaign.ts';

/** localStorage key and field name prefix. */
const key = 'attribution';
const prefix = `${key}.`;
const lifetimeMs = 90 * dayMs;

type Parameters = Readonly<Record<string, string>>;

/** Keeps the last landing that marks a campaign; other parameters, such as a search, are not stored. */
export function bind(): void {
  const landing = joinParameters(new URLSearchParams(location.search));
  if (!isCampaign(Object.keys(landing))) return;
  try {
    localStorage[key] = JSON.stringify({ at: Date.now(), parameters: landing });
  } catch (error) {
    // The server reads them if the form opens from this page.
    console.warn(error);
  }
}

/** Takes precedence over the page's own parameters. */
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

/** @throws without storage */
function kept(): Parameters | undefined {
  try {
    const { at, parameters } = JSON.parse(localStorage[key]);
    if (Date.now() - at < lifetimeMs) return parameters;
  } catch {
    // Nothing stored, or not JSON.
  }
  localStorage.removeItem(key);
  return undefined;
}
