/**
 * A loss sees the tokens that rollout correction left in and no others: a token where trainer and sampler differ beyond all bounds would
 * otherwise move the ratio of its whole sequence (GSPO, GMPO), and clip bounds that it meets would count in their share.
 */
import { emptyLoss, type TokenLoss } from '../../../learn/losses/definition.ts';
import { at, type Numbers } from '../../../learn/numbers.ts';

/** The loss of a row's kept tokens, each in its place; zeros for those that were rejected. */
export function lossOfKept<Lists extends { readonly [name in keyof Lists]: Numbers }>(
  kept: Uint8Array | undefined,
  lists: Lists,
  loss: (lists: Lists) => TokenLoss,
): TokenLoss {
  if (kept?.includes(0) !== true) return loss(lists);
  const places = [...kept.keys()].filter((t) => kept[t] !== 0);
  const picked = Object.entries<Numbers>(lists).map(([name, list]) => [name, Float64Array.from(places, (t) => at(list, t))]);
  const { loss: losses, gradient, clipped, clippedLower } = loss(Object.fromEntries(picked) as Lists);
  const result = { ...emptyLoss(kept.length), clipped, clippedLower };
  places.forEach((t, i) => {
    result.loss[t] = at(losses, i);
    result.gradient[t] = at(gradient, i);
  });
  return result;
}
