import { describe, expect, it } from 'vitest';
import { applyOverrides } from './overrides.ts';

const recipe = {
  run: 'a',
  rollout: { groups: 32, samples: 8 },
  tasks: [
    { env: 'textcraft', split: 'train' },
    { env: 'babyai', split: 'train' },
  ],
};

describe('overrides', () => {
  it.each<[string, unknown]>([
    ['rollout.groups=16', { ...recipe, rollout: { groups: 16, samples: 8 } }],
    ['rollout={groups:1}', { ...recipe, rollout: { groups: 1 } }],
    ['seed=7', { ...recipe, seed: 7 }],
    ['+algorithm.kl.coefficient=0.01', { ...recipe, algorithm: { kl: { coefficient: 0.01 } } }],
    ['++rollout.samples=4', { ...recipe, rollout: { groups: 32, samples: 4 } }],
    ['~rollout.samples', { ...recipe, rollout: { groups: 32 } }],
    ['~rollout.samples=8', { ...recipe, rollout: { groups: 32 } }],
    ['rollout.groups=null', { ...recipe, rollout: { groups: null, samples: 8 } }],
    ['run=', { ...recipe, run: '' }],
    ['run=a=b', { ...recipe, run: 'a=b' }],
    ['run.name=x', { ...recipe, run: { name: 'x' } }],
  ])('%s', (override, want) => expect(applyOverrides(recipe, [override])).toEqual(want));

  it.each<[string, unknown[]]>([
    ['tasks.0.split=test', [{ env: 'textcraft', split: 'test' }, recipe.tasks[1]]],
    ['tasks.1=x', [recipe.tasks[0], 'x']],
    ['tasks.2={env:maze}', [...recipe.tasks, { env: 'maze' }]],
    ['~tasks.0', [recipe.tasks[1]]],
    ['~tasks.1.split', [recipe.tasks[0], { env: 'babyai' }]],
  ])('%s changes the list', (override, tasks) => expect(applyOverrides(recipe, [override])).toEqual({ ...recipe, tasks }));

  it.each(['tasks.3=x', 'tasks.-1=x', 'tasks.first=x', '~tasks.2', 'tasks.01e1=x', 'tasks. =x'])(
    '%s names no entry',
    (override) => expect(() => applyOverrides(recipe, [override])).toThrow(/CONFIG_BAD_OVERRIDE|list there|not an override/),
  );

  it('says that a list is empty', () => {
    expect(() => applyOverrides({ tasks: [] }, ['~tasks.0'])).toThrow(/is empty/);
  });

  it.each([
    'rollout.groups',
    '=1',
    '+',
    '',
    'a b=1',
    '~',
    'a..b=1',
    '.a=1',
    'a.=1',
    '__proto__.x=1',
    'a.__proto__.x=1',
    '+__proto__=1',
  ])('%j is no override', (override) =>
    expect(() => applyOverrides(recipe, [override])).toThrow(/is not an override: write it as key\.sub=value/),
  );

  it('says which value cannot be read', () => {
    expect(() => applyOverrides(recipe, ['rollout.groups=[1'])).toThrow(/the value of "rollout\.groups=\[1" cannot be read/);
  });

  it('later ones win, the given object stays as it was', () => {
    const before = structuredClone(recipe);
    expect(applyOverrides(recipe, ['seed=1', 'seed=2', '~rollout', 'rollout.groups=3'])).toEqual({
      ...recipe,
      seed: 2,
      rollout: { groups: 3 },
    });
    expect(recipe).toEqual(before);
  });

  it('names of Object.prototype are keys like any other, and are not inherited', () => {
    const changed = applyOverrides({}, ['constructor.prototype.polluted=1', 'toString.x=2']);
    expect(Object.entries(changed as object)).toEqual([
      ['constructor', { prototype: { polluted: 1 } }],
      ['toString', { x: 2 }],
    ]);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('removing what is not there changes nothing', () => {
    expect(applyOverrides(recipe, ['~stop', '~stop.patience', '~rollout.none'])).toEqual(recipe);
  });

  it('an empty file is an empty recipe', () => {
    expect(applyOverrides(null, ['a.b=1'])).toEqual({ a: { b: 1 } });
    expect(applyOverrides(undefined, [])).toEqual({});
  });
});
