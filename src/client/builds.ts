/** From `Server-Timing`, in browsers that expose it. */
export function shownBuild(): string | undefined {
  const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return visit?.serverTiming?.find(({ name }) => name === 'build')?.description;
}

export async function latestBuild(): Promise<string> {
  const { id } = await fetchJson(`/builds/latest.json?${Date.now()}`);
  return id;
}

export async function prerenderedPages(): Promise<ReadonlySet<string>> {
  const id = shownBuild() ?? (await latestBuild());
  return new Set((await fetchJson(`/builds/meta/${id}.json`)).prerendered);
}

async function fetchJson(address: string) {
  const answer = await fetch(address);
  // Error bodies are JSON, too.
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return answer.json();
}
