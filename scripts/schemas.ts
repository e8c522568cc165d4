import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Kind, kinds } from '../src/loading/kinds.ts';
import { schemaOf } from '../src/loading/schema-parts.ts';

// npm run schemas: writes JSON Schemas and VS Code settings, for the project and for the content folder alone

const root = join(import.meta.dirname, '..');
const content = 'src/content/';
const schemaName = (kind: string) => `.vscode/${kind}.schema.json`;

export function schemaFiles(): Map<string, string> {
  // VS Code checks YAML files, but not front matter.
  const tables = Object.entries<Kind>(kinds).filter(([, { files }]) => files.endsWith('.yaml'));
  const settings = (folder: string) => ({
    'yaml.schemas': Object.fromEntries(
      tables.map(([kind, { files }]) => [`./${folder}${schemaName(kind)}`, folder + files]),
    ),
  });
  const values: [string, unknown][] = [
    ...tables.map(([kind, table]): [string, unknown] => [content + schemaName(kind), schemaOf(table)]),
    ['.vscode/settings.json', settings(content)],
    [`${content}.vscode/settings.json`, settings('')],
  ];
  return new Map(values.map(([file, value]) => [file, `${JSON.stringify(value, undefined, 2)}\n`]));
}

if (import.meta.main) {
  for (const [name, text] of schemaFiles()) {
    const file = join(root, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
