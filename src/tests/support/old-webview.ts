import { createHash } from 'node:crypto';
import type { Page } from 'playwright-core';

/**
 * The features that an Android WebView of early 2020, Chrome 80, lacks, each with the version that added it. The
 * versions are from MDN's browser-compat-data. Add a newer feature when a page first uses it; the tests then prove
 * that the page works without it.
 */
const missing = {
  /** Dropped together with their content. */
  atRules: [
    '@property', // 85
    '@counter-style', // 91
    '@layer', // 99
    '@font-palette-values', // 101
    '@container', // 105
    '@starting-style', // 117
    '@scope', // 118
    '@position-try', // 125
  ],
  /** Each makes its media query false. */
  media: [
    'forced-colors', // 89
    'prefers-contrast', // 96
    'dynamic-range', // 98
    '<', // 104
    '>', // 104
    'update', // 113
    'prefers-reduced-transparency', // 118
    'scripting', // 120
  ],
  /** Each invalidates the whole rule, even in a list with known selectors. */
  selectors: [
    ':focus-visible', // 86
    '::marker', // 86
    ':is(', // 88
    ':where(', // 88
    '::file-selector-button', // 89
    '::target-text', // 89
    ':has(', // 105
    ':modal', // 105
    '::highlight', // 105
    ':autofill', // 110
    ':popover-open', // 114
    ':user-invalid', // 119
    ':user-valid', // 119
    '&', // 120
    ':dir(', // 120
    '::details-content', // 131
    ':open', // 133
  ],
  properties: [
    'color-scheme', // 81
    'contain-intrinsic-size', // 83
    'appearance', // 84
    'content-visibility', // 85
    'inset', // 87
    'inset-block', // 87
    'inset-inline', // 87
    'margin-block', // 87
    'margin-inline', // 87
    'padding-block', // 87
    'padding-inline', // 87
    'border-block', // 87
    'border-inline', // 87
    'text-underline-offset', // 87
    'aspect-ratio', // 88
    'text-decoration-thickness', // 89
    'forced-color-adjust', // 89
    'accent-color', // 93
    'scrollbar-gutter', // 94
    'font-palette', // 101
    'rotate', // 104
    'scale', // 104
    'translate', // 104
    'text-wrap', // 114
    'animation-timeline', // 115
    'mask', // 120
    'scrollbar-color', // 121
    'scrollbar-width', // 121
    'field-sizing', // 123
    'anchor-name', // 125
    'position-anchor', // 125
    'interpolate-size', // 129
    'text-box-trim', // 133
    'print-color-adjust', // 136
  ],
  /** A whole value or a part of it. */
  values: [
    'revert', // 84
    'clip', // 90
    'lh', // 109
    'cqi', // 105
    'cqw', // 105
    'dvh', // 108
    'dvw', // 108
    'lvh', // 108
    'svh', // 108
    'color-mix(', // 111
    'lab(', // 111
    'lch(', // 111
    'oklab(', // 111
    'oklch(', // 111
    'image-set(', // 113
    'subgrid', // 117
    'light-dark(', // 123
    'round(', // 125
  ],
  /** Paths from the global object. */
  scripts: [
    'Element.prototype.ariaExpanded', // 81
    'Element.prototype.ariaLabel', // 81
    'WeakRef', // 84
    'Promise.any', // 85
    'String.prototype.replaceAll', // 85
    'Document.prototype.replaceChildren', // 86
    'DocumentFragment.prototype.replaceChildren', // 86
    'Element.prototype.replaceChildren', // 86
    'cookieStore', // 87
    'Array.prototype.at', // 92
    'String.prototype.at', // 92
    'Crypto.prototype.randomUUID', // 92
    'AbortSignal.abort', // 93
    'Object.hasOwn', // 93
    'scheduler', // 94
    'HTMLScriptElement.supports', // 96
    'Array.prototype.findLast', // 97
    'Array.prototype.findLastIndex', // 97
    'structuredClone', // 98
    'HTMLElement.prototype.inert', // 102
    'navigation', // 102
    'Element.prototype.checkVisibility', // 105
    'Response.json', // 105
    'Document.prototype.prerendering', // 108
    'Array.prototype.toReversed', // 110
    'Array.prototype.toSorted', // 110
    'Array.prototype.toSpliced', // 110
    'Array.prototype.with', // 110
    'Document.prototype.startViewTransition', // 111
    'HTMLElement.prototype.showPopover', // 114
    'AbortSignal.any', // 116
    'Object.groupBy', // 117
    'Navigator.prototype.userAgentData', // 119
    'Promise.withResolvers', // 119
    'HTMLDetailsElement.prototype.name', // 120
    'URL.canParse', // 120
    'Array.fromAsync', // 121
    'Iterator.prototype.map', // 122
    'Set.prototype.union', // 122
    'AbortSignal.timeout', // 124
    'CloseWatcher', // 126
    'URL.parse', // 126
    'Promise.try', // 128
    'HTMLDialogElement.prototype.closedBy', // 134
    'HTMLDialogElement.prototype.requestClose', // 134
    'Error.isError', // 134
    'RegExp.escape', // 136
  ],
  /** Attributes without an effect. */
  attributes: [
    '[fetchpriority]', // 101
    '[inert]', // 102
    '[popover]', // 114
    'details[name]', // 120
  ],
};

/** Runs before the scripts of the page. */
const withoutNewer = `
  for (const path of ${JSON.stringify(missing.scripts)}) {
    const names = path.split('.');
    const last = names.pop();
    const owner = names.reduce((object, name) => object && object[name], window);
    if (owner) delete owner[last];
  }
  new MutationObserver(() => {
    for (const source of document.querySelectorAll('source[type="image/avif"]')) source.remove();
    for (const selector of ${JSON.stringify(missing.attributes)})
      for (const element of document.querySelectorAll(selector)) element.removeAttribute(/\\[(.*)\\]/.exec(selector)[1]);
  }).observe(document, { childList: true, subtree: true });
`;

type Rule = { prelude: string; body: string };

/** Returns the rules and blocks of minified CSS, in order. An old browser ignores statements without a block. */
function rulesOf(css: string): Rule[] {
  const rules: Rule[] = [];
  let depth = 0;
  let start = 0;
  let open = 0;
  for (const { 0: sign, index } of css.matchAll(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|url\([^)"']*\)|[{};]/g)) {
    if (sign === '{' && depth++ === 0) open = index;
    if (sign === ';' && depth === 0) start = index + 1;
    if (sign === '}' && --depth === 0) {
      rules.push({ prelude: css.slice(start, open).trim(), body: css.slice(open + 1, index) });
      start = index + 1;
    }
  }
  return rules;
}

const has = (text: string, parts: readonly string[]) =>
  parts.some((part) => new RegExp(`${startOf(part)}${RegExp.escape(part)}${endOf(part)}`).test(text));
/** A keyword must be a whole word; a unit may follow a number. */
const startOf = (part: string) => (/^[a-z]/.test(part) ? '(?<![a-z-])' : '');
const endOf = (part: string) => (/[a-z]$/.test(part) && !part.startsWith('::') ? '(?![a-z-])' : '');

/** Returns the declarations that an old browser knows; it applies the last one of each property. */
function olderDeclarations(body: string): string {
  const declarations = body.split(/;(?![^(]*\))/).filter((one) => one.trim() !== '');
  const isGrid = declarations.some((one) => /^\s*(display:\s*(inline-)?grid|grid-template)/.test(one));
  return declarations
    .filter((declaration) => {
      const [, property = '', value = ''] = /^\s*([^:]+):([\s\S]*)$/.exec(declaration) ?? [];
      // Flexbox gaps came with version 84.
      if (/^(grid-)?(row-|column-)?gap$/.test(property)) return isGrid;
      return !missing.properties.includes(property) && !has(value, missing.values);
    })
    .join(';');
}

/**
 * Returns the parts of minified CSS that a browser without the features in `missing` understands.
 *
 * @throws at CSS whose effect in an old browser is unknown to this file
 */
export function olderCss(css: string): string {
  return rulesOf(css)
    .map(({ prelude, body }) => {
      const [atRule] = /^@[\w-]+/.exec(prelude) ?? [];
      if (atRule === undefined) {
        if (body.includes('{')) throw new Error(`Nested rules are no CSS of 2020: ${prelude}{${body}}`);
        return has(prelude, missing.selectors) ? '' : `${prelude}{${olderDeclarations(body)}}`;
      }
      if (missing.atRules.includes(atRule)) return '';
      if (/^@supports selector\(/.test(prelude) && has(prelude, missing.selectors)) return '';
      const [, tested = ''] = /^@supports ?\(([\w-]+):/.exec(prelude) ?? [];
      if (missing.properties.includes(tested)) return '';
      if (atRule === '@supports') throw new Error(`Say what an old browser makes of ${prelude}.`);
      if (atRule !== '@media') return `${prelude}{${body}}`;
      const queries = prelude.slice(atRule.length).split(',');
      const known = queries.map((query) => query.trim()).filter((query) => !has(query, missing.media));
      return known.length === 0 ? '' : `@media ${known.join(',')}{${olderCss(body)}}`;
    })
    .join('');
}

/** Removes the missing features from the browser of a page, and filters the styles of its documents. */
export async function makeOld(page: Page): Promise<void> {
  await page.addInitScript(withoutNewer);
  await page.route('**', async (route) => {
    const request = route.request();
    if (request.method() !== 'GET' || !['document', 'fetch'].includes(request.resourceType())) return route.fallback();
    const response = await route.fetch({ maxRedirects: 0 });
    const headers = response.headers();
    if (!headers['content-type']?.startsWith('text/html')) return route.fulfill({ response });
    let css = '';
    const body = (await response.text()).replace(/(?<=<style>)[\s\S]*?(?=<\/style>)/, (given) => {
      css = olderCss(given);
      return css;
    });
    const hash = createHash('sha256').update(css).digest('base64');
    const policy = headers['content-security-policy']?.replace(/(?<=style-src[^;]*)'sha256-[^']+'/, `'sha256-${hash}'`);
    await route.fulfill({ response, body, headers: { ...headers, 'content-security-policy': policy ?? '' } });
  });
}
