/** Evaluations as tables: those a run made on its way (metrics/evaluations.jsonl), and one that `agoge eval` wrote (eval.json). */
import { z } from 'zod';
import { readInside, type Listing } from '../../run/inside.ts';
import { layout, type EvaluationLine } from '../../run/layout.ts';
import { readEvalFile, type ReadEvaluations } from './eval-file.ts';
import type { Evaluation, EvaluationRow, MetricTable } from '../model.ts';
import { firstLine } from '../runs/run-files.ts';

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

/** Bytes; a run has one line of some hundred bytes per panel and evaluation. */
const most = 2 ** 26;

/** The evaluations a run made on its way; a line that is none is passed over. */
export async function evaluationLines(
  folder: string | Listing,
  told: (problem: string) => void = ignore,
): Promise<EvaluationLine[]> {
  const text = await readInside(folder, layout.evaluations, most).catch((thrown: unknown) => {
    told(`${layout.evaluations} cannot be read: ${firstLine(thrown)}`);
    return undefined;
  });
  return (text ?? '').split('\n').flatMap((one) => lineSchema.safeParse(parsed(one)).data ?? []);
}

export async function readEvaluations(folder: string): Promise<ReadEvaluations> {
  const troubles: string[] = [];
  const lines = await evaluationLines(folder, (problem) => troubles.push(problem));
  const panels = [...new Set(lines.map((line) => line.panel))];
  const onTheWay = panels.map((panel): Evaluation => {
    const rows = lines.filter((line) => line.panel === panel).flatMap(rowsOf);
    return { name: panel, rows, policies: [], comparisons: [] };
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

/**
 * Adds evaluated success and reward with the intervals of success as columns, so that a chart can draw them as a band. An evaluation
 * belongs among the curves even where its step wrote no metrics: the one before the first step, those of imitation that was played.
 */
export function withEvaluations(table: MetricTable, lines: readonly EvaluationLine[]): MetricTable {
  if (lines.length === 0) return table;
  const steps = [...new Set([...table.steps, ...lines.map(({ step }) => step)])].sort((a, b) => a - b);
  const place = new Map(table.steps.map((step, i) => [step, i]));
  const moved = (column: readonly (number | null)[]): (number | null)[] =>
    steps.map((step) => column[place.get(step) ?? -1] ?? null);
  const columns: Record<string, readonly (number | null)[]> = {};
  for (const [name, column] of Object.entries(table.columns)) columns[name] = moved(column);
  for (const panel of new Set(lines.map((line) => line.panel))) {
    const at = new Map(lines.filter((line) => line.panel === panel).map((line) => [line.step, line]));
    const add = (what: 'success' | 'reward'): string => {
      const prefix = `val-core/${panel}/${what}/mean@`;
      const name = Object.keys(columns).find((one) => one.startsWith(prefix)) ?? `${prefix}1`;
      const before = columns[name];
      columns[name] = steps.map((step, i) => before?.[i] ?? finite(at.get(step)?.[what]));
      return name;
    };
    const name = add('success');
    add('reward');
    columns[`${name}/low`] = steps.map((step) => finite(at.get(step)?.low));
    columns[`${name}/high`] = steps.map((step) => finite(at.get(step)?.high));
  }
  return { steps, columns };
}

function finite(value: number | undefined): number | null {
  return value !== undefined && Number.isFinite(value) ? value : null;
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
