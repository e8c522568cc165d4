/** Where the database at `path` is put aside. @param at milliseconds since 1970 */
export function asidePath(path: string, at: number): string {
  return path.replace(/\.sqlite$/, `-until-${new Date(at).toISOString().replaceAll(':', '-')}.sqlite`);
}
