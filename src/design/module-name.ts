/** What an element may ask of the script by `data-module`; `client/site.ts` has a module for each. */
export type ModuleName =
  | 'analytics'
  | 'broadcast'
  | 'burger'
  | 'calculator'
  | 'contact-form'
  | 'countdown'
  | 'dropdown'
  | 'goal'
  | 'logo'
  | 'reveal'
  | 'video'
  | 'way-here';
