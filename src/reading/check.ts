import { checkInvented, checkPhones } from './check-company.ts';
import { checkMarks } from './check-marks.ts';
import { referenceProblems } from './check-names.ts';
import { checkPages, checkPlaces, checkVideos } from './check-posts.ts';
import { checkDepartures, checkEffective, checkExample, checkTiers } from './check-prices.ts';
import { checkDays, checkPictures, checkTexts } from './check-texts.ts';
import type { Problem } from './problem.ts';
import type { CheckInput, Rule } from './rule.ts';

const rules: readonly Rule[] = [
  checkPlaces,
  checkVideos,
  checkPages,
  checkPhones,
  checkTiers,
  checkEffective,
  checkDepartures,
  checkExample,
  checkTexts,
  checkMarks,
  checkPictures,
  checkDays,
  checkInvented,
];

/** Checks that need no rendered pages. */
export function checkSources(input: CheckInput): Problem[] {
  const problems = [...input.problems, ...referenceProblems(input, input.assets)];
  return [...problems, ...rules.flatMap((rule) => [...rule({ ...input, problems })])];
}
