import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Which properties schema.org gives to a type, its own and inherited ones; `undefined` for a type that it lacks. */
export type Vocabulary = (type: string) => ReadonlySet<string> | undefined;

/** Reads schema.org as the types of `schema-dts` state it, which are generated from it. */
export function vocabulary(): Vocabulary {
  const source = readFileSync(fileURLToPath(import.meta.resolve('schema-dts')).replace(/\.js$/, '.d.ts'), 'utf8');
  const interfaces = new Map<string, { above: string[]; own: string[] }>();
  const named = new Map<string, string>();
  for (const [, name = '', above = '', body = ''] of source.matchAll(
    /^(?:export )?interface (\w+)(?: extends ([^{]+))? \{\n([\s\S]*?)^\}/gm,
  )) {
    const own = [...body.matchAll(/^ {4}"([\w-]+)"\??:/gm)].map(([, property = '']) => property);
    interfaces.set(name, { above: above.split(', ').filter(Boolean), own });
    const type = /^ {4}"@type": "(\w+)";/m.exec(body)?.[1];
    if (type) named.set(type, name);
  }
  const propertiesOf = (name: string): string[] => {
    const { above, own } = interfaces.get(name) ?? { above: [], own: [] };
    return [...own, ...above.flatMap(propertiesOf)];
  };
  const known = new Map<string, ReadonlySet<string>>();
  return (type) => {
    const name = named.get(type);
    if (name === undefined) return undefined;
    const properties = known.get(type) ?? new Set(propertiesOf(name));
    known.set(type, properties);
    return properties;
  };
}
