/** What only the invented company that ships has; `invented.test.ts` holds it against its `company.yaml`. */
const invented = new RegExp(
  [
    '(?:ООО\\s+)?[«„“"]Короб(?:а|у|ом|е)?[»“”"]',
    '(?<=^name:[ \\t]*)Короб\\s*$',
    '\\+?[78][\\s(-]*(?:495|800)[\\s)-]*000-?00-?00',
    '(?<!\\d)0{9,15}(?!\\d)',
    '[\\w.-]*@?\\bexample\\.ru\\b',
    '(?:t\\.me|vk\\.com)/example\\b',
    '1-й\\s+Варшавский\\s+пр\\.,\\s+2,\\s+стр\\.\\s+9А',
    '55\\.6492|37\\.6262',
  ].join('|'),
  'gmu',
);

/** Facts of the company that ships, as a text has them. */
export function inventedIn(text: string): { index: number; found: string }[] {
  return Array.from(text.matchAll(invented), ({ 0: found, index }) => ({ index, found: found.replace(/\s+/g, ' ') }));
}
