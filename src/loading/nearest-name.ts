import { distance } from 'fastest-levenshtein';

/** Allows one or two typos, ignoring case. */
export function nearestName(written: string, names: Iterable<string>): string | undefined {
  const most = written.length < 5 ? 1 : 2;
  const steps = (name: string) => distance(written.toLowerCase(), name.toLowerCase());
  const [nearest] = [...names].filter((name) => steps(name) <= most).sort((a, b) => steps(a) - steps(b));
  return nearest;
}
