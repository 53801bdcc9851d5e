/**
 * GiGPO (Feng et al. 2025): GRPO over whole episodes plus ω times a second, finer comparison: turns of one group that were
 * played in the same state ("anchor") are compared by their discounted return from there. States met once add nothing. The finer comparison
 * is only centred by default: divided by its spread, two successes in 5 and in 6 turns would differ as much as a success and a failure.
 */
import { AgogeError } from '../../core/error.ts';
import { at } from '../numbers.ts';
import { groupBy, perGroup, sum, type Advantages, type Row } from '../rows.ts';
import { defineEstimator } from './definition.ts';
import { groupRelative, type GroupRelativeOptions } from './group-relative.ts';

export interface GigpoOptions extends GroupRelativeOptions {
  /** Discount per turn of the step returns. */
  readonly gamma?: number | undefined;
  /** Weight of the step comparison (ω). */
  readonly stepWeight?: number | undefined;
  /** How the step comparison is scaled. */
  readonly stepScale?: 'std' | 'none' | undefined;
}

function groupInGroup(
  rows: readonly Row[],
  { gamma = 0.95, stepWeight = 1, scale = 'std', stepScale = 'none' }: GigpoOptions = {},
): Advantages {
  const episode = perGroup(rows, (scores) => groupRelative(scores, { scale }));
  const turns = rows.flatMap((row, r) =>
    stepReturns(row, gamma).map((value, turn) => ({ r, turn, value, key: `${row.group}\n${stateOf(row, r, turn)}` })),
  );
  const steps = new Float64Array(turns.length);
  for (const members of groupBy(turns, (turn) => turn.key).values()) {
    if (members.length < 2) continue;
    const compared = groupRelative(
      members.map((i) => at(turns, i).value),
      { scale: stepScale },
    );
    members.forEach((i, j) => (steps[i] = at(compared, j)));
  }
  const advantages = rows.map((row, r) => new Float64Array(row.rewards.length).fill(at(episode, r)));
  turns.forEach(({ r, turn }, i) => {
    const row = at(advantages, r);
    const { turnEnds } = at(rows, r);
    for (let t = turnStart(turnEnds, turn); t < at(turnEnds, turn); t++) row[t] = at(row, t) + stepWeight * at(steps, i);
  });
  return { advantages, returns: advantages };
}

/** What a turn was played in. A reply that was cut off and never played shares its state with no other. */
function stateOf({ states, group }: Row, r: number, turn: number): string {
  if (!states) throw new AgogeError('LEARN_NO_STATES', `a row of group ${group} has no states: GiGPO needs one for each turn`);
  return states[turn] ?? `\0${r} ${turn}`;
}

function turnStart(turnEnds: readonly number[], turn: number): number {
  return turn === 0 ? 0 : at(turnEnds, turn - 1);
}

/** The discounted reward from each turn on. */
function stepReturns(row: Row, gamma: number): number[] {
  const rewards = Array.from(row.rewards);
  const result: number[] = [];
  let running = 0;
  for (let turn = row.turnEnds.length - 1; turn >= 0; turn--) {
    running = sum(rewards.slice(turnStart(row.turnEnds, turn), row.turnEnds[turn])) + gamma * running;
    result[turn] = running;
  }
  return result;
}

export const gigpo = defineEstimator({
  name: 'gigpo',
  needs: ['groups'],
  uses: ['gamma', 'scale', 'stepWeight', 'stepScale'],
  gamma: 0.95,
  estimate: (rows, { gamma, stepWeight, stepScale, scale }) =>
    groupInGroup(rows, { gamma, stepWeight, stepScale, scale: scale === 'none' ? 'none' : 'std' }),
});
