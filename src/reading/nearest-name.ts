import { distance } from 'fastest-levenshtein';

/** The name that was most likely meant: the same but for case and signs, or a slip of the keyboard or two away. */
export function nearestName(written: string, names: Iterable<string>): string | undefined {
  const most = written.length < 5 ? 1 : 2;
  const wanted = plain(written);
  let nearest: { name: string; steps: number } | undefined;
  for (const name of names) {
    const steps = distance(wanted, plain(name));
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
