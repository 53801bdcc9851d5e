/**
 * Preference pairs in the order that a run learns them: each epoch in an order of its own, from the seed alone, so that a resumed run
 * goes on with the very next pair. Held-out pairs never appear in it.
 */
import type { RewardModelRecipe } from '../../config/recipe/reward-model-recipe.ts';
import { Random } from '../../core/random/random.ts';
import { readPairs, type PreferencePair } from '../../data/pairs.ts';
import { generatedPair } from '../../envs/data/generated/preferences.ts';

export interface PairSource {
  /** The n-th pair of the run, from 0. */
  at(n: number): PreferencePair;
  /** Pairs of an epoch; absent where they never end. */
  readonly size?: number;
  readonly heldOut: readonly PreferencePair[];
}

export async function openPairs({ pairs: config, seed, validate }: RewardModelRecipe): Promise<PairSource> {
  if (config.source === 'generated') {
    const at = (n: number, split = 'train'): PreferencePair => generated(seed, split, n, config.level);
    return { at, heldOut: Array.from({ length: validate.pairs }, (_, i) => at(i, 'validation')) };
  }
  const all = await readPairs([config.train].flat());
  const files = [config.validation].flat();
  const isHeld = (_: PreferencePair, i: number): boolean =>
    files.length === 0 && Random.of(seed, 'held out', i).float() < config.hold_out;
  const kept = all.filter((pair, i) => !isHeld(pair, i));
  const held = files.length > 0 ? await readPairs(files) : all.filter(isHeld);
  return shuffled(kept.length > 0 ? kept : all, seed, held.slice(0, validate.pairs));
}

function shuffled(pairs: readonly PreferencePair[], seed: number, heldOut: readonly PreferencePair[]): PairSource {
  const size = pairs.length;
  let [epoch, order] = [-1, [] as number[]];
  return {
    size,
    heldOut,
    at(n) {
      const now = Math.floor(n / size);
      if (now !== epoch) {
        epoch = now;
        order = Random.of(seed, 'shuffle', epoch).shuffle(pairs.map((_, i) => i));
      }
      return pairs[order[n % size] as number] as PreferencePair;
    },
  };
}

function generated(seed: number, split: string, index: number, level: number): PreferencePair {
  const { prompt, chosen, rejected, flaw } = generatedPair(seed, split, index, level);
  const said = (text: string): PreferencePair['chosen'] => [
    { role: 'user', text: prompt },
    { role: 'assistant', text },
  ];
  return { chosen: said(chosen), rejected: said(rejected), category: flaw };
}
