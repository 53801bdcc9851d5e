/**
 * GPG (Chu et al. 2025): rewards centred by group, times α = rows / rows with a reward other than zero, which makes up for
 * groups without signal. Its loss is the plain policy gradient.
 */
import { earned, mean, perGroup, perRow, type Row } from '../rows.ts';
import { defineEstimator } from './definition.ts';

function groupPolicyGradient(rows: readonly Row[], { divisor = 1 }: { readonly divisor?: number } = {}): Float64Array {
  const rewarded = rows.filter((row) => earned(row) !== 0).length;
  const alpha = rows.length / Math.max(rewarded, 1);
  return perGroup(rows, (scores) => {
    const centre = scores.length < 2 ? 0 : mean(scores);
    return scores.map((score) => (alpha * (score - centre)) / divisor);
  });
}

export const gpg = defineEstimator({
  name: 'gpg',
  needs: ['groups'],
  estimate: (rows) => perRow(rows, groupPolicyGradient(rows)),
});
