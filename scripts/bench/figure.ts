import { table } from '../../src/lib/table.ts';

/** What was measured, against the peer of the same run or against a fixed number. */
export type Figure = {
  name: string;
  unit: string;
  ours: number;
  /** What bare Node does with the same task. */
  bare?: number;
  /** Ours to the peer's, or to the limit where there is no peer. */
  ratio?: number;
  /** Without one the figure is there for information. */
  limit?: Limit;
};

/** Bounds the ratio if there is a peer, and our own figure otherwise. */
type Limit = { at: 'least' | 'most'; value: number };

/**
 * Measures each side in turn, so that what else the machine does falls on all alike.
 *
 * @returns what each side has measured, round by round
 */
export async function inTurns<Side extends string, T>(
  rounds: number,
  sides: Readonly<Record<Side, (round: number) => T | Promise<T>>>,
): Promise<Record<Side, T[]>> {
  const names = Object.keys(sides) as Side[];
  const measured = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Side, T[]>;
  for (let round = 0; round < rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) measured[name].push(await sides[name](round));
  }
  return measured;
}

/** A figure as the median of rounds in which both sides took their turn. */
export function against(
  name: string,
  unit: string,
  rounds: { ours: readonly number[]; bare: readonly number[] },
  limit?: Limit,
): Figure {
  // Round by round, because what else the machine does changes more slowly than the rounds do.
  const ratios = rounds.ours.map((ours, round) => ours / (rounds.bare[round] ?? Number.NaN));
  return {
    ...{ name, unit, ours: median(rounds.ours), bare: median(rounds.bare), ratio: median(ratios) },
    ...(limit && { limit }),
  };
}

/** A figure without a peer: its ratio is that to the limit, unless that is nothing. */
export function alone(name: string, unit: string, ours: number, limit?: Limit): Figure {
  return { name, unit, ours, ...(limit?.value && { ratio: ours / limit.value }), ...(limit && { limit }) };
}

/** Whether the figure keeps its limit; one that is no number keeps none. */
export function holds({ ours, bare, ratio = Number.NaN, limit }: Figure): boolean {
  if (limit === undefined) return true;
  const bounded = bare === undefined ? ours : ratio;
  return limit.at === 'least' ? bounded >= limit.value : bounded <= limit.value;
}

/** The value that a share of all values does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** The figures as a table for people. */
export function figureTable(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => {
    const { name, unit, ours, bare, ratio, limit } = figure;
    const bound = limit && `${limit.at === 'least' ? '≥' : '≤'} ${limit.value}${bare === undefined ? ` ${unit}` : ''}`;
    const verdict = limit === undefined ? 'for information' : holds(figure) ? 'ok' : 'NOT';
    const shownBare = bare === undefined ? '—' : `${digits(bare)} ${unit}`;
    return [name, `${digits(ours)} ${unit}`, shownBare, ratio?.toFixed(2) ?? '—', bound ?? '—', verdict];
  });
  return table([['figure', 'ours', 'bare Node', 'ratio', 'limit', ''], ...rows]);
}

function digits(value: number): string {
  return value >= 100 ? String(Math.round(value)) : value.toPrecision(3);
}
