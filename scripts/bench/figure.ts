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
export type Limit = { at: 'least' | 'most'; value: number };

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
    name,
    unit,
    ours: median(rounds.ours),
    bare: median(rounds.bare),
    ratio: median(ratios),
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
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** The figures as a table for people. */
export function table(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => {
    const { name, unit, ours, bare, ratio, limit } = figure;
    const bound = limit && `${limit.at === 'least' ? '≥' : '≤'} ${limit.value}${bare === undefined ? ` ${unit}` : ''}`;
    const verdict = limit === undefined ? 'for information' : holds(figure) ? 'ok' : 'NOT';
    const shownBare = bare === undefined ? '—' : `${digits(bare)} ${unit}`;
    return [name, `${digits(ours)} ${unit}`, shownBare, ratio?.toFixed(2) ?? '—', bound ?? '—', verdict];
  });
  const lines = [['figure', 'ours', 'bare Node', 'ratio', 'limit', ''], ...rows];
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0))) ?? [];
  return lines
    .map((cells) =>
      cells
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function digits(value: number): string {
  return value >= 100 ? String(Math.round(value)) : value.toPrecision(3);
}
