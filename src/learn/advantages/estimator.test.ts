import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compact, rows } from '../golden.fixture.ts';
import { broadcast, mean, variance, type Row } from '../rows.ts';
import type { EstimatorOptions } from './definition.ts';
import { estimateAdvantages, estimatorNames } from './estimator.ts';
import { groupRelative, groupRelativeByCategory } from './group-relative.ts';
import { leaveOneOut } from './leave-one-out.ts';
import { reinforcePlusPlus } from './reinforce-plus-plus.ts';

function expectClose(actual: readonly Float64Array[], expected: readonly Float64Array[]): void {
  expect(actual.map((row) => row.length)).toEqual(expected.map((row) => row.length));
  actual.forEach((row, r) => row.forEach((x, t) => expect(x, `row ${r} token ${t}`).toBeCloseTo(expected[r]![t]!, 5)));
}

describe('golden vectors: one advantage per row', () => {
  const cases: [string, EstimatorOptions, number[]][] = [
    ['grpo', {}, [0.707106, -0.707106, -0.707105, 0.707105]],
    ['grpo', { scale: 'none' }, [0.5, -0.5, -0.25, 0.25]],
    ['opo', {}, [0.5, -0.5, -0.25, 0.25]],
    ['grpo_passk', {}, [1.414212, 0, 0, 1.41421]],
    ['rloo', {}, [1, -1, -0.5, 0.5]],
    ['gpg', {}, [0.666667, -0.666667, -0.333333, 0.333333]],
    ['reinforce_plus_plus_baseline', {}, [1.169795, -1.169795, -0.584898, 0.584898]],
  ];
  it.each(cases)('%s %o', (name, options, expected) => {
    expectClose(estimateAdvantages(name, rows, options).advantages, broadcast(rows, expected));
  });
});

describe('golden vectors: one advantage per token', () => {
  it('gae, γ = λ = 1', () => {
    const { advantages, returns } = estimateAdvantages('gae', rows);
    expectClose(
      advantages,
      compact([
        [1.797359, 1.503055, 0, 0, 0.914446, 0.325837],
        [-0.998533, -1.145685, 0, -1.43999, -1.145685, 0],
        [-0.262772, 0, 0, -0.557076, 0.031533, 0],
        [0.620141, 0.325837, 0.031533, 0, 0, 0],
      ]),
    );
    expectClose(returns, broadcast(rows, [1, 0, 0.5, 1]));
  });
  it('gae, γ = 0.9, λ = 0.95', () => {
    const { advantages, returns } = estimateAdvantages('gae', rows, { gamma: 0.9, lambda: 0.95 });
    expectClose(
      advantages,
      compact([
        [1.413761, 1.425317, 0, 0, 1.073045, 0.752478],
        [-0.946197, -1.151974, 0, -1.575543, -1.202199, 0],
        [-0.454701, 0, 0, -0.668572, 0.361542, 0],
        [0.302736, 0.308766, 0.361542, 0, 0, 0],
      ]),
    );
    expectClose(
      returns,
      compact([
        [0.669154, 0.77211, 0, 0, 0.882, 1],
        [0.015485, 0.012848, 0, 0.0045, 0, 0],
        [0.391208, 0, 0, 0.4365, 0.5, 0],
        [0.784958, 0.8865, 1, 0, 0, 0],
      ]),
    );
  });
  it("AgentGym-RL's gae", () => {
    const { advantages, returns } = estimateAdvantages('gae_agentgym', rows);
    expectClose(
      advantages,
      compact([
        [1.010871, 0.699834, 0, 0, 1.321908, 0.699834],
        [-1.321908, -1.477427, 0, -1.16639, -0.855352, 0],
        [-1.16639, 0, 0, -0.233278, 0.388797, 0],
        [1.010871, 0.699834, 0.388797, 0, 0, 0],
      ]),
    );
    expectClose(
      returns,
      compact([
        [0.6, 0.6, 0, 0, 1, 1],
        [-0.2, -0.2, 0, 0, 0, 0],
        [0.1, 0, 0, 0.5, 0.5, 0],
        [1, 1, 1, 0, 0, 0],
      ]),
    );
  });
  it('reinforce++, credit through observations', () => {
    const { advantages, returns } = estimateAdvantages('reinforce_plus_plus', rows, { gamma: 0.9 });
    expectClose(
      advantages,
      compact([
        [0.485069, 0.688648, 0, 0, 0.914846, 1.166177],
        [-1.347136, -1.347136, 0, -1.347136, -1.347136, 0],
        [-0.329244, 0, 0, -0.216145, -0.090479, 0],
        [0.688648, 0.914846, 1.166177, 0, 0, 0],
      ]),
    );
    expectClose(
      returns,
      [
        [0.729, 0.81, 0.9, 1],
        [0, 0, 0, 0],
        [0.405, 0.45, 0.5],
        [0.81, 0.9, 1],
      ].map((row) => Float64Array.from(row)),
    );
  });
  it("verl 0.7's reinforce++ credits the last turn only", () => {
    const { advantages } = reinforcePlusPlus(rows, { gamma: 0.9, resetAtTurns: true });
    expectClose(
      advantages,
      compact([
        [-0.901937, -0.901937, 0, 0, 1.142021, 1.369128],
        [-0.901937, -0.901937, 0, -0.901937, -0.901937, 0],
        [-0.901937, 0, 0, 0.120042, 0.233595, 0],
        [0.937625, 1.142021, 1.369128, 0, 0, 0],
      ]),
    );
  });
  it('remax', () => {
    const { advantages, returns } = estimateAdvantages('remax', rows);
    expectClose(
      advantages,
      [0.8, -0.2, 0.1, 0.6].map((x, r) => new Float64Array(rows[r]!.rewards.length).fill(x)),
    );
    expectClose(returns, broadcast(rows, [1, 0, 0.5, 1]));
  });
});

const reward = fc.double({ min: -10, max: 10, noNaN: true });
const group = fc.array(reward, { minLength: 2, maxLength: 12 }).filter((g) => Math.max(...g) - Math.min(...g) > 1e-2);

describe('properties', () => {
  it('grpo: shift, scale and permutation', () => {
    fc.assert(
      fc.property(group, reward, fc.double({ min: 0.5, max: 8, noNaN: true }), (rewards, shift, factor) => {
        const plain = groupRelative(rewards);
        groupRelative(rewards.map((r) => r * factor + shift)).forEach((x, i) => expect(x).toBeCloseTo(plain[i]!, 2));
        groupRelative(rewards.toReversed()).forEach((x, i) => expect(x).toBeCloseTo(plain[rewards.length - 1 - i]!, 9));
        expect(plain.reduce((a, b) => a + b, 0)).toBeCloseTo(0, 6);
      }),
    );
  });
  it('rejection keeps what earned something, and a task counts once however often it was solved', () => {
    const rows = [1, 0, 1, 0.5, 0].map((reward, i): Row => ({ group: i < 3 ? 'a' : 'b', rewards: [0, reward], turnEnds: [2] }));
    const weights = estimateAdvantages('rejection', rows).advantages.map((row) => [...row]);
    expect(weights).toEqual([0.5, 0, 0.5, 0.5, 0].map((weight) => [weight, weight]));
  });
  it('a group without variance teaches nothing, whatever the estimator that compares', () => {
    const flat: Row[] = [0, 1, 2].map(() => ({ group: 'g', rewards: [0, 1], turnEnds: [2], baseline: 1, states: ['s'] }));
    for (const name of estimatorNames) {
      if (name === 'gae' || name === 'gae_agentgym' || name === 'reinforce_plus_plus' || name === 'rejection') continue;
      for (const row of estimateAdvantages(name, flat).advantages) expect([...row]).toEqual([0, 0]);
    }
  });
  it('rloo compares with the mean of the others', () => {
    fc.assert(
      fc.property(group, (rewards) => {
        leaveOneOut(rewards).forEach((x, i) => {
          const others = rewards.filter((_, j) => j !== i);
          expect(x).toBeCloseTo(rewards[i]! - others.reduce((a, b) => a + b, 0) / others.length, 6);
        });
      }),
    );
  });
  it('gae with γ = λ = 1 returns the reward to come, whatever the values; returns telescope through turns', () => {
    fc.assert(
      fc.property(
        fc.array(reward, { minLength: 1, maxLength: 9 }),
        fc.array(reward, { minLength: 9, maxLength: 9 }),
        (rewards, v) => {
          const [returns] = estimateAdvantages('gae', [
            { group: 'g', rewards, turnEnds: [1, rewards.length], values: v.slice(0, rewards.length) },
          ]).returns;
          rewards.forEach((_, t) =>
            expect(returns![t]).toBeCloseTo(
              rewards.slice(t).reduce((a, b) => a + b, 0),
              6,
            ),
          );
        },
      ),
    );
  });
  it('a group of one keeps its reward', () => {
    expect([...groupRelative([3])]).toEqual([3]);
    expect([...leaveOneOut([3])]).toEqual([3]);
  });
  it('by category: centred by group, unit deviation over the category', () => {
    const mixed: Row[] = [1, 0, 1, 1, 5, 0].map((r, i) => ({
      group: `g${i >> 1}`,
      rewards: [r],
      turnEnds: [1],
      category: i < 4 ? 'small' : 'large',
    }));
    const result = groupRelativeByCategory(mixed);
    expect(result[0]).toBeCloseTo(0.5 / Math.sqrt(0.5 / 3), 4);
    expect(result[2]).toBe(0);
    expect(result[4]).toBeCloseTo(Math.SQRT1_2, 4);
  });
});

describe('gigpo', () => {
  it('adds a comparison of turns played in the same state', () => {
    const pair: Row[] = [
      { group: 'g', rewards: [0, 0, 1], turnEnds: [1, 3], states: ['start', 'door'] },
      { group: 'g', rewards: [0, 0], turnEnds: [1, 2], states: ['start', 'wall'] },
    ];
    const { advantages } = estimateAdvantages('gigpo', pair, { scale: 'none', gamma: 0.5 });
    // Episode: ±0.5. From `start` the returns are 0.5 and 0, so ±0.25 more on the first turn; door and wall are met once.
    expect(advantages.map((row) => [...row])).toEqual([
      [0.75, 0.5, 0.5],
      [-0.75, -0.5],
    ]);
  });
  it('keeps the size of a step: successes in 5 and in 6 turns differ by a little on the state that they share', () => {
    const success = (turns: number, name: string): Row => ({
      group: 'g',
      rewards: Array.from({ length: turns }, (_, t) => (t === turns - 1 ? 1 : 0)),
      turnEnds: Array.from({ length: turns }, (_, t) => t + 1),
      states: Array.from({ length: turns }, (_, t) => (t === 0 ? 'start' : `${name}${t}`)),
    });
    const first = (stepScale?: 'std'): (number | undefined)[] =>
      estimateAdvantages('gigpo', [success(5, 'a'), success(6, 'b')], { gamma: 0.95, stepScale }).advantages.map((row) => row[0]);
    const half = (0.95 ** 4 - 0.95 ** 5) / 2;
    expect(first()).toEqual([expect.closeTo(half, 6), expect.closeTo(-half, 6)]);
    expect(first('std')).toEqual([expect.closeTo(0.707, 3), expect.closeTo(-0.707, 3)]);
  });
});

describe('tokens that are not learned from', () => {
  const scored = [
    { group: 'g', rewards: [0, 0, 0, 1], turnEnds: [4], values: [0.1, 0.2, 0.3, 0.4], kept: Uint8Array.of(1, 1, 1, 0) },
    { group: 'g', rewards: [0, 0], turnEnds: [2], values: [0.5, 0.5], kept: Uint8Array.of(1, 1) },
  ];
  it.each(['gae', 'reinforce_plus_plus', 'reinforce_plus_plus_baseline'])('have no part in the scale of %s', (name) => {
    const { advantages } = estimateAdvantages(name, scored);
    const counted = advantages.flatMap((row, r) => [...row].filter((_, t) => scored[r]!.kept[t] === 1));
    expect(mean(counted)).toBeCloseTo(0, 9);
    expect(variance(counted)).toBeCloseTo(1, 6);
  });
  it('have no part in the lengths that OPO weighs by', () => {
    const [first, second] = estimateAdvantages('opo', scored).advantages.map((row) => row[0]);
    expect([first, second]).toEqual([expect.closeTo(1 - 3 / 5, 9), expect.closeTo(-3 / 5, 9)]);
  });
});

it.each(['gae', 'gae_agentgym'])('%s goes on from what the critic sees after an episode that a limit cut off', (name) => {
  const row = { group: 'g', rewards: [0, 0], turnEnds: [1, 2], values: [0, 0], valueAfter: 0.5 };
  expect(estimateAdvantages(name, [row]).returns[0]?.[1]).toBe(0.5);
});
