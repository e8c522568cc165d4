import { expect, test } from '@jest/globals';
import { templateModule } from '../../scripts/templates.ts';
import { templates } from './templates.ts';

test('a broken template stops the build, and the error names its file and line', () => {
  expect(() => templateModule('<p>\n{% nonsense %}', 'views/broken.njk')).toThrow(/broken\.njk.*Line 2/s);
});

test('a variable that is not there is an error, not an empty place', () => {
  expect(() => templates.plainError({ status: 404 })).toThrow(/undefined/);
});

test('markup is escaped, and plain text is not', () => {
  expect(templates.plainError({ status: 404, message: '<b>' })).toContain('&lt;b&gt;');
  expect(templates.botError({ status: 404, message: '<b>' })).toContain('<b>');
});
