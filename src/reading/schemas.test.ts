import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { schemaFiles } from '../../scripts/schemas.ts';
import { paths } from '../lib/paths.ts';
import { kinds } from './kinds.ts';
import { type JsonSchema, labelOf, schemaOf } from './schema.ts';

const root = join(import.meta.dirname, '../..');
// Formats are the editors' programs' own, and marks the project's.
const ajv = new Ajv({ validateFormats: false, strict: false, allErrors: true });

/** What editors wrote into the fields of a file. */
function fieldsIn(file: string): unknown {
  const text = readFileSync(join(paths.content, file), 'utf8');
  return parse(file.endsWith('.md') ? (text.split(/^---$/m)[1] ?? '') : text);
}

test('what VS Code completes by is what "node scripts/schemas.ts" writes', () => {
  for (const [file, text] of schemaFiles()) {
    const written = existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : undefined;
    expect({ file, written }).toEqual({ file, written: text });
  }
});

test('every file of the content is of one kind', () => {
  const files = globSync('**/*.{md,yaml}', { cwd: paths.content }).filter((file) => !file.endsWith('README.md'));
  const ofKinds = Object.values(kinds).flatMap(({ files }) => globSync(files, { cwd: paths.content }));
  expect(ofKinds.sort()).toEqual(files.sort());
});

test.each(Object.entries(kinds))('the schema of %s takes every file that ships, and no misspelt field', (_, kind) => {
  const accepts = ajv.compile(schemaOf(kind));
  for (const file of globSync(kind.files, { cwd: paths.content })) {
    const value = fieldsIn(file);
    accepts(value ?? []);
    expect({ file, errors: accepts.errors }).toEqual({ file, errors: null });
    const one = Array.isArray(value) ? value[0] : value;
    if (one === undefined || one === null) continue;
    const misspelt = { ...(one as object), headnig: 'x' };
    expect(accepts(Array.isArray(value) ? [misspelt] : misspelt)).toBe(false);
    expect(accepts.errors).toContainEqual(expect.objectContaining({ params: { additionalProperty: 'headnig' } }));
  }
});

/** Every field that is within, by the way to it. */
function fieldsOf(schema: JsonSchema, path: string): [string, JsonSchema][] {
  const items = [schema.items ?? [], schema.anyOf ?? []].flat();
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([key, one]): [string, JsonSchema][] => {
      return [[`${path}.${key}`, one], ...fieldsOf(one, `${path}.${key}`)];
    }),
    ...items.flatMap((one) => fieldsOf(one, path)),
  ];
}

test('every field has a name of a few words, and says in Russian what it is for', () => {
  const fields = Object.entries(kinds).flatMap(([name, kind]) => fieldsOf(schemaOf(kind), name));
  expect(fields.length).toBeGreaterThan(100);
  const unsaid = fields.filter(([, schema]) => !/\p{Script=Cyrillic}|^id$|^slug$/u.test(labelOf(schema).name));
  expect(unsaid.map(([path]) => path)).toEqual([]);
  const long = fields.filter(([, schema]) => labelOf(schema).name.length > 30);
  expect(long.map(([path]) => path)).toEqual([]);
});
