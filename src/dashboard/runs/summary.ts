/**
 * One row of the list of runs, from the small files of a run and the end of its metrics. Kept until one of those files changes,
 * so that a folder of a thousand runs is read once and then only looked at.
 */
import { statSync } from 'node:fs';
import { tailInside, type Listing } from '../../run/inside.ts';
import { evaluationLayout, layout, type EvaluationLine } from '../../run/layout.ts';
import { annotationFile, readAnnotation } from '../server/annotations.ts';
import { evalShares } from '../evaluations/eval-file.ts';
import { evaluationLines } from '../evaluations/evaluations.ts';
import { isYardstick } from '../evaluations/yardstick.ts';
import type { NamedShare, RunSummary } from '../model.ts';
import { firstLine, readHead, type RunHead } from './run-files.ts';
import { proofFolder } from '../evaluations/proof.ts';
import { formatWarnings, noBetter, trainingWarnings, unsaid, type RecentMetric } from './warnings.ts';

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
].map((name) => ({ name, first: name.split('/')[0] ?? '' }));

export class Summaries {
  private readonly kept = new Map<string, { readonly stamp: string; readonly summary: RunSummary }>();

  async of(folder: Listing, id: string): Promise<RunSummary> {
    const stamp = stampOf(folder);
    const known = this.kept.get(folder.path);
    // Whether a running process is still there is not written in any file.
    if (known?.stamp === stamp && known.summary.id === id && known.summary.status !== 'running') return known.summary;
    const summary = await summaryOf(folder, id);
    this.kept.set(folder.path, { stamp, summary });
    return summary;
  }
}

async function summaryOf(folder: Listing, id: string): Promise<RunSummary> {
  const { head, info, status } = await readHead(folder);
  const annotation = await readAnnotation(folder);
  const found = head.kind === 'eval' ? await ofEvaluation(folder, head, status) : await ofTraining(folder, head);
  const seconds = secondsOf(head);
  return {
    id,
    ...head,
    ...(seconds !== undefined && { seconds }),
    ...(annotation !== undefined && { annotation }),
    ...found,
    warnings: [...formatWarnings(formatsOf(info ?? status)), ...found.warnings],
    problems: [...head.problems, ...found.problems],
  };
}

function formatsOf(file: unknown): unknown {
  return typeof file === 'object' && file !== null && 'formats' in file ? file.formats : [];
}

type Found = Pick<RunSummary, 'scores' | 'warnings' | 'sparkline' | 'problems'> &
  Partial<Pick<RunSummary, 'status' | 'step' | 'steps' | 'success' | 'curve' | 'played' | 'tokens' | 'cost'>>;

async function ofEvaluation(folder: Listing, head: RunHead, status: unknown): Promise<Found> {
  const { scores, warnings, spent } = await evalShares(folder, '', status);
  const tried = scores.filter(({ policy }) => !isYardstick(policy));
  const best = Math.max(...(tried.length > 0 ? tried : scores).map(({ success }) => success).filter(Number.isFinite));
  // Where no episode has a result, nothing was evaluated, however the command ended.
  const empty = scores.length > 0 && scores.every(({ n }) => n === 0);
  return {
    scores: [...tried, ...scores.filter((share) => !tried.includes(share))],
    warnings,
    sparkline: [],
    problems: [],
    ...spent,
    ...(empty && head.status === 'finished' && { status: 'failed' }),
    ...(Number.isFinite(best) && { success: best }),
  };
}

async function ofTraining(folder: Listing, head: RunHead): Promise<Found> {
  const problems: string[] = [];
  const tail = await tailInside(folder, layout.metrics, tailBytes).catch((thrown: unknown) => {
    problems.push(`${layout.metrics} cannot be read: ${firstLine(thrown)}`);
    return '';
  });
  const whole = tail.slice(0, tail.lastIndexOf('\n') + 1);
  const metric: RecentMetric = (name) => valuesIn(whole, name);
  const drawn = mainCurves.find((name) => whole.includes(key(name)));
  const curve = drawn === undefined ? [] : metric(drawn);
  const evaluations = sharesOf(await evaluationLines(folder));
  const proof = (await evalShares(folder, proofFolder)).scores;
  const scores = proof.length === 2 || evaluations.length === 0 ? proof : telltale(evaluations);
  const success = scores.at(-1)?.success ?? metric('train/success').at(-1);
  const logged = valuesIn(whole.slice(whole.lastIndexOf('\n', whole.length - 2) + 1), 'step')[0];
  // Not every step is logged; and whatever was planned before a resume, a run that has gone further was planned anew.
  const step = logged === undefined ? head.step : Math.max(logged, head.step ?? logged);
  const outdated = step !== undefined && head.steps !== undefined && step > head.steps;
  return {
    scores,
    warnings: [
      ...unsaid(trainingWarnings(metric, failuresOf(whole)), head.diagnosis),
      ...(head.status === 'running' ? [] : noBetter(evaluations)),
    ],
    sparkline: curve.slice(-sparklinePoints).map((value) => Number(value.toPrecision(4))),
    problems,
    ...(drawn !== undefined && { curve: drawn }),
    ...(step !== undefined && { step }),
    ...(outdated && { steps: step }),
    ...(success !== undefined && { success }),
  };
}

function secondsOf({ startedAt = '', updatedAt = '' }: RunHead): number | undefined {
  const seconds = (Date.parse(updatedAt) - Date.parse(startedAt)) / 1000;
  return seconds >= 0 ? seconds : undefined;
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
 * The numbers that lines of metrics give a name, found in their text: parsing all of them for the few numbers of a row is most of the
 * work in a folder of hundreds of runs.
 */
function valuesIn(lines: string, name: string): number[] {
  const values: number[] = [];
  const wanted = key(name);
  for (let at = lines.indexOf(wanted); at >= 0; at = lines.indexOf(wanted, at)) {
    at += wanted.length;
    const value = parseFloat(lines.slice(at, at + 32));
    if (Number.isFinite(value)) values.push(value);
  }
  return values;
}

function key(name: string): string {
  return `"${name}":`;
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

/** When the files that a row is made of were written. Only what is there is looked at. */
function stampOf({ path, entries }: Listing): string {
  let stamp = '';
  for (const { name, first } of telling) {
    if (!entries.has(first)) continue;
    const found = timeAndSize(`${path}/${name}`);
    if (found !== undefined) stamp += `${name} ${found}\n`;
  }
  return stamp;
}

function timeAndSize(path: string): string | undefined {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found && `${String(found.mtimeMs)} ${String(found.size)}`;
  } catch {
    return undefined;
  }
}
