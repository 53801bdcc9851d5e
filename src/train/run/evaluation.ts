/** The evaluation after a step of any run: its panels are played and recorded, and the best step so far is remembered. */
import type { EvaluateConfig } from '../../config/recipe/shared-keys.ts';
import { isBelow, type Measured } from '../../learn/statistics.ts';
import { isBetter, type Best } from '../../run/checkpoints.ts';
import { scoreOf } from '../../run/diagnosis/find.ts';
import { readEvaluations } from '../../run/metrics-log.ts';
import type { RunDirectory } from '../../run/run-directory.ts';
import type { TaskDeck } from '../tasks/deck.ts';
import type { TrainerEvents } from './events.ts';
import { evaluatePanels, recordEvaluation, type PanelOptions } from './evaluate-panels.ts';

/** What evaluations of a run play. */
export interface Evaluation extends Omit<PanelOptions, 'config' | 'seed' | 'step' | 'signal' | 'doing'> {
  readonly panels: readonly TaskDeck[];
}

export interface Evaluated {
  /** Mean success over the panels. */
  readonly score: number;
  /** Episodes behind it. */
  readonly n: number;
  /** Better than every step before it. */
  readonly best: boolean;
  readonly metrics: Readonly<Record<string, number>>;
  /** How long it took. */
  readonly seconds: number;
}

/** Whose evaluation it is, and how it is played. */
export interface EvaluationPlan {
  readonly evaluation: Evaluation;
  readonly config: EvaluateConfig;
  readonly directory: RunDirectory;
  readonly seed: number;
  readonly signal: AbortSignal;
  readonly events?: TrainerEvents | undefined;
  /** False: it is watched, and nothing is chosen by it. */
  readonly choose: boolean;
  /** The weights of the start are kept, so that step 0 can be the best one. */
  readonly startKept: boolean;
  /** The start is the best only where a step is below it by more than noise (Trainer.imitates). */
  readonly imitates: boolean;
}

export async function evaluateStep(step: number, plan: EvaluationPlan): Promise<Evaluated> {
  const { evaluation, config, directory, seed, signal } = plan;
  const { panels, ...options } = evaluation;
  const from = performance.now();
  const result = await evaluatePanels(panels, {
    ...options,
    config,
    seed,
    step,
    signal,
    doing: (text) => plan.events?.onDoing?.(text),
  });
  await recordEvaluation(result, step, directory, plan.events);
  const chosen = plan.choose && (step > 0 || plan.startKept);
  const { score, n } = scoreOf(result.lines, step);
  const start = plan.imitates ? scoreOf(await readEvaluations(directory.path), 0) : undefined;
  const candidate = { step, score, n, by: 'success' } as const;
  const best = chosen && (await chooseBest(directory, candidate, { overLoss: config.every > 0, start }));
  const seconds = (performance.now() - from) / 1000;
  return { score, n, best, seconds, metrics: { ...result.metrics, 'timing_s/testing': seconds } };
}

/**
 * Remembers a step that is better than the best before it. It is written before the checkpoint it names: retention must not remove
 * the one, and resume goes back to the best before where the other is missing. A run that chooses by its validation loss (`overLoss` false) is not chosen by one success at its end.
 */
export async function chooseBest(
  directory: RunDirectory,
  { n, ...candidate }: Best & { readonly n?: number },
  { overLoss, start }: { readonly overLoss: boolean; readonly start?: Measured | undefined },
): Promise<boolean> {
  const before = await directory.checkpoints.best();
  // Replies that were learned are worth keeping before they solve anything: two zeros are no reason to go back to the start.
  const stands = before?.step === 0 && start && n !== undefined && !isBelow({ score: candidate.score, n }, start);
  if (!Number.isFinite(candidate.score) || (before && !stands && !isBetter(candidate, before))) return false;
  if (before?.by === 'loss' && candidate.by === 'success' && !overLoss) return false;
  await directory.checkpoints.setBest(candidate);
  await directory.update({ best: candidate });
  return true;
}
