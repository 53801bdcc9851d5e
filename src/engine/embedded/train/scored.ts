/** Between a batch and a pack of it: scores of the pack's tokens to the data they belong to, gradients the other way. */
import { at } from '../../../core/at.ts';
import type { Datum, TokenScores } from '../../engine.ts';
import type { Pack } from './packing.ts';

/** What a pass gave for the scored tokens of a pack. */
interface Scored {
  readonly pack: Pack;
  readonly scores: Float32Array;
  readonly entropy: Float32Array | undefined;
}

/** Scores in the order of each datum's scored tokens. */
export function scoresOf(data: readonly Datum[], { pack: { scored }, scores: values, entropy }: Scored): TokenScores[] {
  const scores = data.map(({ mask }): TokenScores => {
    let count = 0;
    for (const flag of mask) count += flag;
    return { scores: new Float32Array(count), ...(entropy && { entropy: new Float32Array(count) }) };
  });
  for (let i = 0; i < values.length; i++) {
    const target = scores[scored.datums[i] as number];
    const place = scored.places[i] as number;
    if (!target) continue;
    target.scores[place] = values[i] as number;
    if (entropy && target.entropy) target.entropy[place] = entropy[i] as number;
  }
  return scores;
}

/** Room for the scores of a batch, before any pass. */
export function emptyScores(batch: readonly Datum[], entropy: boolean): TokenScores[] {
  return batch.map(() => ({ scores: new Float32Array(0), ...(entropy && { entropy: new Float32Array(0) }) }));
}

/** Gradients per datum as one array in the pack's order. */
export function spread({ scored }: Pack, gradients: readonly Float32Array[]): Float32Array {
  const result = new Float32Array(new ArrayBuffer(4 * scored.rows.length));
  for (let i = 0; i < result.length; i++) result[i] = at(at(gradients, at(scored.datums, i)), at(scored.places, i));
  return result;
}
