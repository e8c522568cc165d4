import { shownBuild } from './build.ts';
import { fetchJson } from './fetch-json.ts';

let known: Promise<ReadonlySet<string>> | undefined;

/** Empty if the manifest cannot be loaded. */
export function prerenderedPages(): Promise<ReadonlySet<string>> {
  known ??= read().catch((error) => {
    console.error(error);
    return new Set<string>();
  });
  return known;
}

async function read(): Promise<ReadonlySet<string>> {
  const id = shownBuild() ?? (await fetchJson('/builds/latest.json')).id;
  return new Set((await fetchJson(`/builds/meta/${id}.json`)).prerendered);
}
