/** From a recipe to a reward model: opens pairs and the engine with its value head, trains, and closes everything in the end. */
import type { RewardModelRecipe } from '../../config/reward-model-recipe.ts';
import { AgogeError } from '../../core/error.ts';
import type { Engine } from '../../engine/engine.ts';
import type { RunDirectory } from '../../run/run-directory.ts';
import { openFreshModel } from '../run/fresh-model.ts';
import { openEngine } from '../run/open-parts.ts';
import { openPairs, type PairSource } from './pair-source.ts';
import { trainReward } from './trainer.ts';
import type { StartOptions } from '../run/start-run.ts';
import type { TrainResult } from '../run/events.ts';

export async function runReward(
  recipe: RewardModelRecipe,
  directory: RunDirectory,
  from: number,
  { signal, events }: StartOptions,
): Promise<TrainResult> {
  const source = await openPairs(recipe);
  if (source.size === undefined && recipe.steps === null && recipe.minutes === null)
    throw new AgogeError('CONFIG_INVALID', 'generated pairs never end: say how long with steps=300 or minutes=5');
  await using engine = await open(recipe, from, directory, source);
  return await trainReward(recipe, { engine, source }, directory, { signal, from, ...(events ? { events } : {}) });
}

export function rewardTitle({ pairs, policy }: RewardModelRecipe): string {
  const data = pairs.source === 'generated' ? 'generated pairs' : [pairs.train].flat().join('+');
  return ['reward model', data, typeof policy === 'string' ? policy : `fresh ${policy.fresh.preset}`].join(' · ');
}

async function open(recipe: RewardModelRecipe, from: number, directory: RunDirectory, source: PairSource): Promise<Engine> {
  const { engine: config, policy, seed } = recipe;
  const scored = { head: 'value', scoreBias: false } as const;
  if (from > 0) return openEngine(`hf:${directory.checkpoints.path(from)}`, { config, ...scored });
  if (typeof policy === 'string') return openEngine(policy, { config, ...scored });
  const { fresh } = policy;
  const count = Math.min(fresh.tokenizer_samples, source.size ?? Infinity);
  const texts = Array.from({ length: count }, (_, n) => source.at(n)).flatMap(({ chosen, rejected }) =>
    [...chosen, ...rejected.slice(-1)].map(({ text }) => text),
  );
  return openFreshModel({ fresh, engine: config, seed, texts, ...scored });
}
