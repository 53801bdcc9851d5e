import { describe, expect, it } from 'vitest';
import { changeInWords, upgradeRecipe } from './upgrade.ts';

describe('recipes of older runs', () => {
  it('say the same in today’s words', () => {
    const { config, changes } = upgradeRecipe({
      data: { format: 'react', source: 'experts' },
      template: 'plain',
      evaluate: { split: 'test', format: 'react' },
      agent: { max_turns: 3 },
    });
    expect(config).toEqual({
      data: { source: 'experts' },
      evaluate: { split: 'test', choose: false },
      agent: { format: 'react', chat_template: 'plain', max_turns: 3 },
    });
    expect(changes).toHaveLength(4);
  });
  it('what the agent said itself stands', () => {
    expect(upgradeRecipe({ data: { format: 'react' }, agent: { format: 'direct' } }).config).toEqual({
      data: {},
      agent: { format: 'direct' },
    });
  });
  it.each([
    ['generated tasks of test', { split: 'generated-test' }],
    [
      'a panel of test',
      {
        panels: [
          { env: 'babyai', split: 'validation' },
          { env: 'textcraft', split: 'test' },
        ],
      },
    ],
  ])('%s choose no longer', (_, evaluate) => {
    expect(upgradeRecipe({ evaluate }).config).toEqual({ evaluate: { ...evaluate, choose: false } });
  });
  it('leave to the user what only the user knows', () => {
    const config = { data: { source: 'experts' }, evaluate: { split: 'test' }, stop: { patience: 3 } };
    expect(upgradeRecipe(config)).toEqual({ config, changes: [] });
  });
  it.each([{ run: 'a' }, { evaluate: { split: 'test', choose: true } }, { evaluate: { split: 'validation' } }, null, 'x', [1]])(
    '%j needs nothing',
    (config) => {
      expect(upgradeRecipe(config)).toEqual({ config, changes: [] });
    },
  );
  it('the given recipe is left as it was', () => {
    const before = { data: { format: 'react' } };
    upgradeRecipe(before);
    expect(before).toEqual({ data: { format: 'react' } });
  });
});

describe('defaults that have changed', () => {
  const gigpo = { tasks: [], algorithm: { name: 'gigpo' }, stop: { no_signal: 5 }, rollout: { branch: 2 } };
  const before = {
    ...gigpo,
    algorithm: { name: 'gigpo', step_scale: 'std' },
    stop: { no_signal: 5, fall: null, unreadable: false },
    evaluate: { every: 0 },
  };

  it('are written out for a run that goes on', () => {
    const { config, changes } = upgradeRecipe(gigpo);
    expect(config).toEqual(before);
    expect(changes).toHaveLength(5);
    expect(upgradeRecipe(config)).toEqual({ config: before, changes: [] });
  });
  it('are told of a recipe, with what to write', () => {
    const { config, changes } = upgradeRecipe(gigpo, 'tell');
    expect(config).toEqual(gigpo);
    expect(changes.map(changeInWords)).toEqual([
      expect.stringContaining('as before: algorithm.step_scale: "std" (--keep writes it)'),
      expect.stringContaining('as before: stop.fall: null (--keep writes it)'),
      expect.stringContaining('as before: stop.unreadable: false (--keep writes it)'),
      expect.stringContaining('as before: evaluate.every: 0 (--keep writes it)'),
      expect.stringContaining('rollout.branch'),
    ]);
  });
  it('touch no recipe that they do not concern', () => {
    expect(upgradeRecipe({ tasks: [], algorithm: { name: 'gigpo', estimator: 'grpo' } }).changes).toHaveLength(3);
    expect(upgradeRecipe({ data: { train: 'maze.json' } }).config).toEqual({ data: { train: 'maze.json', openings: 'keep' } });
    const experts = { data: { source: 'experts', train: [] } };
    expect(upgradeRecipe(experts).config).toEqual({ ...experts, evaluate: { at_start: false } });
    expect(upgradeRecipe({ ...experts, policy: { fresh: {} } }).changes).toEqual([]);
    expect(upgradeRecipe({ ...experts, steps: 9 }).changes).toEqual([]);
  });
});
