// The types that are published are of an older version, which knows no preference among equals.
declare module 'negotiator' {
  export default class Negotiator {
    constructor(request: { headers: Readonly<Record<string, string>> });
    encoding(available: readonly string[], options: { preferred: readonly string[] }): string | undefined;
  }
}
