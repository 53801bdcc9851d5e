/** The part of a study's page that says how many episodes learning took and what foretold it. */
import { quantileSorted } from '../learn/statistics.ts';
import type { StudyTable } from './gains.ts';
import { count, markdown, share, signed } from './markdown.ts';
import type { LearningRow } from './need.ts';

export function learningText({ study, learning, foretold }: StudyTable): string[] {
  const { threshold } = study;
  return [
    ...(threshold === undefined || learning.length === 0
      ? []
      : [`## Episodes until ${share(threshold)} in training`, rows(learning)]),
    ...(foretold.length === 0
      ? []
      : [
          '## What foretells it',
          "Spearman's rank correlation over runs, with 95 % by drawing arms; a run that never got to the threshold counts as the longest.",
          markdown(
            ['foretold by', 'what', 'environment', 'runs', 'arms', 'rank correlation [95 %]'],
            foretold.map(({ environment = 'all', by, what, n, cells, correlation, interval }) => [
              by,
              what,
              environment,
              String(n),
              String(cells),
              `${signed(correlation)} [${signed(interval.low)}, ${signed(interval.high)}]`,
            ]),
          ),
        ]),
  ];
}

function rows(learning: readonly LearningRow[]): string {
  const head = [
    'environment',
    'arm',
    'reached',
    'episodes (median, all seeds)',
    'noise scale of the first steps (median, all seeds)',
  ];
  return markdown(
    head,
    learning.map(({ environment, arm, runs }) => {
      const needed = runs.flatMap((run) => run.needed ?? []);
      const reached = needed.filter(Number.isFinite).length;
      return [environment, arm, `${reached}/${runs.length}`, spread(needed), spread(runs.flatMap(({ noise }) => noise ?? []))];
    }),
  );
}

/** The median, and every value behind it. */
function spread(values: readonly number[]): string {
  if (values.length === 0) return '–';
  const sorted = [...values].sort((a, b) => Number(a > b) - Number(a < b));
  const low = sorted.slice(0, Math.ceil(sorted.length / 2)).at(-1) ?? Number.NaN;
  const median = Number.isFinite(sorted.at(-1)) ? quantileSorted(sorted, 0.5) : low;
  return `${words(median)} (${sorted.map(words).join(', ')})`;
}

function words(value: number): string {
  return Number.isFinite(value) ? count(value) : '∞';
}
