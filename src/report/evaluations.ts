/** Evaluations as tables: those a run made on its way (metrics/evaluations.jsonl), and one that `agoge eval` wrote (eval.json). */
import { z } from 'zod';
import { fileLines, type ReadLimits } from '../run/file-lines.ts';
import { layout, type EvaluationLine } from '../run/layout.ts';
import { readEvalFile } from './eval-file.ts';
import type { Evaluation, EvaluationRow, MetricTable } from './model.ts';

export interface ReadEvaluations {
  readonly evaluations: readonly Evaluation[];
  readonly problems: readonly string[];
}

const number = z
  .number()
  .nullish()
  .transform((value) => value ?? NaN);
const lineSchema: z.ZodType<EvaluationLine> = z.object({
  step: z.number(),
  time: z.string().catch(''),
  panel: z.string(),
  n: number,
  success: number,
  low: number,
  high: number,
  reward: number,
  turns: number,
  failures: z.record(z.string(), z.number()).catch({}),
  categories: z.record(z.string(), z.object({ n: number, success: number })).catch({}),
});

/** A run has one line of some hundred bytes per panel and evaluation. */
const limits: ReadLimits = { packed: 2 ** 26, plain: 2 ** 26, line: 2 ** 20, milliseconds: 10_000 };

/** The evaluations a run made on its way; a line that is none is passed over. */
export async function evaluationLines(folder: string, told: (problem: string) => void = ignore): Promise<EvaluationLine[]> {
  const lines: EvaluationLine[] = [];
  for await (const { text } of fileLines(folder, layout.evaluations, told, limits)) {
    const line = lineSchema.safeParse(parsed(text));
    if (line.success) lines.push(line.data);
  }
  return lines;
}

export async function readEvaluations(folder: string): Promise<ReadEvaluations> {
  const troubles: string[] = [];
  const lines = await evaluationLines(folder, (problem) => troubles.push(problem));
  const panels = [...new Set(lines.map((line) => line.panel))];
  const onTheWay = panels.map((panel): Evaluation => {
    const rows = lines.filter((line) => line.panel === panel).flatMap(rowsOf);
    return { name: panel, rows, comparisons: [] };
  });
  const { evaluations, problems } = await readEvalFile(folder);
  return { evaluations: [...evaluations, ...onTheWay], problems: [...troubles, ...problems] };
}

const ignore = (): void => undefined;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
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
