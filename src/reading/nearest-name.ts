/** The name that was most likely meant: the same but for case and signs, or a slip of the keyboard or two away. */
export function nearestName(written: string, names: Iterable<string>): string | undefined {
  const most = written.length < 5 ? 1 : 2;
  let nearest: { name: string; steps: number } | undefined;
  for (const name of names) {
    const steps = plain(name) === plain(written) ? 0 : stepsBetween(plain(written), plain(name), most);
    if (steps <= most && (nearest === undefined || steps < nearest.steps)) nearest = { name, steps };
  }
  return nearest?.name;
}

const twins: Readonly<Record<string, string>> = { а: 'a', с: 'c', е: 'e', о: 'o', р: 'p', х: 'x', у: 'y', к: 'k' };

/** Without case and signs, Cyrillic letters being the Latin ones that they look like. */
function plain(name: string): string {
  return name
    .slice(0, 80)
    .toLowerCase()
    .replace(/[ _-]+/g, '-')
    .replace(/[асеорхук]/g, (letter) => twins[letter] ?? letter);
}

/** Letters to put in, take out or change until one word is the other (Levenshtein), or more than `most`. */
function stepsBetween(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    if (Math.min(...next) > most) return most + 1;
    row = next;
  }
  return row[b.length] ?? most + 1;
}
