/** The evaluation of one step of an RL run: its panels are played and recorded, and the best step so far is remembered. */
import type { Prompting } from '../../agent/prompting.ts';
import type { RlRecipe } from '../../config/rl-recipe.ts';
import type { Policy } from '../../policy/policy.ts';
import type { OpenReward } from '../../rewards/open.ts';
import type { RunDirectory } from '../../run/run-directory.ts';
import { limitsOf } from '../run/agent-setup.ts';
import type { TrainerEvents } from '../run/events.ts';
import { evaluatePanels, recordEvaluation } from '../run/panel.ts';
import { turnsAt } from '../run/schedules.ts';
import type { TaskPool } from '../tasks/pool.ts';

export interface EvaluationSetup {
  readonly recipe: RlRecipe;
  readonly directory: RunDirectory;
  readonly panels: readonly TaskPool[];
  /** What plays: the policy, or the mean of its weights. */
  readonly policy: Policy;
  readonly prompting: Prompting;
  readonly reward: OpenReward | undefined;
  /** Steps of the whole run: its last number of turns is the one that evaluations have. */
  readonly steps: number;
  readonly signal: AbortSignal;
  readonly events: TrainerEvents | undefined;
}

export interface Evaluated {
  readonly score: number;
  /** Better than every step before it. */
  readonly best: boolean;
  readonly metrics: Readonly<Record<string, number>>;
  /** How long it took. */
  readonly seconds: number;
}

export async function evaluateStep(step: number, setup: EvaluationSetup): Promise<Evaluated> {
  const { recipe, directory, steps } = setup;
  const from = performance.now();
  const result = await evaluatePanels(setup.panels, {
    config: recipe.evaluate,
    policy: setup.policy,
    prompting: setup.prompting,
    reward: setup.reward,
    limits: limitsOf(recipe.agent, turnsAt(steps, recipe.agent.max_turns, recipe.agent.every)),
    concurrency: recipe.rollout.concurrency,
    retries: recipe.rollout.retries,
    seed: recipe.seed,
    step,
    signal: setup.signal,
  });
  await recordEvaluation(result, step, directory, setup.events);
  const before = await directory.checkpoints.best();
  const best = recipe.evaluate.choose && step > 0 && (before === undefined || result.score > before.score);
  if (best) {
    // Written before the checkpoint it names: retention must not remove the one, resume forgets the other.
    const chosen = { step, score: result.score, by: 'success' } as const;
    await directory.checkpoints.setBest(chosen);
    await directory.update({ best: chosen });
  }
  const seconds = (performance.now() - from) / 1000;
  return { score: result.score, best, seconds, metrics: { ...result.metrics, 'timing_s/testing': seconds } };
}
