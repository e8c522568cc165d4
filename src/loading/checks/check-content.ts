import type { Problem } from '../problem.ts';
import { checkBlocked } from './check-blocked.ts';
import { checkInvented, checkPhones, checkPlace, checkRegistration } from './check-company.ts';
import { checkDrawings } from './check-drawings.ts';
import { checkHolidays, checkTruckDays } from './check-hours.ts';
import { checkMarks } from './check-marks.ts';
import { checkMenu } from './check-menu.ts';
import { referenceProblems } from './check-names.ts';
import { checkLists, checkPages, checkPlaces, checkTitles, checkVideos } from './check-posts.ts';
import {
  checkCopies,
  checkDepartures,
  checkDropped,
  checkEffective,
  checkExample,
  checkTiers,
  checkZeros,
} from './check-prices.ts';
import { checkSample } from './check-sample.ts';
import { checkDays, checkPast, checkPictures, checkTexts, checkUnused } from './check-texts.ts';
import { checkWriting } from './check-writing.ts';
import type { CheckInput, Rule } from './rule.ts';

const rules: readonly Rule[] = [
  checkPlaces,
  checkDrawings,
  checkVideos,
  checkPages,
  checkLists,
  checkTitles,
  checkMenu,
  checkPhones,
  checkRegistration,
  checkPlace,
  checkTiers,
  checkDropped,
  checkZeros,
  checkEffective,
  checkCopies,
  checkDepartures,
  checkTruckDays,
  checkHolidays,
  checkExample,
  checkTexts,
  checkBlocked,
  checkWriting,
  checkMarks,
  checkPictures,
  checkUnused,
  checkDays,
  checkPast,
  checkInvented,
  checkSample,
];

/** Checks that need no rendered pages. */
export function checkSources(input: CheckInput): Problem[] {
  const problems = [...input.problems, ...referenceProblems(input, input.assets, input.at)];
  return [...problems, ...rules.flatMap((rule) => [...rule({ ...input, problems })])];
}
