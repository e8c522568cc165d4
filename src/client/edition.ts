/** Id of the edition that the page on the screen is of, where the browser tells it. */
export function shownEdition(): string | undefined {
  const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return visit?.serverTiming?.find(({ name }) => name === 'edition')?.description;
}
