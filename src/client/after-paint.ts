/** Runs a task after the next paint, so that a click gets feedback before slow layout work. */
export function afterPaint(task: () => void): void {
  requestAnimationFrame(() => setTimeout(task));
}
