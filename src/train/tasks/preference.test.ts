import { describe, expect, it } from 'vitest';
import type { Batch, PlayedGroup } from '../rl/batch.ts';
import { rememberTasks, TaskPreference } from './preference.ts';

const config = { floor: 0.1, memory: 0.5 };

describe('the preference for tasks that teach', () => {
  it('takes what was never played, prefers what is half solved, keeps a floor', () => {
    const preference = new TaskPreference(config, 1);
    expect(preference.chance('new')).toBe(1);
    preference.note('half', 8, 4);
    preference.note('always', 30, 30);
    preference.note('never', 30, 0);
    expect(preference.chance('half')).toBe(1);
    expect(preference.chance('always')).toBeCloseTo(4 * (31 / 32) * (1 / 32), 6);
    expect(preference.chance('never')).toBeCloseTo(preference.chance('always'), 6);
    preference.note('always', 200, 200);
    expect(preference.chance('always')).toBe(0.1);
    const taken = Array.from({ length: 4000 }, (_, number) => preference.takes('always', number)).filter(Boolean).length;
    expect(taken / 4000).toBeGreaterThan(0.08);
    expect(taken / 4000).toBeLessThan(0.12);
    expect(preference.metrics()).toMatchObject({ 'train/tasks_known': 3, 'train/tasks_passed_over': 4000 - taken });
    expect(preference.metrics()['train/tasks_passed_over']).toBe(0);
  });
  it('forgets: a task that has become solvable comes back', () => {
    const preference = new TaskPreference(config, 1);
    preference.note('x', 32, 0);
    const before = preference.chance('x');
    for (let i = 0; i < 4; i++) preference.note('x', 8, 4);
    expect(preference.chance('x')).toBeGreaterThan(before);
    expect(preference.chance('x')).toBeGreaterThan(0.9);
  });
  it('decides by seed and number, and goes on from its state', () => {
    const one = new TaskPreference({ ...config, floor: 0.5 }, 7);
    one.note('a', 50, 50);
    const other = new TaskPreference({ ...config, floor: 0.5 }, 7);
    other.restore(JSON.parse(JSON.stringify(one.state)) as typeof one.state);
    const draws = (preference: TaskPreference): boolean[] =>
      Array.from({ length: 50 }, (_, number) => preference.takes('a', number));
    expect(draws(one)).toEqual(draws(other));
  });
});

it.each([
  [[true, false, false, false], true, 1],
  // All won or all lost, but not for the same reward: there is something to learn, as where half are won.
  [[true, true, true, true], true, 2],
  [[false, false, false, false], true, 2],
  [[true, true, true, true], false, 4],
  [[false, false, false, false], false, 0],
])('a group that won %j (rewards differ: %s) counts as %d of 4', (won, signal, successes) => {
  const preference = new TaskPreference(config, 1);
  const episodes = won.map((success) => ({ trajectory: { outcome: { kind: 'finished', reward: 0, success } } }));
  const group = { key: 'x', signal, episodes } as unknown as PlayedGroup;
  rememberTasks(preference, { groups: [group], filtered: [] } as unknown as Batch);
  expect(preference.state).toEqual({ x: [4, successes] });
});
