/**
 * Evaluation during training: fixed tasks, fixed seeds, all at once, with its own limits. Failures are reported by type and stay
 * in the denominator of `n` only where the episode has an outcome; what could not be played is counted beside it.
 */
import type { EpisodeLimits } from '../../agent/limits.ts';
import { EpisodePool, type EpisodeJob } from '../../agent/pool.ts';
import type { Prompting } from '../../agent/prompting.ts';
import type { EvaluateConfig } from '../../config/recipe/shared-keys.ts';
import { at } from '../../core/at.ts';
import { Random } from '../../core/random/random.ts';
import { formatTask } from '../../core/task.ts';
import type { Trajectory } from '../../core/trajectory.ts';
import { groupBy, mean } from '../../learn/rows.ts';
import type { Environment } from '../../envs/environment.ts';
import { shareInterval } from '../../learn/statistics.ts';
import type { Policy } from '../../policy/policy.ts';
import { applyByTask } from '../../rewards/by-task.ts';
import type { OpenReward } from '../../rewards/open.ts';
import { episodeRecord } from '../../run/episode-record.ts';
import { isStandInTask } from '../../agent/items.ts';
import type { EvaluationLine } from '../../run/layout.ts';
import type { RunDirectory } from '../../run/run-directory.ts';
import type { TrainerEvents } from './events.ts';
import { limitsFor } from './agent-setup.ts';
import { lastTurns } from './schedules.ts';
import type { TaskDeck } from '../tasks/deck.ts';

export interface PanelOptions {
  readonly config: EvaluateConfig;
  readonly policy: Policy;
  readonly prompting: Prompting;
  /** Undefined: what the environment pays. */
  readonly reward?: OpenReward | undefined;
  /** The recipe's own, its deadlines included; `evaluate.max_turns` replaces the turns. */
  readonly limits: EpisodeLimits;
  readonly concurrency: number;
  readonly retries?: number | undefined;
  readonly seed: number;
  readonly step: number;
  readonly signal: AbortSignal;
  /** Told how far it is. */
  readonly doing?: ((text: string) => void) | undefined;
}

export interface PanelResult {
  readonly lines: readonly EvaluationLine[];
  readonly trajectories: readonly Trajectory[];
  /** Mean success over the panels: what `best` means. */
  readonly score: number;
  readonly metrics: Readonly<Record<string, number>>;
}

export async function evaluatePanels(panels: readonly TaskDeck[], options: PanelOptions): Promise<PanelResult> {
  const lines: EvaluationLine[] = [];
  const trajectories: Trajectory[] = [];
  const metrics: Record<string, number> = {};
  for (const panel of panels) {
    const played = await playPanel(panel, options);
    options.signal.throwIfAborted();
    trajectories.push(...played);
    const { environment, task } = panel.at(0);
    const stood = isStandInTask(environment, task) ? { standIn: true as const } : {};
    const line = { ...summarise(panel.name, played, options.step), ...stood };
    lines.push(line);
    const { samples } = options.config;
    if (line.n === 0) continue; // no result is no zero
    metrics[`val-core/${line.panel}/reward/mean@${samples}`] = line.reward;
    metrics[`val-core/${line.panel}/success/mean@${samples}`] = line.success;
    metrics[`val-aux/${line.panel}/num_turns/mean`] = line.turns;
    for (const [category, { success }] of Object.entries(line.categories))
      metrics[`val-aux/${line.panel}/${category}/success`] = success;
  }
  return { lines, trajectories, metrics, score: mean(lines.map((line) => line.success)) };
}

async function playPanel(panel: TaskDeck, options: PanelOptions): Promise<Trajectory[]> {
  const { config, policy, prompting, seed } = options;
  const limits = { ...options.limits, ...(config.max_turns === null ? {} : { turns: config.max_turns }) };
  const tasks = Math.min(config.tasks ?? (panel.size === Infinity ? 100 : panel.size), panel.size);
  const jobs: EpisodeJob[] = [];
  for (let i = 0; i < tasks; i++) {
    // A part of a panel is spread over it: splits are often sorted by difficulty.
    const listed = panel.at(panel.size === Infinity ? i : Math.floor((i * panel.size) / tasks));
    const { environment, task, maxTurns } = listed;
    const own = maxTurns === undefined ? limits : { ...limits, turns: lastTurns(maxTurns) };
    for (let sample = 0; sample < config.samples; sample++) {
      jobs.push({
        environment,
        policy,
        format: prompting.formatOf(listed),
        task,
        limits: limitsFor(own, listed.limits),
        sampling: { temperature: config.temperature, ...(config.top_p === null ? {} : { topP: config.top_p }) },
        sample,
        seed: Random.of(seed, 'evaluation', task.env, task.split, i, sample).seed(),
      });
    }
  }
  const { concurrency, retries, signal } = options;
  const pool = new EpisodePool({ concurrency, signal, ...(retries === undefined ? {} : { retries }) });
  const played: { environment: Environment; trajectory: Trajectory }[] = [];
  const tell = (): void => options.doing?.(`evaluating: ${played.length} of ${jobs.length} episodes of ${panel.name}`);
  tell();
  for await (const { job, trajectory } of pool.run(jobs, 'given')) {
    played.push({ environment: job.environment, trajectory });
    tell();
  }
  return applyByTask(options.reward, played, signal);
}

function summarise(panel: string, played: readonly Trajectory[], step: number): EvaluationLine {
  const failures: Record<string, number> = {};
  const counted: Trajectory[] = [];
  const rewards: number[] = [];
  for (const one of played) {
    if (one.outcome.kind === 'failed') failures[one.outcome.by] = (failures[one.outcome.by] ?? 0) + 1;
    else {
      counted.push(one);
      rewards.push(one.outcome.reward);
    }
  }
  const won = counted.filter(succeeded).length;
  const byTask = [...groupBy(counted, ({ task }) => formatTask(task)).values()];
  const outcomes = byTask.map((places) => places.map((place) => Number(succeeded(at(counted, place)))));
  const { low, high } = shareInterval(outcomes, Random.of(0, panel, 'success'));
  const categories: Record<string, { n: number; success: number }> = {};
  for (const category of [...new Set(counted.map((one) => one.category))].sort()) {
    const of = counted.filter((one) => one.category === category);
    categories[category] = { n: of.length, success: of.filter(succeeded).length / of.length };
  }
  return {
    step,
    time: new Date().toISOString(),
    panel,
    n: counted.length,
    success: counted.length === 0 ? 0 : won / counted.length,
    low,
    high,
    reward: counted.length === 0 ? 0 : mean(rewards),
    turns: counted.length === 0 ? 0 : mean(counted.map(({ turns }) => turns.length)),
    failures,
    categories,
  };
}

function succeeded({ outcome }: Trajectory): boolean {
  return outcome.kind === 'finished' && outcome.success;
}

function noteOf(step: number, { panel, success, low, high, n, reward, failures }: EvaluationLine): string {
  const by = Object.entries(failures).map(([what, times]) => `${what} ${times}`);
  if (n === 0) return `evaluation after step ${step}: ${panel} has no result (failures: ${by.join(', ')})`;
  return `evaluation after step ${step}: ${panel} success ${success.toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}] of ${n}, reward ${reward.toFixed(3)}`;
}

/** Writes an evaluation into the run: its lines, its episodes, a note for people; and tells who watches. */
export async function recordEvaluation(
  { lines, trajectories }: PanelResult,
  step: number,
  directory: RunDirectory,
  events: TrainerEvents = {},
): Promise<void> {
  for (const line of lines) {
    await directory.metrics.evaluation(line);
    const note = noteOf(step, line);
    events.onNote?.(note);
    await directory.note(note);
  }
  await directory.episodes.writeEvaluation(
    step,
    trajectories.map((trajectory) => episodeRecord(trajectory, { step })),
  );
  events.onEvaluation?.(lines);
}
