/** How a training run looks on a terminal: a progress bar where there is one, plain lines where there is not, JSON on request. */
import { join, resolve } from 'node:path';
import { layout } from '../../run/layout.ts';
import type { Best } from '../../run/checkpoints.ts';
import { diagnosisLine, diagnosisText, remedies } from '../../run/diagnosis/words.ts';
import type { TrainingCommand } from '../../config/packaged-recipes.ts';
import { AgogeError } from '../../core/error.ts';
import type { StepSummary, TrainerEvents, TrainResult } from '../../train/run/events.ts';
import { clearBars, printAbove, startBar, type Bar } from './bar.ts';
import { duration } from './duration.ts';
import { print, printJson, tell } from './print.ts';

export function progressEvents(json: boolean): TrainerEvents {
  if (json) {
    return {
      onStep: ({ step, metrics }) => printJson({ event: 'step', step, metrics }),
      onDiagnosis: (step, found) => {
        for (const one of found)
          printJson({ event: 'diagnosis', step, ...one, says: diagnosisText(one), remedy: remedies[one.kind] });
      },
      onEvaluation: (lines) => {
        for (const line of lines) printJson({ event: 'evaluation', ...line });
      },
    };
  }
  return process.stderr.isTTY ? barEvents() : lineEvents();
}

/** Milliseconds without a word after which it is said what is being done. */
const patience = 15_000;

function lineEvents(): TrainerEvents {
  let timer: NodeJS.Timeout | undefined;
  return {
    onNote: (text) => {
      clearTimeout(timer);
      print(text);
    },
    onDoing: (text) => {
      clearTimeout(timer);
      timer = setTimeout(() => tell(`${text} …`), patience).unref();
    },
  };
}

/** Until the first step is done there is no bar, but a line that says what is being done. */
function barEvents(): TrainerEvents {
  let bar: Bar | undefined;
  let waiting: Bar | undefined;
  return {
    onDoing: (text) => {
      if (bar) bar.update(bar.value, { doing: ` · ${text.replace(/^step \d+: /, '')}` });
      else if (waiting) waiting.update(0, { doing: text });
      else waiting = startBar({ format: '{doing} …', clear: true }, 0, 0, { doing: text });
    },
    onNote: (text) => {
      if (!text.startsWith('step ')) printAbove(text);
    },
    onStep: (summary) => {
      const total = summary.steps ?? 0;
      if (!bar && total > 0) {
        const format = '{bar} {value}/{total} · {what} · {left} left{doing}';
        bar = startBar({ format }, total, summary.step, payload(summary));
      }
      if (bar) bar.update(summary.step, payload(summary));
      else printAbove(`step ${summary.step} · ${what(summary)} · ${duration(summary.left)} left`);
    },
  };
}

function payload(summary: StepSummary): { what: string; left: string; doing: string } {
  return { what: what(summary), left: duration(summary.left), doing: '' };
}

function what({ metrics }: StepSummary): string {
  const number = (name: string): string => metrics[name]?.toFixed(3) ?? '–';
  if (metrics['rewards/margins'] !== undefined) return `loss ${number('train/loss')} · ranked right ${number('train/accuracy')}`;
  if (metrics['train/loss'] !== undefined)
    return `loss ${number('train/loss')} · replies right ${number('train/reply_accuracy')}`;
  return `reward ${number('critic/score/mean')} · success ${number('train/success')}`;
}

/** Says how it ended; an interrupted run ends the process with 130 and the way to go on. */
export async function finishRun(result: TrainResult, json: boolean, command: TrainingCommand): Promise<void> {
  clearBars();
  if (json) printJson({ event: 'end', ...result });
  if (result.status === 'interrupted') {
    throw new AgogeError(
      'CLI_INTERRUPTED',
      `interrupted ${whereStopped(result)}; go on with: agoge ${command} --resume ${result.directory}`,
    );
  }
  const report = await writeRunReport(result.directory);
  await writeRunSummary(result.directory);
  if (json) return;
  for (const found of result.diagnosis) print(`not learning: ${diagnosisLine(found)}`);
  print(endText(result, result.best && (await beatenByStart(result.directory, result.best))));
  print(`see it with: agoge view ${result.directory}${report === undefined ? '' : `, or open ${report}`}`);
}

/** How a run ended, in a line. */
export function endText({ status, step, reason, best }: Omit<TrainResult, 'directory' | 'diagnosis'>, beaten = ''): string {
  return `${status} after step ${step}${reason === undefined ? '' : ` (${reason})`}${best ? `; ${bestText(best)}${beaten}` : ''}`;
}

/** A step whose update had begun when it was stopped is not saved: an earlier one is. */
function whereStopped({ step, saved }: TrainResult): string {
  if (step === 0) return 'before the first step was done';
  if (saved === step) return `after step ${step}, which is saved`;
  return `within step ${step + 1}; ${saved === 0 ? 'no step is saved yet' : `step ${saved} is the last one that is saved`}`;
}

function bestText({ score, step, by }: Best): string {
  if (step === 0) return `nothing was better than the start (success ${score.toFixed(3)}), which is its @best`;
  return `${by === 'loss' ? 'lowest validation loss' : 'best success'} ${score.toFixed(3)} at step ${step}`;
}

/** The best checkpoint is chosen among those there are; what the policy could before its first step is said beside it where that was more. */
async function beatenByStart(directory: string, { score, step, by }: Best): Promise<string> {
  if (by === 'loss' || step === 0) return '';
  const { readEvaluations } = await import('../../run/metrics-log.ts');
  const first = (await readEvaluations(directory)).filter(({ step, n }) => step === 0 && n > 0).map(({ success }) => success);
  const before = first.reduce((sum, success) => sum + success, 0) / first.length;
  return before >= score ? `, which is not better than ${before.toFixed(3)} before training (step 0)` : '';
}

/** Its evaluations as summary.txt, .csv and .md; like the report, it does not fail the run. */
async function writeRunSummary(directory: string): Promise<void> {
  const { summaryRows, writeSummary } = await import('../../eval/summary-files.ts');
  try {
    const rows = await summaryRows(directory);
    if (rows.length > 0) await writeSummary(join(directory, 'summary'), rows);
  } catch {
    return;
  }
}

/** The run as one HTML file beside its data. A run is not lost because its report could not be written (a full disk): then there is none. */
async function writeRunReport(directory: string): Promise<string | undefined> {
  const { RunLibrary } = await import('../../dashboard/runs/library.ts');
  const { writeReport } = await import('../../dashboard/server/single-file.ts');
  const file = join(directory, layout.report);
  try {
    await writeReport(new RunLibrary(resolve(directory)), '.', file, { episodes: 200 });
    return file;
  } catch {
    return undefined;
  }
}
