/** What is kept of the address that a visitor landed on: so many parameters, and characters of a name and a value. */
export const campaignLimits = { count: 20, name: 40, value: 200 } as const;

/** Parameters that mark a link of a campaign, in lower case: those of advertising systems, and what people make up. */
const ofCampaign = [
  ...['utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term', 'utm_id', 'utm_referrer'],
  ...['yclid', 'ymclid', 'gclid', 'fbclid', 'gbraid', 'wbraid', 'rb_clickid', 'roistat', 'erid'],
  ...['_openstat', 'openstat', 'rs', 'cm_id', 'campaign', 'from', 'ref', 'source'],
];
/** Others of their kind, as `utm_x`, `vk_ads`, `campaign_id` and `ttclid`. */
const alike = /^(?:utm_|vk_|campaign|roistat)|clid$/;
/** Yandex adds these to its search results. */
const ofSearch = ['ysclid', 'etext'];

/** Parameters that may stand in any address, and change no page. */
export const pageIsTheSame = [...ofCampaign, ...ofSearch];

/** Whether the parameters of an address, by names in lower case, say that a campaign has led to it. */
export function isCampaign(names: readonly string[]): boolean {
  return names.some((name) => ofCampaign.includes(name) || (alike.test(name) && !ofSearch.includes(name)));
}

/** The name under which a parameter is kept; `undefined` for what no campaign calls one. */
export function parameterName(typed: string): string | undefined {
  const name = typed.toLowerCase();
  return /^\w+$/.test(name) && name.length <= campaignLimits.name ? name : undefined;
}
