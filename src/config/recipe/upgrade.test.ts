import { describe, expect, it } from 'vitest';
import { upgradeRecipe } from './upgrade.ts';

describe('recipes of older runs', () => {
  it('say the same in today’s words', () => {
    const { config, notes } = upgradeRecipe({
      data: { format: 'react', train: 'x' },
      evaluate: { split: 'test', format: 'react' },
      agent: { max_turns: 3 },
    });
    expect(config).toEqual({
      data: { train: 'x' },
      evaluate: { split: 'test', choose: false },
      agent: { format: 'react', max_turns: 3 },
    });
    expect(notes).toHaveLength(3);
  });
  it('what the agent said itself stands', () => {
    expect(upgradeRecipe({ data: { format: 'react' }, agent: { format: 'direct' } }).config).toMatchObject({
      agent: { format: 'direct' },
    });
  });
  it.each([{ run: 'a' }, { evaluate: { split: 'test', choose: true } }, { evaluate: { split: 'validation' } }, null, 'x', [1]])(
    '%j needs nothing',
    (config) => {
      expect(upgradeRecipe(config)).toEqual({ config, notes: [] });
    },
  );
  it('the given recipe is left as it was', () => {
    const before = { data: { format: 'react' } };
    upgradeRecipe(before);
    expect(before).toEqual({ data: { format: 'react' } });
  });
});
