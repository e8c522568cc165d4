/** In characters. */
export const campaignLimits = { count: 20, name: 40, value: 200 } as const;

const ofCampaign = [
  ...['utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term', 'utm_id', 'utm_referrer'],
  ...['yclid', 'ymclid', 'gclid', 'fbclid', 'gbraid', 'wbraid', 'rb_clickid', 'roistat', 'erid'],
  ...['_openstat', 'openstat', 'rs', 'cm_id', 'campaign', 'from', 'ref', 'source'],
];
/** Such as `utm_x`, `vk_ads`, `campaign_id` and `ttclid`. */
const alike = /^(?:utm_|vk_|campaign|roistat)|clid$/;
/** Added by Yandex search. */
const ofSearch = ['ysclid', 'etext'];

export const ignoredParameters = [...ofCampaign, ...ofSearch];

/** @param names lower-case */
export function isCampaign(names: readonly string[]): boolean {
  return names.some((name) => ofCampaign.includes(name) || (alike.test(name) && !ofSearch.includes(name)));
}

/** Fields of the form, and a name that is no safe key. */
const neverOfCampaign = ['calc', 'preset', '__proto__'];

/**
 * Parameters of a landing address by their lower-case names; repeated ones are joined with commas.
 *
 * @param omitted more names that are left out
 */
export function joinParameters(
  parameters: Iterable<readonly [string, string]>,
  omitted: readonly string[] = [],
): Record<string, string> {
  const found = new Map<string, string>();
  for (const [typed, value] of parameters) {
    const name = typed.toLowerCase();
    const fits = /^\w+$/.test(name) && name.length <= campaignLimits.name;
    if (!fits || neverOfCampaign.includes(name) || omitted.includes(name)) continue;
    if (found.size === campaignLimits.count && !found.has(name)) continue;
    const joined = found.has(name) ? `${found.get(name)},${value}` : value;
    found.set(name, [...joined].slice(0, campaignLimits.value).join('').trimEnd());
  }
  return Object.fromEntries(found);
}
