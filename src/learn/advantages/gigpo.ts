/**
 * GiGPO (Feng et al. 2025): GRPO over whole episodes plus ω times a second, finer comparison: turns of one group that were
 * played in the same state ("anchor") are compared by their discounted return from there. States met once add nothing.
 */
import { groupBy, perGroup, sum, type Advantages, type Row } from '../rows.ts';
import { defineEstimator } from './definition.ts';
import { groupRelative, type GroupRelativeOptions } from './group-relative.ts';

export interface GigpoOptions extends GroupRelativeOptions {
  /** Discount per turn of the step returns. */
  readonly gamma?: number | undefined;
  /** Weight of the step comparison (ω). */
  readonly stepWeight?: number | undefined;
}

export function groupInGroup(
  rows: readonly Row[],
  { gamma = 0.95, stepWeight = 1, scale = 'std' }: GigpoOptions = {},
): Advantages {
  const episode = perGroup(rows, (scores) => groupRelative(scores, { scale }));
  const turns = rows.flatMap((row, r) =>
    stepReturns(row, gamma).map((value, turn) => ({ r, turn, value, key: `${row.group}\n${row.states?.[turn] ?? ''}` })),
  );
  const steps = new Float64Array(turns.length);
  for (const members of groupBy(turns, (turn) => turn.key).values()) {
    if (members.length < 2) continue;
    const compared = groupRelative(
      members.map((i) => turns[i]?.value ?? 0),
      { scale },
    );
    members.forEach((i, j) => (steps[i] = compared[j] ?? 0));
  }
  const advantages = rows.map((row, r) => new Float64Array(row.rewards.length).fill(episode[r] ?? 0));
  turns.forEach(({ r, turn }, i) => {
    const ends = rows[r]?.turnEnds ?? [];
    for (let t = ends[turn - 1] ?? 0; t < (ends[turn] ?? 0); t++) {
      const row = advantages[r];
      if (row) row[t] = (row[t] ?? 0) + stepWeight * (steps[i] ?? 0);
    }
  });
  return { advantages, returns: advantages };
}

/** The discounted reward from each turn on. */
function stepReturns(row: Row, gamma: number): number[] {
  const rewards = Array.from(row.rewards);
  const result: number[] = [];
  let running = 0;
  for (let turn = row.turnEnds.length - 1; turn >= 0; turn--) {
    running = sum(rewards.slice(row.turnEnds[turn - 1] ?? 0, row.turnEnds[turn])) + gamma * running;
    result[turn] = running;
  }
  return result;
}

export const gigpo = defineEstimator({
  name: 'gigpo',
  needs: ['groups'],
  uses: ['gamma', 'scale', 'stepWeight'],
  gamma: 0.95,
  estimate: (rows, { gamma, stepWeight, scale }) =>
    groupInGroup(rows, { gamma, stepWeight, scale: scale === 'none' ? 'none' : 'std' }),
});
