/**
 * One row of the list of runs, from the small files of a run and the end of its metrics. Kept until one of those files changes,
 * so that a folder of a thousand runs is read once and then only looked at.
 */
import { readdirSync, statSync } from 'node:fs';
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
/** Bytes read from the end of the metrics: some twenty steps. */
const tailBytes = 64 * 1024;
const sparklinePoints = 60;

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
    const stamp = stampsOf(folder);
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
  const lines = tail.split('\n').slice(0, -1);
  const metric: RecentMetric = (name) => lines.flatMap((line) => valueIn(line, name));
  const curve = mainCurves.map(metric).find((values) => values.length > 0) ?? [];
  const evaluations = sharesOf(await evaluationLines(folder));
  const scores = evaluations.length > 0 ? telltale(evaluations) : (await evalShares(folder, proofFolder)).scores.slice(0, 2);
  const success = scores.at(-1)?.success ?? metric('train/success').at(-1);
  const [step] = lines.slice(-1).flatMap((line) => valueIn(line, 'step'));
  return {
    scores,
    warnings: [...trainingWarnings(metric, failuresOf(tail)), ...(files.status === 'running' ? [] : noBetter(evaluations))],
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

/**
 * The number that a line of metrics gives a name, found in its text: parsing all of a line for the few numbers of a row is most of the
 * work in a folder of hundreds of runs.
 */
function valueIn(line: string, name: string): number[] {
  const key = `"${name}":`;
  const at = line.indexOf(key);
  const value = at < 0 ? NaN : parseFloat(line.slice(at + key.length, at + key.length + 32));
  return Number.isFinite(value) ? [value] : [];
}

function failuresOf(lines: string): Record<string, number> {
  const failures: Record<string, number> = {};
  for (const [, by = '', count] of lines.matchAll(/"train\/failures\/([^"]+)":\s*(\d+)/g))
    failures[by] = (failures[by] ?? 0) + Number(count);
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
function stampsOf(folder: string): string {
  try {
    const there = new Set(readdirSync(folder));
    return telling
      .filter((name) => there.has(name.split('/')[0] ?? ''))
      .map((name) => {
        const found = statSync(join(folder, name), { throwIfNoEntry: false });
        return found ? `${name} ${String(found.mtimeMs)} ${String(found.size)}` : '';
      })
      .join('\n');
  } catch {
    return '';
  }
}
