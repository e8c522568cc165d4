import type { Assets } from '../assets.ts';
import type { Problem } from '../problem.ts';
import type { Pictures } from '../read-pictures.ts';
import type { ReadContent } from '../sources.ts';

export type CheckInput = ReadContent & {
  assets: Assets;
  pictures: Pictures;
  occupiedPaths: readonly string[];
  at: Date;
};

export type Rule = (input: CheckInput) => Iterable<Problem>;
