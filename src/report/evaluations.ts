/** Evaluations as tables: those a run made on its way (metrics/evaluations.jsonl), and one that `agoge eval` wrote (eval.json). */
import { join } from 'node:path';
import { readEvaluations as readLines } from '../run/metrics-log.ts';
import { evaluationLayout, type EvaluationLine } from '../run/layout.ts';
import { readEvalFile } from './eval-file.ts';
import type { Evaluation, EvaluationRow, MetricTable } from './model.ts';

export interface ReadEvaluations {
  readonly evaluations: readonly Evaluation[];
  readonly problems: readonly string[];
}

export async function readEvaluations(folder: string): Promise<ReadEvaluations> {
  const lines = await readLines(folder).catch(() => []);
  const panels = [...new Set(lines.map((line) => line.panel))];
  const onTheWay = panels.map((panel): Evaluation => {
    const rows = lines.filter((line) => line.panel === panel).flatMap(rowsOf);
    return { name: panel, rows, comparisons: [] };
  });
  const { evaluations, problems } = await readEvalFile(join(folder, evaluationLayout.results));
  return { evaluations: [...evaluations, ...onTheWay], problems };
}

/** Adds the intervals of evaluated success as columns beside it, so that a chart can draw them as a band. */
export function withIntervals(table: MetricTable, lines: readonly EvaluationLine[]): MetricTable {
  const columns: Record<string, readonly (number | null)[]> = { ...table.columns };
  for (const name of Object.keys(table.columns)) {
    const panel = /^val-core\/(.*)\/success\/mean@\d+$/.exec(name)?.[1];
    if (panel === undefined) continue;
    const at = new Map(lines.filter((line) => line.panel === panel).map((line) => [line.step, line]));
    columns[`${name}/low`] = table.steps.map((step) => at.get(step)?.low ?? null);
    columns[`${name}/high`] = table.steps.map((step) => at.get(step)?.high ?? null);
  }
  return { steps: table.steps, columns };
}

function rowsOf(line: EvaluationLine): EvaluationRow[] {
  const policy = `step ${String(line.step)}`;
  const environment = line.panel.split('/')[0] ?? line.panel;
  const whole: EvaluationRow = {
    environment,
    step: line.step,
    policy,
    category: 'all',
    n: line.n,
    success: line.success,
    successLow: line.low,
    successHigh: line.high,
    reward: line.reward,
    rewardLow: NaN,
    rewardHigh: NaN,
    turns: line.turns,
    failures: line.failures,
  };
  const parts = Object.entries(line.categories).map(([category, { n, success }]) => ({
    ...whole,
    category,
    n,
    success,
    successLow: NaN,
    successHigh: NaN,
    reward: NaN,
    turns: NaN,
    failures: {},
  }));
  return [whole, ...parts];
}
