/**
 * Could chance have made these differences? Under "no difference" each is as likely to have the other sign (Fisher 1935), so the p-value is
 * the share of sign patterns whose sum lies as far from zero. For outcomes of 0 and 1 it is McNemar's exact test. A bootstrap's share of
 * draws beyond zero claims far too much of a few tasks: four equal differences of five gave it p = 0.002.
 */
import type { Random } from '../core/random/random.ts';
import { at } from './numbers.ts';

/** So many differences have their patterns counted one by one; more of them are drawn. */
const counted = 14;

/** Two-sided; 1 where nothing differs. */
export function signFlipTest(differences: readonly number[], random: Random, draws = 10_000): number {
  const told = differences.filter((one) => one !== 0);
  if (told.length === 0) return 1;
  // Sums of the same numbers in another order differ in their last bits.
  const seen = Math.abs(told.reduce((a, b) => a + b, 0)) * (1 - 1e-9);
  const isAsFar = (flipped: (i: number) => boolean): boolean => {
    let sum = 0;
    for (let i = 0; i < told.length; i++) sum += flipped(i) ? -at(told, i) : at(told, i);
    return Math.abs(sum) >= seen;
  };
  let far = 0;
  if (told.length <= counted) {
    const patterns = 2 ** told.length;
    for (let pattern = 0; pattern < patterns; pattern++) if (isAsFar((i) => ((pattern >> i) & 1) === 1)) far++;
    return far / patterns;
  }
  for (let draw = 0; draw < draws; draw++) if (isAsFar(() => random.below(2) === 1)) far++;
  // One is added so that a finite number of draws never claims certainty.
  return (far + 1) / (draws + 1);
}
