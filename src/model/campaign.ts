/** What is kept of the address that a visitor landed on: so many parameters, and characters of a name and a value. */
export const campaignLimits = { count: 20, name: 40, value: 200 } as const;

/** What marks a link of a campaign: UTM, the click ids of advertising systems, and what people make up themselves. */
const ofCampaign =
  /^(?:utm_\w+|(?!ys)\w*clid|[gw]braid|rb_clickid|_?openstat|roistat\w*|rs|vk_\w+|cm_id|campaign\w*|from|ref|source)$/;

/** Whether the parameters of an address, by names in lower case, say that a campaign has led to it. */
export function isCampaign(names: readonly string[]): boolean {
  return names.some((name) => ofCampaign.test(name));
}

/** The name under which a parameter is kept; `undefined` for what no campaign calls one. */
export function parameterName(typed: string): string | undefined {
  const name = typed.toLowerCase();
  return /^\w+$/.test(name) && name.length <= campaignLimits.name ? name : undefined;
}
