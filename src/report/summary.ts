/**
 * One row of the list of runs, from the small files of a run and the end of its metrics. Kept until one of those files changes,
 * so that a folder of a thousand runs is read once and then only looked at.
 */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { tailInside } from '../run/inside.ts';
import { evaluationLayout, layout, type EvaluationLine } from '../run/layout.ts';
import { annotationFile, readAnnotation } from './annotations.ts';
import { evalShares } from './eval-file.ts';
import { evaluationLines } from './evaluations.ts';
import type { NamedShare, RunSummary } from './model.ts';
import { firstLine, readRunFiles, type RunFiles } from './run-files.ts';
import { proofFolder } from './proof.ts';
import { noBetter, trainingWarnings, type RecentMetric } from './warnings.ts';

/** The curve that is drawn small: the first of these that a run has. */
const mainCurves = ['train/success', 'critic/score/mean', 'train/loss'];
/** Bytes read from the end of the metrics: some forty steps. */
const tailBytes = 128 * 1024;
const sparklinePoints = 60;
const failurePrefix = 'train/failures/';

/** Whatever changes with a row. */
const telling = [
  layout.info,
  layout.config,
  layout.metrics,
  layout.evaluations,
  evaluationLayout.status,
  evaluationLayout.results,
  annotationFile,
  `${proofFolder}/${evaluationLayout.results}`,
];

export class Summaries {
  private readonly kept = new Map<string, { readonly stamp: string; readonly summary: RunSummary }>();

  async of(folder: string, id: string): Promise<RunSummary> {
    const stamp = await stampsOf(folder);
    const known = this.kept.get(folder);
    // Whether a running process is still there is not written in any file.
    if (known?.stamp === stamp && known.summary.id === id && known.summary.status !== 'running') return known.summary;
    const summary = await summaryOf(folder, id);
    this.kept.set(folder, { stamp, summary });
    return summary;
  }
}

async function summaryOf(folder: string, id: string): Promise<RunSummary> {
  const files = await readRunFiles(folder);
  const annotation = await readAnnotation(folder);
  const found = files.kind === 'eval' ? await ofEvaluation(folder) : await ofTraining(folder, files);
  return {
    id,
    kind: files.kind,
    status: files.status,
    recipe: files.recipe,
    ...(files.startedAt !== undefined && { startedAt: files.startedAt }),
    ...(files.updatedAt !== undefined && { updatedAt: files.updatedAt }),
    ...(files.steps !== undefined && { steps: files.steps }),
    ...(files.reason !== undefined && { reason: files.reason }),
    ...(annotation !== undefined && { annotation }),
    ...found,
    problems: [...files.problems, ...found.problems],
  };
}

type Found = Pick<RunSummary, 'scores' | 'warnings' | 'sparkline' | 'problems'> & Partial<Pick<RunSummary, 'step' | 'success'>>;

async function ofEvaluation(folder: string): Promise<Found> {
  const { scores, warnings } = await evalShares(folder);
  const best = Math.max(...scores.map(({ success }) => success).filter(Number.isFinite));
  return { scores, warnings, sparkline: [], problems: [], ...(Number.isFinite(best) && { success: best }) };
}

async function ofTraining(folder: string, files: RunFiles): Promise<Found> {
  const problems: string[] = [];
  const tail = await tailInside(folder, layout.metrics, tailBytes).catch((thrown: unknown) => {
    problems.push(`${layout.metrics} cannot be read: ${firstLine(thrown)}`);
    return '';
  });
  const rows = tail.split('\n').flatMap(rowOf);
  const metric: RecentMetric = (name) => rows.flatMap(({ data }) => (typeof data[name] === 'number' ? [data[name]] : []));
  const curve = mainCurves.map(metric).find((values) => values.length > 0) ?? [];
  const evaluations = sharesOf(await evaluationLines(folder));
  const scores = evaluations.length > 0 ? telltale(evaluations) : (await evalShares(folder, proofFolder)).scores.slice(0, 2);
  const success = scores.at(-1)?.success ?? metric('train/success').at(-1);
  const step = rows.at(-1)?.step;
  return {
    scores,
    warnings: [...trainingWarnings(metric, failuresOf(rows)), ...(files.status === 'running' ? [] : noBetter(evaluations))],
    sparkline: curve.slice(-sparklinePoints).map((value) => Number(value.toPrecision(4))),
    problems,
    ...(step !== undefined && { step }),
    ...(success !== undefined && { success }),
  };
}

/** The evaluations of the panel that was evaluated first, in the order of their steps. */
function sharesOf(lines: readonly EvaluationLine[]): NamedShare[] {
  const [first] = lines;
  return lines
    .filter(({ panel }) => panel === first?.panel)
    .map(({ panel, step, n, success, low, high }) => ({ panel, policy: `step ${String(step)}`, step, n, success, low, high }))
    .sort((a, b) => a.step - b.step);
}

/** The first, the best (the earliest of equals, the one before training included) and the last; each once. */
function telltale(evaluations: readonly NamedShare[]): NamedShare[] {
  const best = evaluations.reduce<NamedShare | undefined>(
    (before, one) => (before === undefined || one.success > before.success ? one : before),
    undefined,
  );
  const chosen = new Set([evaluations[0], best, evaluations.at(-1)]);
  return evaluations.filter((one) => chosen.has(one));
}

interface Row {
  readonly step: number;
  readonly data: Readonly<Record<string, unknown>>;
}

/** `{step, data: {…}}` or `{step, name: value …}`; a line that is neither is passed over. */
function rowOf(line: string): Row[] {
  try {
    const row = JSON.parse(line) as { step?: unknown; data?: unknown } | null;
    if (typeof row?.step !== 'number') return [];
    const data = typeof row.data === 'object' && row.data !== null ? row.data : row;
    return [{ step: row.step, data: data as Row['data'] }];
  } catch {
    return [];
  }
}

function failuresOf(rows: readonly Row[]): Record<string, number> {
  const failures: Record<string, number> = {};
  for (const { data } of rows)
    for (const name in data) {
      const value = data[name];
      if (!name.startsWith(failurePrefix) || typeof value !== 'number') continue;
      const by = name.slice(failurePrefix.length);
      failures[by] = (failures[by] ?? 0) + value;
    }
  return failures;
}

/** Seconds until the planned steps or minutes are over, by the pace of the last steps; undefined where nothing says. */
export function secondsLeft(
  steps: readonly number[],
  seconds: readonly (number | null)[],
  planned: number,
  minutes: number,
): number | undefined {
  const known = seconds.filter((value) => value !== null);
  const lately = known.slice(-10);
  const done = steps.at(-1);
  if (done === undefined || lately.length === 0) return undefined;
  const pace = lately.reduce((sum, value) => sum + value, 0) / lately.length;
  const bySteps = Number.isFinite(planned) && planned > 0 ? (planned - done) * pace : Infinity;
  const byClock =
    Number.isFinite(minutes) && minutes > 0 ? 60 * minutes - known.reduce((sum, value) => sum + value, 0) : Infinity;
  const left = Math.min(bySteps, byClock);
  return Number.isFinite(left) ? Math.max(0, left) : undefined;
}

/** Only what is there is looked at: asking for files that do not exist is most of the work in a folder of a thousand runs. */
async function stampsOf(folder: string): Promise<string> {
  const there = new Set(await readdir(folder).catch(() => []));
  const names = telling.filter((name) => there.has(name.split('/')[0] ?? ''));
  const stamps = await Promise.all(
    names.map(async (name) => {
      const found = await stat(join(folder, name)).catch(() => undefined);
      return found ? `${name} ${String(found.mtimeMs)} ${String(found.size)}` : '';
    }),
  );
  return stamps.join('\n');
}
