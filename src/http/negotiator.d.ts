// The published types are for an older version without `preferred`.
declare module 'negotiator' {
  export default class Negotiator {
    constructor(request: { headers: Readonly<Record<string, string>> });
    encoding(available: readonly string[], options: { preferred: readonly string[] }): string | undefined;
  }
}
