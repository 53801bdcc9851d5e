/** From a recipe to a reward model: opens pairs and the engine with its value head, trains, and closes everything in the end. */
import type { RewardModelRecipe } from '../../config/recipe/reward-model-recipe.ts';
import { AgogeError } from '../../core/error.ts';
import type { Engine } from '../../engine/engine.ts';
import type { RunDirectory } from '../../run/run-directory.ts';
import type { TrainResult } from '../run/events.ts';
import { openFreshModel } from '../run/fresh-model.ts';
import { openEngine } from '../run/open-parts.ts';
import { createRun, stoppable, whileOpening, type StartOptions, type Stoppable } from '../run/opening.ts';
import { openPairs, type PairSource } from './pair-source.ts';
import { trainReward } from './trainer.ts';

/** Starts training a reward model. */
export async function startReward(recipe: RewardModelRecipe, asked: StartOptions = {}): Promise<TrainResult> {
  const options = stoppable(asked);
  const { pairs, policy } = recipe;
  const data = pairs.source === 'generated' ? 'generated pairs' : [pairs.train].flat().join('+');
  const title = ['reward model', data, typeof policy === 'string' ? policy : `fresh ${policy.fresh.preset}`].join(' · ');
  return runReward(recipe, await createRun(recipe, { kind: 'reward', title }, options), 0, options);
}

export async function runReward(
  recipe: RewardModelRecipe,
  directory: RunDirectory,
  from: number,
  options: Stoppable<StartOptions>,
): Promise<TrainResult> {
  return whileOpening(directory, options, from, async () => {
    const { signal, events } = options;
    const source = await openPairs(recipe);
    if (source.size === undefined && recipe.steps === null && recipe.minutes === null)
      throw new AgogeError('CONFIG_INVALID', 'generated pairs never end: say how long with steps=300 or minutes=5');
    await using engine = await open(recipe, from, directory, source, signal);
    return await trainReward(recipe, { engine, source }, directory, { signal, from, ...(events ? { events } : {}) });
  });
}

async function open(
  recipe: RewardModelRecipe,
  from: number,
  directory: RunDirectory,
  source: PairSource,
  signal: AbortSignal,
): Promise<Engine> {
  const { engine: config, policy, seed } = recipe;
  const scored = { head: 'value', scoreBias: false } as const;
  if (from > 0) return openEngine(`hf:${directory.checkpoints.path(from)}`, { config, ...scored });
  if (typeof policy === 'string') return openEngine(policy, { config, ...scored });
  const { fresh } = policy;
  const count = Math.min(fresh.tokenizer_samples, source.size ?? Infinity);
  const texts = Array.from({ length: count }, (_, n) => source.at(n)).flatMap(({ chosen, rejected }) =>
    [...chosen, ...rejected.slice(-1)].map(({ text }) => text),
  );
  return openFreshModel({ fresh, engine: config, seed, texts, signal, ...scored });
}
