import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { kinds } from '../src/reading/kinds.ts';
import { schemaOf } from '../src/reading/schema.ts';

// node scripts/schemas.ts: writes JSON Schemas and VS Code settings, for the project and for the content folder alone.

const content = 'src/content';
const inContent = '.vscode';

export function schemaFiles(): Map<string, string> {
  const json = (value: unknown) => `${JSON.stringify(value, undefined, 2)}\n`;
  const nameOf = (kind: string) => `${inContent}/${kind}.schema.json`;
  const settings = (folder: string) => ({
    'yaml.schemas': Object.fromEntries(
      Object.entries(kinds).flatMap(([kind, { files }]) =>
        files.endsWith('.yaml') ? [[`./${folder}${nameOf(kind)}`, `${folder}${files}`]] : [],
      ),
    ),
  });
  // Formatted as Biome would.
  const extensions = '{\n  "recommendations": ["redhat.vscode-yaml"]\n}\n';
  return new Map([
    ...Object.entries(kinds).map(([kind, it]): [string, string] => [`${content}/${nameOf(kind)}`, json(schemaOf(it))]),
    ['.vscode/settings.json', json(settings(`${content}/`))],
    ['.vscode/extensions.json', extensions],
    [`${content}/.vscode/settings.json`, json(settings(''))],
    [`${content}/.vscode/extensions.json`, extensions],
  ]);
}

if (import.meta.main) {
  for (const [name, text] of schemaFiles()) {
    const file = join(import.meta.dirname, '..', name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
