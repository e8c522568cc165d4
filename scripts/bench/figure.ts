/** `×` is a ratio within the same run. */
export type Figure = {
  what: string;
  value: number;
  unit: string;
  /** Without one, for information. */
  limit?: { most: number } | { least: number };
};

/** False for NaN. */
export function holds({ value, limit }: Figure): boolean {
  if (limit === undefined) return true;
  return 'most' in limit ? value <= limit.most : value >= limit.least;
}

/** Other load affects all sides equally. @returns values by side and round */
export async function inTurns<Side extends string, T>(
  rounds: number,
  sides: Readonly<Record<Side, (round: number) => Promise<T>>>,
): Promise<Record<Side, T[]>> {
  const names = Object.keys(sides) as Side[];
  const measured = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Side, T[]>;
  for (let round = 0; round < rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) measured[name].push(await sides[name](round));
  }
  return measured;
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

export function ratio(ours: readonly number[], others: readonly number[]): number {
  return median(ours.map((value, round) => value / (others[round] ?? Number.NaN)));
}

export function figureTable(figures: readonly (Figure & { section: string })[]): string {
  const head = ['section', 'what', 'value', 'unit', 'limit', ''];
  const rows = figures.map((figure) => {
    const { section, what, value, unit, limit } = figure;
    const bound = limit === undefined ? '' : 'most' in limit ? `≤ ${limit.most}` : `≥ ${limit.least}`;
    return [section, what, digits(value), unit, bound, limit === undefined ? '' : holds(figure) ? 'ok' : 'BROKEN'];
  });
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  return [head, ...rows].map((row) => `${row.map((cell, n) => cell.padEnd(widths[n] ?? 0)).join('  ')}\n`).join('');
}

function digits(value: number): string {
  return value >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}
