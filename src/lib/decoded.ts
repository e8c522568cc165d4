/** Text without its percent-encoding; `undefined` if it is not properly encoded. */
export function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
