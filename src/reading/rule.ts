import type { Assets } from './assets.ts';
import type { Pictures } from './pictures.ts';
import type { Problem } from './problem.ts';
import type { ReadContent } from './sources.ts';

/** A content and what it has to fit. */
export type CheckInput = ReadContent & {
  assets: Assets;
  pictures: Pictures;
  /** Addresses that no page of an editor may have. */
  taken: readonly string[];
  at: Date;
};

export type Rule = (input: CheckInput) => Iterable<Problem>;
