import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AtRule, type ChildNode, parse } from 'postcss';
import type { StyleRule } from '../src/site/page-styles.ts';

/** Rules from this width on, in em, come last. */
const wideFrom = 48;

/** Tokens with a plain value, which is shorter than `var()`. */
const plainTokens = new Map<string, string>();
parse(readFileSync(join(import.meta.dirname, '../src/components/tokens.css'))).walkDecls(/^--/, ({ prop, value }) => {
  if (/^(#\w+|[\d.]+(rem|px))$/.test(value)) plainTokens.set(prop, value.replace(/^0\./, '.'));
});

/**
 * Inlines plain tokens, and moves rules for wide windows and print to the end, from narrow to wide, so that they win over
 * those of components that were imported later.
 */
export function arrangeStyles(css: string): string {
  const sheet = parse(css.trim());
  sheet.walkDecls((declaration) => {
    if (plainTokens.has(declaration.prop)) declaration.remove();
    else declaration.value = withPlainTokens(declaration.value);
  });
  const wide = sheet.nodes.filter(isWide).toSorted((a, b) => widthOf(a) - widthOf(b));
  sheet.append([...Map.groupBy(wide, ({ name, params }) => name + params).values()].flatMap(joined));
  return sheet.toString();
}

function withPlainTokens(value: string): string {
  return value.replace(/var\((--[\w-]+)\)/g, (used, name) => plainTokens.get(name) ?? used);
}

function isWide(rule: ChildNode): rule is AtRule {
  return rule.type === 'atrule' && widthOf(rule) >= wideFrom;
}

/** In em; infinite for print and forced colours. */
function widthOf({ name, params, nodes = [] }: AtRule): number {
  const inner = nodes.map((node) => (node.type === 'atrule' ? widthOf(node) : 0));
  if (name !== 'media') return name === 'supports' ? Math.min(...inner) : 0;
  const [, from] = /min-width: ?([\d.]+)em/.exec(params) ?? [];
  return Number(from ?? (/print|forced-colors/.test(params) ? Number.POSITIVE_INFINITY : 0));
}

/** Rules of the same window. */
function joined([first, ...others]: AtRule[]): AtRule[] {
  first?.append(others.flatMap(({ nodes = [] }) => nodes));
  return first ? [first] : [];
}

/** Splits a minified sheet into its rules. Names that the scripts contain count as present on every page. */
export function styleRules(css: string, scripts: readonly string[]): StyleRule[] {
  const inScripts = new Set(scripts.flatMap((script) => script.match(/[\w-]+/g) ?? []));
  const needsOf = (selector: string) => namesIn(selector).filter((name) => !inScripts.has(name.replace('.', '')));
  return parse(css).nodes.flatMap(function ruleOf(node): StyleRule[] {
    if (node.type === 'comment') return [];
    if (node.type === 'atrule' && /^(media|supports)$/.test(node.name))
      return [{ prelude: `@${node.name} ${node.params}`, rules: (node.nodes ?? []).flatMap(ruleOf) }];
    const needs = node.type === 'rule' ? node.selectors.map(needsOf) : [];
    const text = node.type === 'atrule' && node.nodes === undefined ? `${node};` : String(node);
    return [needs.length > 0 && needs.every((names) => names.length > 0) ? { text, needs } : { text }];
  });
}

/** The classes and elements without which a selector matches nothing. */
function namesIn(selector: string): string[] {
  const plain = selector
    .replace(/\[[^\]]*\]/g, '')
    .replace(/:(?:not|is|where|has|nth-[\w-]+)\((?:[^()]|\([^()]*\))*\)/g, '')
    .replace(/::?[\w-]+(\([^()]*\))?/g, '');
  return plain.match(/\.?[a-z][\w-]*/gi) ?? [];
}
