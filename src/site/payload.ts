import { createElement, Fragment } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { proseNodes } from '../components/prose/prose-block.tsx';
import { Prose } from '../model/prose.ts';
import { typeset } from '../model/typography.ts';

/** The data of a page as JSON for programs: texts as visitors read them, and prose as HTML. */
export function payloadOf(data: unknown): string {
  return JSON.stringify(data, (key, value) => (value instanceof Prose ? proseData(value) : typesetValue(key, value)));
}

function proseData({ blocks, headings, minutes }: Prose) {
  return { html: renderToStaticMarkup(createElement(Fragment, null, ...proseNodes(blocks))), headings, minutes };
}

/** For `JSON.stringify`. An address or a name for programs is one word. */
export function typesetValue(_key: string, value: unknown): unknown {
  return typeof value === 'string' && value.includes(' ') ? typeset(value) : value;
}
