/**
 * Does something once the browser has shown what has changed so far. Dialogs and locks make it look at the whole
 * page, which takes a slow phone long, and a press must be seen to be felt before that.
 */
export function afterPaint(task: () => void): void {
  requestAnimationFrame(() => setTimeout(task));
}
