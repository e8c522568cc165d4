import { outdatedClass } from '../client/outdated.ts';
import { routes } from '../routes.ts';

/** Address of the rules, as documents name it in their header. */
export const speculationRulesPath = '/speculation-rules.json';

/**
 * Which links a browser may fetch before they are followed: those to pages of the
 * site, once the pointer rests on them. Lists further than their first page are
 * rendered on demand and stay out. Fetched only, never rendered: a page in waiting
 * would count as a visit. A document that knows of a newer build gives back what it has
 * fetched, which is of its own build.
 *
 * https://developer.mozilla.org/docs/Web/API/Speculation_Rules_API
 */
export const speculationRules = JSON.stringify({
  prefetch: [
    {
      where: {
        and: [
          { href_matches: routes.map(({ path }) => path) },
          { not: { href_matches: '/*\\?(.+)' } },
          { not: { selector_matches: `.${outdatedClass} *` } },
        ],
      },
      eagerness: 'moderate',
    },
  ],
});

/** For visitors who pay for every byte, or wait for it. */
export const noSpeculation = '{}';
