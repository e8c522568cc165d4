/** Id of the build that the page on the screen is of, where the browser tells it. */
export function shownBuild(): string | undefined {
  const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return visit?.serverTiming?.find(({ name }) => name === 'build')?.description;
}
