/** What phones do not show: `scripts/compile.ts` cuts style sheets by it, and documents name it. */
export const wideMedia = '(min-width: 48em), print, (forced-colors: active)';
