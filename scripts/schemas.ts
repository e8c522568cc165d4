import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sampleHash, tellingLines } from '../src/loading/checks/sample-lines.ts';
import { readFolder } from '../src/loading/content-files.ts';
import { type Kind, kinds } from '../src/loading/kinds.ts';
import { schemaOf } from '../src/loading/schema-parts.ts';
import { readSources } from '../src/loading/sources.ts';
import { contentShips } from '../src/tests/support/sample-content.ts';

// npm run schemas: writes JSON Schemas and VS Code settings, for the project and for the content folder alone, and the
// hashes by which `check` knows the texts, the logo and the plan of the sample company

const root = join(import.meta.dirname, '..');
const content = 'src/content/';
export const sampleLinesFile = 'src/loading/checks/sample-lines.json';
const schemaName = (kind: string) => `.vscode/${kind}.schema.json`;

export function sampleLines(): string {
  const sources = Object.values(readSources(readFolder(join(root, content))).sources).flat();
  const hashes = sources.flatMap(({ file, text }) => tellingLines(file, text).map(({ hash }) => hash));
  const drawn = ['favicon.svg', 'images/map.svg'].map((file) => sampleHash(readFileSync(join(root, 'public', file))));
  return `${JSON.stringify([...new Set([...hashes, ...drawn])].sort())}\n`;
}

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
  // A company that edits this content still needs the lines of the sample.
  if (contentShips) writeFileSync(join(root, sampleLinesFile), sampleLines());
}
