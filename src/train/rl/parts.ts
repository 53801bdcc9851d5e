/** What the RL trainer works with: engines, environments and options that its caller opened. */
import type { RlRecipe } from '../../config/recipe/rl-recipe.ts';
import { AgogeError } from '../../core/error.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Sampler } from '../../policy/engine-policy.ts';
import { checkFollowers } from '../run/followers.ts';
import { needs } from './needs.ts';
import type { DeckParts } from '../tasks/deck.ts';

/** What the RL trainer works with. */
export interface RlParts extends DeckParts {
  readonly engine: Engine;
  /** Samples from its weights elsewhere; absent: the engine itself does. */
  readonly sampler?: Sampler | undefined;
  /** The policy that KL is measured against; needed when the recipe asks for KL. */
  readonly reference?: Engine | undefined;
  /** A network with a value head; needed for GAE. */
  readonly critic?: Engine | undefined;
  /** Holds the mean of the weights; needed for evaluate.average. */
  readonly average?: Engine | undefined;
}

/** Throws TRAIN_MISSING_ENGINE where the recipe asks for an engine that was not opened. */
export function checkParts(recipe: RlRecipe, parts: RlParts): void {
  const { kl, preference } = recipe.algorithm;
  if ((kl !== false || preference !== null) && !parts.reference) throw missing('a reference policy', 'algorithm.kl');
  if (needs(recipe, 'critic') && !parts.critic) throw missing('a critic', 'algorithm.estimator');
  checkFollowers(recipe, parts);
  if (recipe.evaluate.average !== false && !parts.average) throw missing('an engine for the mean', 'evaluate.average');
}

function missing(what: string, key: string): AgogeError {
  return new AgogeError('TRAIN_MISSING_ENGINE', `${key} needs ${what}: the caller must open one`);
}
