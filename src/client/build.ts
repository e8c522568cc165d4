/** From the `Server-Timing` header, in browsers that expose it. */
export function shownBuild(): string | undefined {
  const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return visit?.serverTiming?.find(({ name }) => name === 'build')?.description;
}
