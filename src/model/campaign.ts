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

/** Lower-case; `undefined` for names that no campaign uses. */
export function parameterName(typed: string): string | undefined {
  const name = typed.toLowerCase();
  return /^\w+$/.test(name) && name.length <= campaignLimits.name ? name : undefined;
}
