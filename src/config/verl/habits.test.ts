import { describe, expect, it } from 'vitest';
import { verlHabit, verlHabits } from './habits.ts';

describe("verl's keys in a recipe", () => {
  it('each has its name here, in both kinds of recipe', () => {
    for (const kind of ['rl', 'sft'] as const)
      for (const [key, here] of Object.entries(verlHabits[kind]))
        expect(verlHabit(kind, key, 1)).toEqual([`unknown key "${key}": in verl; here it is ${here}`]);
  });
  it('a section is answered setting by setting, what has no name by the command that knows', () => {
    const said = verlHabit('rl', 'actor_rollout_ref', { rollout: { n: 8, frobnicate: 1 }, model: { path: 'x' } });
    expect(said?.join('\n')).toMatch(/rollout\.n.*rollout\.samples[^]*frobnicate.*from-verl[^]*model\.path.*policy=hf/);
  });
  it('what is not verl’s is none of its business', () => {
    expect(verlHabit('rl', 'rolout', 1)).toBeUndefined();
    expect(verlHabit('sft', 'data.trian', 1)).toBeUndefined();
    expect(verlHabit('rl', 'trainers', 1)).toBeUndefined();
  });
});

it('knows no key of every object', () => {
  for (const key of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) expect(verlHabit('rl', key, 1)).toBeUndefined();
});
