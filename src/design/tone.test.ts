import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { tone } from './tone.ts';

test('what no style sheet reaches has the tones of the style sheets', () => {
  const tokens = readFileSync(new URL('tokens.css', import.meta.url), 'utf8');
  for (const [name, value] of Object.entries(tone)) expect(tokens).toContain(`--${name}: ${value};`);
});
