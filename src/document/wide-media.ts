/** `scripts/compile.ts` moves these rules into a separate stylesheet. */
export const wideMedia = '(min-width: 48em), print, (forced-colors: active)';
